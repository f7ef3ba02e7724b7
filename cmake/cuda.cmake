# SLUICE_CUDA: AUTO builds the module for GPUs where nvcc is found, ON insists, OFF does not.
set(SLUICE_CUDA AUTO CACHE STRING "Build the module for GPUs: AUTO, ON or OFF")
set(SLUICE_CUDA_ARCHITECTURES "75;80;90a" CACHE STRING "Compute capabilities that the module has code for; 90a: with Hopper's own instructions, which src/cuda/tensor_cores.cuh needs")
set(SLUICE_CUDA_PTX 80 CACHE STRING "The one that it has as PTX, for later ones")
if(NOT SLUICE_CUDA)
  return()
endif()
find_program(SLUICE_NVCC nvcc PATHS /usr/local/cuda/bin)
if(NOT SLUICE_NVCC)
  if(SLUICE_CUDA STREQUAL "AUTO")
    return()
  endif()
  message(FATAL_ERROR "SLUICE_CUDA=ON: nvcc is not on PATH, nor in /usr/local/cuda/bin")
endif()

# By hand instead of CMake's own CUDA language: that tries to compile and link at every configuration, which costs seconds, and nothing else here is CUDA.
set(generate "")
foreach(capability IN LISTS SLUICE_CUDA_ARCHITECTURES)
  list(APPEND generate -gencode=arch=compute_${capability},code=sm_${capability})
endforeach()
list(APPEND generate -gencode=arch=compute_${SLUICE_CUDA_PTX},code=compute_${SLUICE_CUDA_PTX})
# Kernels of one capability are as much work as all else together: by two threads, where nvcc knows how (12.1).
execute_process(COMMAND ${SLUICE_NVCC} --help OUTPUT_VARIABLE nvcc_help ERROR_QUIET)
set(split "")
if(nvcc_help MATCHES "split-compile")
  set(split -split-compile 2)
endif()
set(module ${CMAKE_BINARY_DIR}/libsluice_cuda.so)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/*)
add_custom_command(
  OUTPUT ${module}
  COMMAND ${SLUICE_NVCC} -std=c++20 -O3 ${generate} --threads 2 ${split} -Werror all-warnings --cudart static -shared
          --compiler-options -fPIC,-fvisibility=hidden -I${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/cuda/module.cu -o ${module}
  DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/src/sluice/gpu/machine.hpp ${PROJECT_SOURCE_DIR}/src/sluice/gpu/ensemble_machine.hpp
          ${PROJECT_SOURCE_DIR}/src/sluice/gpu/training_plan.hpp ${PROJECT_SOURCE_DIR}/src/sluice/task/recipe.hpp ${PROJECT_SOURCE_DIR}/src/sluice/net/layer.hpp
          ${PROJECT_SOURCE_DIR}/src/sluice/net/volume.hpp ${PROJECT_SOURCE_DIR}/src/sluice/learn/visit.hpp
  COMMENT "Compiling the module for GPUs")
add_custom_target(sluice_cuda DEPENDS ${module})
add_dependencies(sluice_program sluice_cuda)
if(TARGET sluice_python)
  add_dependencies(sluice_python sluice_cuda)
endif()
