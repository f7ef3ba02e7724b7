cmake_minimum_required(VERSION 3.22)
# Only `cli` speaks of the command line: a string literal of any other room that holds an option or a call of the program fails.
# A program that uses the library, or Python, has no --out.
set(verbs "run|runs|sweep|watch|report|sample|predict|probe|figure|check|theory|kernel|data|keys|list|show|completion")
file(GLOB_RECURSE sources ${ROOT}/src/sluice/*.[ch]pp)
list(FILTER sources EXCLUDE REGEX "/sluice/cli/")
list(FILTER sources EXCLUDE REGEX "/sluice/data/data_store.cpp$")  # the words of npm and tar
list(FILTER sources EXCLUDE REGEX "/sluice/lab/reproduce.cpp$")     # the line of a page that readers type
set(checked 0)
foreach(source IN LISTS sources)
  math(EXPR checked "${checked} + 1")
  file(STRINGS ${source} wrong REGEX "\"([^\"]*[^\"a-z-])?(--[a-z]|sluice (${verbs})[^a-z])")
  list(FILTER wrong EXCLUDE REGEX "^ *//")
  if(wrong)
    message(SEND_ERROR "${source}: a message names an option or a verb of the program: ${wrong}")
  endif()
endforeach()
if(checked LESS 200)
  message(SEND_ERROR "only ${checked} files checked: is ROOT right?")
endif()
message(STATUS "${checked} files name keys and files, no options")
