# cmake --install: the program, the libraries, headers, completions, and a package for find_package(sluice).
include(CMakePackageConfigHelpers)

install(TARGETS sluice_core sluice EXPORT sluice_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/sluice ${CMAKE_BINARY_DIR}/generated/sluice
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE PATTERN "python" EXCLUDE)
install(EXPORT sluice_targets NAMESPACE sluice:: FILE sluice_targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sluiceConfig.cmake.in ${CMAKE_BINARY_DIR}/sluiceConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sluiceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sluiceConfig.cmake ${CMAKE_BINARY_DIR}/sluiceConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)

if(SLUICE_PROGRAM)
  install(TARGETS sluice_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${CMAKE_BINARY_DIR}/completions/sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/completions/_sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
