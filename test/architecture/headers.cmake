cmake_minimum_required(VERSION 3.22)
# Every header compiles alone, and includes nothing but the standard library and our own headers. The second is read from the text:
# on Debian fmt, Highway and the others lie in /usr/include, which is always on the compiler's path.
#   cmake -DROOT=… -DGENERATED=… -DCXX=… -P headers.cmake
set(standard
    algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable coroutine
    deque exception execution filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd
    iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream
    queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept
    stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version
    cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib
    cstring ctime cuchar cwchar cwctype)
file(GLOB_RECURSE headers ${ROOT}/src/sluice/*.hpp ${GENERATED}/sluice/*.hpp)
list(FILTER headers EXCLUDE REGEX "/sluice/python/")  # pybind11 is in them, and nobody else includes them
list(LENGTH headers count)
if(count LESS 100)
  message(SEND_ERROR "only ${count} headers checked: is ROOT right?")
endif()
foreach(header IN LISTS headers)
  file(STRINGS ${header} includes REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS includes)
    if(line MATCHES "include[ \t]*\"(.*)\"")
      set(ours ${CMAKE_MATCH_1})
      if(NOT ours MATCHES "^sluice/.*\\.hpp$")
        message(SEND_ERROR "${header} includes \"${ours}\": a header includes headers of ours, by their full names")
      endif()
    elseif(NOT line MATCHES "include[ \t]*<(.*)>" OR NOT CMAKE_MATCH_1 IN_LIST standard)
      message(SEND_ERROR "${header}: '${line}': not a header of the standard library; a user of ours would need it")
    endif()
  endforeach()
  execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -x c++ -I${ROOT}/src -I${GENERATED} ${header}
                  RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "${header} does not compile alone:\n${errors}")
  endif()
endforeach()
message(STATUS "${count} headers need the standard library and nothing else")
