# Compiler flags shared by every target of the project, carried by the interface target sluice_flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # a shared object of somebody else may link the static libraries
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(sluice_flags INTERFACE)
target_compile_options(sluice_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                              -Wno-missing-field-initializers)  # designated initialisers leave defaults on purpose
# Code that is inlined in another order (precompiled headers, -O1) makes g++ 12 doubt std::string itself, of
# `columns.push_back("diagonal")`: what uses those has these four off.
set(sluice_no_doubts $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
if(SLUICE_SANITIZE AND by_gnu)
  list(APPEND sluice_no_doubts -Wno-maybe-uninitialized)  # sanitizers make g++ doubt more: its manual says so
endif()
# g++ collects its own garbage from 128 MB on; left alone to 1 GB it takes a tenth less time for a unit of many files. Not where files are
# compiled alone: clang-tidy reads those commands, and does not know it.
if(SLUICE_UNITY AND by_gnu)
  target_compile_options(sluice_flags INTERFACE --param=ggc-min-heapsize=1000000)
endif()
# Vector code for each instruction set that Highway knows here, but for that of 2006 to 2008: a fifth less of its compilation.
target_compile_definitions(sluice_flags INTERFACE HWY_DISABLED_TARGETS=HWY_SSSE3)
if(SLUICE_WERROR)
  target_compile_options(sluice_flags INTERFACE -Werror)
endif()
# Contracts of ours (math/assert.hpp) and of the standard library are checked where nobody waits for speed.
set(SLUICE_ASSERTIONS OFF)
if(SLUICE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Debug)
  set(SLUICE_ASSERTIONS ON)
  target_compile_definitions(sluice_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
# No fused multiply-add behind our back: the same source must give the same bits on every machine
# that runs the same instructions. No errno from math functions: nobody reads it and it blocks vector code.
# Nobody replaces our functions at load time, so position-independent code may inline them as other code may.
target_compile_options(sluice_flags INTERFACE -ffp-contract=off -fno-math-errno -fno-semantic-interposition)

# Readers of files of others: a buffer that the C library would overrun ends the program there, and no table of functions can be written to once it has begun. No stack
# protector: in kernels it costs two per cent (4,000 steps of `localization`, median of seven pairs), and what reads files has no arrays on the stack but of fixed reads.
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT SLUICE_SANITIZE)
  target_compile_options(sluice_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  target_link_options(sluice_flags INTERFACE -Wl,-z,relro,-z,now)
endif()

if(SLUICE_SANITIZE)
  if("thread" IN_LIST SLUICE_SANITIZE AND "address" IN_LIST SLUICE_SANITIZE)
    message(FATAL_ERROR "SLUICE_SANITIZE: thread and address cannot be combined")
  endif()
  string(REPLACE ";" "," sanitizers "${SLUICE_SANITIZE}")
  target_compile_options(sluice_flags INTERFACE -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sluice_flags INTERFACE -fsanitize=${sanitizers})
  if("thread" IN_LIST SLUICE_SANITIZE)
    # It sees no fences, and g++ says so of each. Ours has none; those of Boost.Asio stand around handlers, which its mutexes order as well.
    target_compile_definitions(sluice_flags INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()
# What a fuzzer calls tells it which ways were taken. One instruction set is enough: it is readers that are fuzzed.
if(SLUICE_FUZZ)
  target_compile_options(sluice_flags INTERFACE -fsanitize=fuzzer-no-link,float-cast-overflow)
  target_compile_definitions(sluice_flags INTERFACE SLUICE_FUZZ HWY_COMPILE_ONLY_STATIC)
endif()
