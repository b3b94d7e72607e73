# One precompiled header of LLVM's and MLIR's headers for all targets: most of a
# compilation is parsing them. It holds nothing of this project, so that build
# folders with equal flags can share it (FUSION_PRECOMPILED_DIR) and ccache still
# hits across them. Needs FUSION_COMPILE_OPTIONS; with clang only.
#
#   fusion_use_precompiled(target)
set(FUSION_PRECOMPILED_DEFAULT OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT FUSION_SANITIZERS)
  set(FUSION_PRECOMPILED_DEFAULT ON)
endif()
option(FUSION_PRECOMPILED_HEADER "Parse LLVM's and MLIR's headers once" ${FUSION_PRECOMPILED_DEFAULT})
set(FUSION_PRECOMPILED_DIR "${CMAKE_CURRENT_BINARY_DIR}/precompiled" CACHE PATH
    "Where the precompiled header is; build folders with equal flags may share it")

if(NOT FUSION_PRECOMPILED_HEADER)
  function(fusion_use_precompiled target)
  endfunction()
  return()
endif()

set(header "${CMAKE_CURRENT_LIST_DIR}/FusionPrecompiled.h")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
separate_arguments(flags NATIVE_COMMAND
  "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
list(APPEND flags -std=c++17 -fPIC ${FUSION_COMPILE_OPTIONS})
foreach(dir IN LISTS MLIR_INCLUDE_DIRS LLVM_INCLUDE_DIRS)
  list(APPEND flags -isystem "${dir}")
endforeach()

# Everything that makes the header what it is stands in its name: a change of it
# changes the command line of every compilation.
file(READ "${header}" text)
string(SHA256 hash
  "${text};${flags};${CMAKE_CXX_COMPILER_VERSION};${MLIR_PACKAGE_VERSION}")
string(SUBSTRING "${hash}" 0 16 hash)
set(FUSION_PRECOMPILED "${FUSION_PRECOMPILED_DIR}/Fusion-${hash}.pch")
# A copy beside it: its path is part of the result.
set(copy "${FUSION_PRECOMPILED_DIR}/Fusion-${hash}.h")
configure_file("${header}" "${copy}" COPYONLY)
add_custom_command(OUTPUT "${FUSION_PRECOMPILED}"
  COMMAND "${CMAKE_CXX_COMPILER}" ${flags} -x c++-header "${copy}"
    -fpch-instantiate-templates -Xclang -fno-pch-timestamp
    -o "${FUSION_PRECOMPILED}.tmp"
  COMMAND "${CMAKE_COMMAND}" -E rename "${FUSION_PRECOMPILED}.tmp" "${FUSION_PRECOMPILED}"
  COMMENT "Precompiling LLVM's and MLIR's headers"
  VERBATIM)
add_custom_target(FusionPrecompiled DEPENDS "${FUSION_PRECOMPILED}")

# By source file, not by target: a file with options of its own goes without, since
# code generation is part of what a precompiled header is.
function(fusion_use_precompiled target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  foreach(source IN LISTS sources)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(NOT options)
      set_source_files_properties("${source}" PROPERTIES
        COMPILE_OPTIONS "-include-pch;${FUSION_PRECOMPILED}")
    endif()
  endforeach()
  add_dependencies(${target} FusionPrecompiled)
endfunction()
