# What `make install` leaves: the program, the shared library, its headers, and what pkg-config and find_package read.
include(CMakePackageConfigHelpers)
set(DENSEVAL_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/denseval)

add_library(denseval::denseval ALIAS denseval)
install(TARGETS denseval EXPORT denseval-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/denseval DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT denseval-targets NAMESPACE denseval:: DESTINATION ${DENSEVAL_CONFIG_DIR})

configure_package_config_file(cmake/denseval-config.cmake.in ${PROJECT_BINARY_DIR}/denseval-config.cmake
                              INSTALL_DESTINATION ${DENSEVAL_CONFIG_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/denseval-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/denseval-config.cmake ${PROJECT_BINARY_DIR}/denseval-config-version.cmake
        DESTINATION ${DENSEVAL_CONFIG_DIR})

# The prefix is found from the file's own place, so that an installed tree can be moved.
file(RELATIVE_PATH DENSEVAL_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/denseval.pc.in ${PROJECT_BINARY_DIR}/denseval.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/denseval.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
