cmake_minimum_required(VERSION 3.22)
# Every header compiles alone, with nothing but the standard library and our own headers on the path.
file(GLOB_RECURSE headers ${ROOT}/src/sluice/*.hpp)
set(failed "")
foreach(header IN LISTS headers)
  execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -x c++ -I${ROOT}/src -I${GENERATED} ${header}
                  RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "${header} does not compile alone:\n${errors}")
  endif()
endforeach()
