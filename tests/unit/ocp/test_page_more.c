/* Student's distribution, for the intervals of a fit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ocp/ocp_page_more.h"

/* the published table of the 97.5 % point */
static void test_student(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double t;
    } table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},
                 {10, 2.228}, {29, 2.045}, {30, 2.042}, {120, 1.980}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(fabs(dd_student_95(table[i].n) - table[i].t) < 6e-4);
    }
    /* many degrees of freedom: no jump where the formula changes, and the normal distribution at the end */
    assert_true(fabs(dd_student_95(2000) - dd_student_95(2001)) < 1e-5);
    assert_true(fabs(dd_student_95(UINT32_MAX) - 1.959964) < 1e-5);
    assert_true(isnan(dd_student_95(0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_student)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
