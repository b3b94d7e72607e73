# Static linking: LLVM, MLIR and the C++ library inside the program, so that one
# file runs where none of them is installed. It then needs libc, libm and libz.
#
#   fusion_link_portable(target)
#
# Debian exports the MLIR archives with libLLVM.so in their link interface: two
# LLVMs in one program would each have their own options and types. Here that
# name is taken out of the interfaces, and the LLVM archives take its place.

# LLVM's archives were built against the shared libzstd; its archive serves them
# as well.
find_library(FUSION_ZSTD_ARCHIVE libzstd.a)
if(NOT FUSION_ZSTD_ARCHIVE)
  message(FATAL_ERROR "FUSION_PORTABLE expected libzstd.a (Debian: libzstd-dev), but found none")
endif()
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared STATIC IMPORTED)
endif()
set_target_properties(zstd::libzstd_shared PROPERTIES
  IMPORTED_LOCATION "${FUSION_ZSTD_ARCHIVE}")

foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  if(libraries)
    list(REMOVE_ITEM libraries LLVM MLIR "\$<LINK_ONLY:LLVM>")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
  endif()
endforeach()

# What MLIR's dialects, passes and NVVM target call: the middle end and one code
# generator.
llvm_map_components_to_libnames(FUSION_LLVM_ARCHIVES
  AggressiveInstCombine Analysis AsmParser BitReader BitWriter Core Coroutines
  FrontendOpenMP IPO IRReader Linker MC MCParser Object Option Passes Remarks
  Support Target TargetParser TransformUtils NVPTX)

# MLIR initialises every code generator that LLVM was built with. The others do
# nothing here: their triples are unknown to the portable program.
set(initializers "// Written by CMake: the code generators that are left out.\n")
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  if(NOT target STREQUAL "NVPTX")
    foreach(part Target TargetInfo TargetMC AsmPrinter AsmParser Disassembler)
      string(APPEND initializers "void LLVMInitialize${target}${part}(void) {}\n")
    endforeach()
  endif()
endforeach()
file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/OtherTargets.c" CONTENT "${initializers}")
add_library(FusionOtherTargets STATIC "${CMAKE_CURRENT_BINARY_DIR}/OtherTargets.c")

# Folding equal functions takes a quarter off the size. Only code is folded, and
# LLVM and MLIR tell types and passes apart by the addresses of data.
function(fusion_link_portable name)
  target_link_libraries(${name} PRIVATE
    MLIROptLib MLIRRegisterAllDialects MLIRRegisterAllExtensions MLIRRegisterAllPasses
    MLIRToLLVMIRTranslationRegistration ${FUSION_LLVM_ARCHIVES} FusionOtherTargets)
  target_link_options(${name} PRIVATE -fuse-ld=lld -static-libstdc++ -static-libgcc
    LINKER:--gc-sections,--icf=all,--as-needed,-s)
endfunction()
