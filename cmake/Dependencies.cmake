# The numerical libraries: SuiteSparse (KLU, BTF, AMD, CAMD, COLAMD), LAPACK and BLAS.
# Gives the interface target `daedal_numerics`. Installed packages refer to the libraries by name.

find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
mark_as_advanced(KLU_INCLUDE_DIR)

add_library(daedal_numerics INTERFACE)
target_include_directories(daedal_numerics SYSTEM INTERFACE $<BUILD_INTERFACE:${KLU_INCLUDE_DIR}>)

foreach(name klu btf amd camd colamd suitesparseconfig lapack blas)
  find_library(DAEDAL_LIB_${name} ${name} REQUIRED)
  mark_as_advanced(DAEDAL_LIB_${name})
  target_link_libraries(daedal_numerics INTERFACE $<BUILD_INTERFACE:${DAEDAL_LIB_${name}}> $<INSTALL_INTERFACE:${name}>)
endforeach()
find_package(Threads REQUIRED)
target_link_libraries(daedal_numerics INTERFACE m ${CMAKE_THREAD_LIBS_INIT})

# The vector functions of the C library (glibc on x86-64, all of them since 2.35): used in batches where they are there.
include(CheckFunctionExists)
set(CMAKE_REQUIRED_LIBRARIES mvec m)
check_function_exists(_ZGVdN4v_tanh DAEDAL_MVEC)
unset(CMAKE_REQUIRED_LIBRARIES)
if(DAEDAL_MVEC)
  target_link_libraries(daedal_numerics INTERFACE mvec)
  set(DAEDAL_PC_MVEC -lmvec)
endif()

# IPOPT, for optimal control: its header where it is there (Debian: coinor-libipopt-dev); the library is opened when the
# program needs it.
find_path(IPOPT_INCLUDE_DIR IpStdCInterface.h PATH_SUFFIXES coin coin-or)
mark_as_advanced(IPOPT_INCLUDE_DIR)
if(IPOPT_INCLUDE_DIR)
  set(DAEDAL_IPOPT ON)
  target_include_directories(daedal_numerics SYSTEM INTERFACE $<BUILD_INTERFACE:${IPOPT_INCLUDE_DIR}>)
  target_link_libraries(daedal_numerics INTERFACE ${CMAKE_DL_LIBS})
endif()
