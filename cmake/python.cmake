# The Python package, in build/…/python as `import sluice` finds it: the module, and links to the files of python/sluice. The system's Python,
# because that is the one python3-numpy is for (a virtual or pyenv Python may shadow it on PATH), unless -DPython_EXECUTABLE names another.
set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the module is built for")
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 REQUIRED)

file(GLOB module_sources CONFIGURE_DEPENDS sluice/python/*.cpp)
pybind11_add_module(sluice_python MODULE NO_EXTRAS ${module_sources})  # the libraries it links were optimised before
target_link_libraries(sluice_python PRIVATE sluice sluice_flags fmt::fmt Threads::Threads)
target_compile_options(sluice_python PRIVATE ${light})
# Nothing but its entry is seen from outside: another module of the same process may have another version of us, or of what we link.
set_target_properties(sluice_python PROPERTIES OUTPUT_NAME _sluice LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/sluice
                                               CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_options(sluice_python PRIVATE -Wl,--exclude-libs,ALL)
compile_quickly(sluice_python <pybind11/pybind11.h> <pybind11/numpy.h> <pybind11/stl.h> sluice/lab/recorded.hpp)

file(GLOB package_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/sluice/*)
list(FILTER package_files EXCLUDE REGEX "__pycache__$")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/sluice)
foreach(package_file IN LISTS package_files)
  cmake_path(GET package_file FILENAME name)
  file(CREATE_LINK ${package_file} ${CMAKE_BINARY_DIR}/python/sluice/${name} SYMBOLIC)
endforeach()
