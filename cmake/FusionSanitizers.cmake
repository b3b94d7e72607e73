# Compiles and links everything with the sanitizers named in FUSION_SANITIZERS.
set(FUSION_SANITIZERS "" CACHE STRING
    "Comma-separated sanitizers for this project's own code, e.g. address,undefined")
if(FUSION_SANITIZERS)
  # libMLIR is not instrumented: its vtables are fine, its RTTI is complete.
  add_compile_options(-fsanitize=${FUSION_SANITIZERS} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${FUSION_SANITIZERS})
endif()
