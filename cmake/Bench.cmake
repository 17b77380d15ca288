# Programs of `make bench` that use the library: bench/<topic>/*.c is bench_<topic>, built when asked for; a folder with a
# CMakeLists.txt has its own rules.
file(GLOB topics CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/bench/*)
foreach(folder ${topics})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
  if(IS_DIRECTORY ${folder} AND sources AND NOT EXISTS ${folder}/CMakeLists.txt)
    get_filename_component(topic ${folder} NAME)
    add_executable(bench_${topic} EXCLUDE_FROM_ALL ${sources})
    target_include_directories(bench_${topic} PRIVATE ${PROJECT_SOURCE_DIR}/src ${folder})
    target_link_libraries(bench_${topic} PRIVATE daedal_static daedal_flags ${CMAKE_DL_LIBS})
    set_target_properties(bench_${topic} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  endif()
endforeach()
