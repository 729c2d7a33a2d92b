# Bits are promised, so no product and sum is ever fused behind our back, and nothing is reordered.
add_library(denseval_flags INTERFACE)
target_compile_definitions(denseval_flags INTERFACE _GNU_SOURCE)
target_compile_options(denseval_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wcast-qual -Wwrite-strings -Wundef -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
if(DENSEVAL_WERROR)
  target_compile_options(denseval_flags INTERFACE -Werror)
endif()
