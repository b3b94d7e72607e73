# Wrappers that give every library and tool of the project the same flags and names.
#
#   add_fusion_library(MLIRFusionX SRCS... DEPENDS IncGen... LINK_LIBS MLIRFusionY...
#                      [NO_PRECOMPILED])    for a library with compile options of its own
#   add_fusion_tool(fusion-x SRCS... LINK_LIBS ...)
#   add_fusion_unittest(FusionXTests SRCS... LINK_LIBS ...)
#
# A library MLIRFusionX is also known as Fusion::X. LLVM and MLIR come as libMLIR.so and
# libLLVM.so; with FUSION_PORTABLE they come as archives (FusionPortable.cmake). The two are
# never mixed: each would bring its own TypeIDs and option registries.

if(FUSION_PORTABLE)
  include(FusionPortable)
endif()

find_program(FUSION_CCACHE ccache)
if(FUSION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${FUSION_CCACHE}")
  # With a precompiled header ccache has to be told that no macro depends on when
  # it was made.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
    "CCACHE_SLOPPINESS=pch_defines,time_macros" "${FUSION_CCACHE}")
endif()

add_library(FusionFlags INTERFACE)
target_include_directories(FusionFlags INTERFACE
  "${CMAKE_CURRENT_SOURCE_DIR}/include" "${CMAKE_CURRENT_BINARY_DIR}/include")
target_include_directories(FusionFlags SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
# -fPIC for programs too, so that one precompiled header serves all.
separate_arguments(FUSION_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
set(FUSION_COMPILE_OPTIONS
  -fPIC -fno-exceptions -fvisibility-inlines-hidden -Wall -Wextra -Wno-unused-parameter
  -Wno-missing-field-initializers -ffunction-sections -fdata-sections
  ${FUSION_LLVM_DEFINITIONS})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND FUSION_COMPILE_OPTIONS
    -Wno-comment -Wno-maybe-uninitialized -Wno-dangling-reference)
endif()
if(FUSION_WERROR)
  list(APPEND FUSION_COMPILE_OPTIONS -Werror)
endif()
if(FUSION_ENABLE_ASSERTIONS)
  list(APPEND FUSION_COMPILE_OPTIONS -UNDEBUG)
endif()
target_compile_options(FusionFlags INTERFACE ${FUSION_COMPILE_OPTIONS})
include(FusionPrecompiled)
if(NOT FUSION_PORTABLE)
  target_link_libraries(FusionFlags INTERFACE MLIR LLVM)
endif()

function(add_fusion_library name)
  cmake_parse_arguments(ARG "NO_PRECOMPILED" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  string(REPLACE "MLIRFusion" "" short ${name})
  add_library(Fusion::${short} ALIAS ${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} FusionFlags)
  if(NOT ARG_NO_PRECOMPILED)
    fusion_use_precompiled(${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

function(add_fusion_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${FUSION_SANITIZER_OPTIONS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${FUSION_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY FUSION_TOOLS ${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} FusionFlags)
  fusion_use_precompiled(${name})
  if(FUSION_PORTABLE)
    fusion_link_portable(${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# The name ends in `Tests`: lit finds the executable by that.
function(add_fusion_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${FUSION_SANITIZER_OPTIONS})
  set_property(GLOBAL APPEND PROPERTY FUSION_UNITTESTS ${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} FusionFlags GTest::gtest_main)
  fusion_use_precompiled(${name})
  if(FUSION_PORTABLE)
    fusion_link_portable(${name})
  endif()
endfunction()
