# Bits are promised, so no product and sum is ever fused behind our back, and nothing is reordered.
add_library(denseval_flags INTERFACE)
target_compile_definitions(denseval_flags INTERFACE _GNU_SOURCE)
target_compile_options(denseval_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wcast-qual -Wwrite-strings -Wundef -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
if(DENSEVAL_WERROR)
  target_compile_options(denseval_flags INTERFACE -Werror)
endif()

# Instrumentation holds for every target at once: a program that lacks it cannot load a library that has it.
set(DENSEVAL_SANITIZE "" CACHE STRING "sanitizers for all targets: address,undefined or thread; empty for none")
option(DENSEVAL_COVERAGE "count executed lines for gcov" OFF)
option(DENSEVAL_FUZZ "build the libFuzzer programs (clang only)" OFF)
set(DENSEVAL_INSTRUMENTATION "")
if(DENSEVAL_SANITIZE)
  # Without no-recover the undefined-behaviour sanitizer reports and exits 0.
  list(APPEND DENSEVAL_INSTRUMENTATION -fsanitize=${DENSEVAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(DENSEVAL_COVERAGE)
  # Threads count into the same cells.
  list(APPEND DENSEVAL_INSTRUMENTATION --coverage -fprofile-update=atomic)
endif()
if(DENSEVAL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "DENSEVAL_FUZZ=ON needs clang; this is ${CMAKE_C_COMPILER_ID} (use --preset fuzz)")
  endif()
  list(APPEND DENSEVAL_INSTRUMENTATION -fsanitize=fuzzer-no-link)
endif()
add_compile_options(${DENSEVAL_INSTRUMENTATION})
add_link_options(${DENSEVAL_INSTRUMENTATION})
