# A first build compiles files together (CMake's unity build): a header is read once for all of them, a template made once. Names in
# their anonymous namespaces must then differ: verbs, claims and recipes of figures, whose files repeat theirs on purpose, have a
# namespace each around it. Files with vector code stay alone: their headers are read once for each instruction set. Whoever changes
# files all day takes SLUICE_UNITY=OFF, which compiles each alone; the debug preset and clang do.

# These files, named from src/sluice without their ending, in one unit.
function(together unit)
  foreach(name IN LISTS ARGN)
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/sluice/${name}.cpp PROPERTIES UNITY_GROUP ${unit})
  endforeach()
endfunction()

# All files of a room that are in no unit yet, but for those named, in so many units.
function(room_together room units)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/sluice/${room}/*.cpp)
  string(REPLACE / _ unit ${room})
  set(next 0)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    get_source_file_property(taken ${source} UNITY_GROUP)
    if(NOT taken AND NOT name IN_LIST ARGN)
      math(EXPR part "${next} % ${units}")
      math(EXPR next "${next} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit}${part})
    endif()
  endforeach()
endfunction()

# Where the headers of a library are what takes the time, its files, of whatever room.
together(boost_math flow/conditioned flow/elliptical flow/flat_field flow/mean_field math/bivariate_normal math/orthant task/nlgp task/norta
         theory/evidence)
together(boost_math_of_claims theory/claims/bump_gates theory/claims/data_moments theory/claims/normal_mean)
together(boost_odeint flow/flow flow/fourier_flow theory/mode_flow)

together(http lab/page_server)
together(options cli/app)  # alone, and a unit all the same: those start first, and the headers of CLI11 take long
room_together(cli 2 main)
room_together(data 1)
room_together(figure 3)
room_together(file 1 json)
room_together(flow 2)
room_together(kernel 1 spectrum)
room_together(lab 3)
room_together(learn 1 optimizer)
room_together(math 1 fourier_kernels kernels)
room_together(net 1 activation registry)  # tests put a registry of theirs in its place
room_together(probe 1 gabor similarity)
room_together(python 1)
room_together(record 1)
room_together(spec 1 document)
room_together(task 1)
room_together(theory 1)
room_together(theory/claims 2)
