# CUDA kernels. Off by default; what was asked for and is missing is an error, never a build without it.
option(DENSEVAL_CUDA "build the CUDA kernels of src/kernels" OFF)
if(DENSEVAL_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "DENSEVAL_CUDA=ON, but no nvcc was found: install the CUDA toolkit or name it by CUDACXX")
  endif()
  # Machine code for 8.0, machine code and PTX for 9.0; CMake's own default is older than the kernels need.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90")
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  # Bits are promised on the device as on the host: products and sums are not fused, by nvcc nor by the compiler behind it.
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>")
  add_subdirectory(src/kernels)
  # The runtime is linked into the library, which so starts where nothing of CUDA is installed.
  target_link_libraries(denseval_dependencies INTERFACE denseval_kernels CUDA::cudart_static)
endif()
