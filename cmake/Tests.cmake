# Tests are found by where they lie; nothing is listed by hand:
#   tests/unit/<module>/test_*.c    one cmocka program each           unit_<module>_<topic>
#                                   with "sizes.h" also, at full size, full_<module>_<topic>, label verify
#   tests/{verify,fault}/test_*.c   the same, label verify
#   tests/cli/*.sh                  run with the path of daedal       cli_<name>
#   tests/corpus/run.sh             the same                          corpus
#   tests/{verify,fault,web}/*.sh   the same, label verify
#   tests/fuzz/fuzz_*.c             rerun on their stored inputs      fuzz_<name>, fuzz_run_<verb> with label verify
#   examples/c/*.c                  built with the public headers and the shared library, and run
# `make test` leaves out the label verify, `make verify` runs only that.

set(test_environment
  "DAEDAL=${PROJECT_BINARY_DIR}/daedal" "DAEDAL_SOURCE=${PROJECT_SOURCE_DIR}" "DAEDAL_BUILD=${PROJECT_BINARY_DIR}"
  "CC=${CMAKE_C_COMPILER}")

function(daedal_add_test name label timeout)
  if(DAEDAL_SANITIZE OR DAEDAL_COVERAGE) # several times slower
    math(EXPR timeout "10 * ${timeout}")
  endif()
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77)
  if(label)
    set_tests_properties(${name} PROPERTIES LABELS ${label})
  endif()
endfunction()

add_custom_target(verify_programs)
add_custom_target(full_size_programs) # those that `make bench` measures

function(daedal_add_cmocka name label timeout source)
  if(label STREQUAL verify) # `make verify` builds them, so that `make test` is quick
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    add_dependencies(verify_programs ${name})
  else()
    add_executable(${name} ${source})
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${CMOCKA_INCLUDE_DIR})
  # what is tested is optimised; the tests themselves should build fast
  target_compile_options(${name} PRIVATE "$<$<CONFIG:Release>:-O0;-g0>")
  target_link_options(${name} PRIVATE $<$<CONFIG:Release>:-Wl,--strip-debug>)
  target_link_libraries(${name} PRIVATE daedal_static daedal_flags ${CMOCKA_LIBRARY})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  daedal_add_test(${name} "${label}" ${timeout} ${name})
endfunction()

function(daedal_add_scripts folder label timeout)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.sh)
  foreach(script ${scripts})
    get_filename_component(topic ${script} NAME_WE)
    daedal_add_test(${folder}_${topic} "${label}" ${timeout} bash ${script} ${PROJECT_BINARY_DIR}/daedal)
  endforeach()
endfunction()

# ---- programs with cmocka ----
find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
mark_as_advanced(CMOCKA_INCLUDE_DIR CMOCKA_LIBRARY)
if(DAEDAL_FUZZ)
  message(STATUS "fuzz build: the other tests are left out")
elseif(CMOCKA_LIBRARY AND CMOCKA_INCLUDE_DIR)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/*/test_*.c)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(module ${folder} NAME)
    get_filename_component(topic ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "" topic ${topic})
    daedal_add_cmocka(unit_${module}_${topic} "" 110 ${source})
    file(STRINGS ${source} sizes REGEX "^#include \"sizes.h\"" LIMIT_COUNT 1)
    if(sizes)
      daedal_add_cmocka(full_${module}_${topic} verify 1200 ${source})
      target_compile_definitions(full_${module}_${topic} PRIVATE DAEDAL_FULL_SIZE)
      add_dependencies(full_size_programs full_${module}_${topic})
    endif()
  endforeach()
  foreach(folder verify fault)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/test_*.c)
    foreach(source ${sources})
      get_filename_component(topic ${source} NAME_WE)
      string(REGEX REPLACE "^test_" "" topic ${topic})
      daedal_add_cmocka(${folder}_${topic} verify 1200 ${source})
    endforeach()
  endforeach()
else()
  message(WARNING "cmocka was not found: the unit tests are left out (package libcmocka-dev)")
endif()

# ---- scripts that run the program ----
if(TARGET daedal)
  # loops in the library, on whose measurements generated controllers are run
  add_executable(record_loop ${PROJECT_SOURCE_DIR}/tests/record/record_loop.c)
  target_link_libraries(record_loop PRIVATE daedal_static daedal_flags m)
  set_target_properties(record_loop PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  daedal_add_scripts(cli "" 110)
  daedal_add_scripts(verify verify 1200)
  daedal_add_scripts(fault verify 1200)
  daedal_add_scripts(web verify 1200)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tests/corpus/run.sh)
    daedal_add_test(corpus "" 110 bash ${PROJECT_SOURCE_DIR}/tests/corpus/run.sh --brief ${PROJECT_BINARY_DIR}/daedal)
    daedal_add_test(verify_corpus verify 1200 bash ${PROJECT_SOURCE_DIR}/tests/corpus/run.sh ${PROJECT_BINARY_DIR}/daedal)
  endif()
endif()
daedal_add_test(layering "" 60 sh ${PROJECT_SOURCE_DIR}/tools/check_layering.sh)

# ---- examples in C ----
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/c/*.c)
foreach(source ${sources})
  get_filename_component(topic ${source} NAME_WE)
  add_executable(example_${topic} ${source})
  target_link_libraries(example_${topic} PRIVATE daedal_shared daedal_flags m)
  set_target_properties(example_${topic} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  daedal_add_test(example_${topic} "" 60 example_${topic})
endforeach()

# ---- fuzz targets: with DAEDAL_FUZZ for libFuzzer, otherwise replayed over their stored inputs ----
# fuzz_run_* run the whole program in one process: its sources with another name for main
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.c)
add_library(daedal_program OBJECT EXCLUDE_FROM_ALL ${cli_sources})
target_compile_definitions(daedal_program PRIVATE main=daedal_main)
target_include_directories(daedal_program PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
set(structured ${PROJECT_SOURCE_DIR}/tests/fuzz/structured)
target_compile_options(daedal_program PRIVATE -include ${structured}/daedal_main.h)
target_link_libraries(daedal_program PRIVATE daedal_flags)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
foreach(source ${sources})
  get_filename_component(target ${source} NAME_WE)
  string(REGEX REPLACE "^fuzz_" "" topic ${target})
  set(label "")
  if(topic MATCHES "^run_" AND NOT DAEDAL_FUZZ)
    set(label verify)
    add_executable(${target} EXCLUDE_FROM_ALL ${source} ${structured}/json.c)
    add_dependencies(verify_programs ${target})
  else()
    add_executable(${target} ${source} ${structured}/json.c)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE daedal_static daedal_flags)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  if(topic MATCHES "^run_")
    target_sources(${target} PRIVATE ${structured}/program.c $<TARGET_OBJECTS:daedal_program>)
  endif()
  if(DAEDAL_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    if(topic MATCHES "^run_")
      target_sources(${target} PRIVATE ${structured}/mutator.c)
    endif()
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c)
    daedal_add_test(${target} "${label}" 300 ${target} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${topic})
  endif()
endforeach()
