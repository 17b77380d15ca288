/* sizes.h - sizes of large inputs in unit tests. `make test` runs a test at the first size; `make verify` runs the same
 * test again, compiled as full_<module>_<topic>, at the second one, which `make bench` measures. cmake/Tests.cmake finds
 * the tests that include this file when it configures. */
#ifndef DAEDAL_TESTS_SIZES_H
#define DAEDAL_TESTS_SIZES_H

#ifdef DAEDAL_FULL_SIZE
#define TEST_SIZE(quick, full) (full)
#else
#define TEST_SIZE(quick, full) (quick)
#endif

#endif
