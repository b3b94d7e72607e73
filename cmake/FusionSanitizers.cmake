# Compiles and links everything with the sanitizers named in FUSION_SANITIZERS.
set(FUSION_SANITIZERS "" CACHE STRING
    "Comma-separated sanitizers for this project's own code, e.g. address,undefined")
if(FUSION_SANITIZERS)
  # libMLIR is not instrumented: its vtables are fine, its RTTI is complete.
  add_compile_options(-fsanitize=${FUSION_SANITIZERS} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${FUSION_SANITIZERS})
endif()

# LLVM's bump allocators are inline: the copy in this project's code would mark
# memory as unusable that the copy in libMLIR, which does not unmark it, hands out.
# A source file for each program, since a library's weak symbol would stay unused.
set(FUSION_SANITIZER_OPTIONS "")
if(FUSION_SANITIZERS MATCHES "address")
  set(FUSION_SANITIZER_OPTIONS "${CMAKE_CURRENT_BINARY_DIR}/SanitizerOptions.c")
  file(GENERATE OUTPUT "${FUSION_SANITIZER_OPTIONS}" CONTENT
"const char *__asan_default_options(void);
const char *__asan_default_options(void) { return \"allow_user_poisoning=0\"; }
")
endif()
