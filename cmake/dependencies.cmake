# Third-party libraries, all behind one interface target. Debian 12's packages are the least that is needed.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
pkg_check_modules(SPNG REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(JPEG REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)

add_library(denseval_dependencies INTERFACE)
target_link_libraries(denseval_dependencies INTERFACE Threads::Threads hdf5::hdf5 PkgConfig::SPNG PkgConfig::DEFLATE
                                                      PkgConfig::JPEG PkgConfig::JANSSON PkgConfig::OPENBLAS
                                                      PkgConfig::XXHASH PkgConfig::YAML m)

# FAISS: its own C library where one is found; else the C++ library behind the C++ file in search/faiss/ that implements
# the same C headers (Debian ships the headers without the objects).
set(DENSEVAL_HAVE_FAISS OFF)
set(DENSEVAL_FAISS_SHIM OFF)
if(NOT DENSEVAL_FAISS STREQUAL "OFF")
  find_library(FAISS_C_LIBRARY faiss_c)
  find_path(FAISS_C_INCLUDE_DIR faiss/c_api/IndexFlat_c.h)
  find_package(OpenMP COMPONENTS C CXX)
  find_package(faiss CONFIG QUIET)
  if(FAISS_C_LIBRARY AND FAISS_C_INCLUDE_DIR)
    set(DENSEVAL_HAVE_FAISS ON)
    target_link_libraries(denseval_dependencies INTERFACE ${FAISS_C_LIBRARY})
  elseif(faiss_FOUND AND OpenMP_CXX_FOUND AND FAISS_C_INCLUDE_DIR)
    set(DENSEVAL_HAVE_FAISS ON)
    set(DENSEVAL_FAISS_SHIM ON)
    target_link_libraries(denseval_dependencies INTERFACE faiss OpenMP::OpenMP_CXX)
  elseif(DENSEVAL_FAISS STREQUAL "ON")
    message(FATAL_ERROR "DENSEVAL_FAISS=ON, but neither libfaiss_c nor libfaiss with its C headers was found")
  endif()
endif()
# Its GPU part, where the C library has one and CUDA's headers, which those of that part include, are there.
set(DENSEVAL_FAISS_GPU OFF)
if(DENSEVAL_HAVE_FAISS AND NOT DENSEVAL_FAISS_SHIM AND
   EXISTS "${FAISS_C_INCLUDE_DIR}/faiss/c_api/gpu/StandardGpuResources_c.h")
  file(STRINGS "${FAISS_C_LIBRARY}" gpu_symbol REGEX "faiss_StandardGpuResources_new" LIMIT_COUNT 1)
  find_package(CUDAToolkit QUIET)
  if(gpu_symbol AND CUDAToolkit_FOUND)
    set(DENSEVAL_FAISS_GPU ON)
  endif()
endif()
message(STATUS "FAISS search slot: ${DENSEVAL_HAVE_FAISS} (C++ shim: ${DENSEVAL_FAISS_SHIM}, GPUs: ${DENSEVAL_FAISS_GPU})")

# MPI, for ranks on one node or many. Its C interface alone: the C++ one is no part of MPI 3. Its headers are for the one
# source that calls it: all others are compiled as they are in a build without.
set(DENSEVAL_HAVE_MPI OFF)
if(NOT DENSEVAL_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI 3.1 COMPONENTS C)
  if(MPI_C_FOUND)
    set(DENSEVAL_HAVE_MPI ON)
    target_link_libraries(denseval_dependencies INTERFACE $<LINK_ONLY:MPI::MPI_C>)
  elseif(DENSEVAL_MPI STREQUAL "ON")
    message(FATAL_ERROR "DENSEVAL_MPI=ON, but no MPI 3.1 was found")
  endif()
endif()
message(STATUS "Ranks by MPI: ${DENSEVAL_HAVE_MPI}")
