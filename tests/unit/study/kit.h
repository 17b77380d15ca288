/* kit.h - a study of a model given as text. */
#ifndef TEST_STUDY_KIT_H
#define TEST_STUDY_KIT_H

#include <math.h>
#include <string.h>

#include "daedal/daedal.h"
#include "unit/base/support.h"

static inline void expect_near(double value, double right, double tolerance, int line)
{
    if (!(fabs(value - right) <= tolerance)) {
        fail_msg("line %d: %.17g, expected %.17g", line, value, right);
    }
}
#define assert_near(value, right, tolerance) expect_near(value, right, tolerance, __LINE__)

typedef struct study_case {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_study *study;
} study_case;

static inline study_case study_make(const char *text, const char *class_name, const dd_study_options *o)
{
    study_case c = {0};
    assert_int_equal(dd_context_new(&c.ctx, NULL), DD_OK);
    if (text) {
        dd_load_options load = dd_load_options_default();
        load.class_name = class_name;
        assert_int_equal(dd_model_load_text(&c.model, c.ctx, "m.mop", text, strlen(text), &load), DD_OK);
        assert_int_equal(dd_model_analyse(&c.system, c.model, NULL), DD_OK);
    }
    const dd_status st = dd_study_new(&c.study, c.ctx, c.system, o);
    if (st != DD_OK) {
        print_error("%s\n", dd_context_message(c.ctx));
    }
    assert_int_equal(st, DD_OK);
    assert_int_equal(dd_study_run(c.study), DD_OK);
    return c;
}

static inline void study_end(study_case *c)
{
    dd_study_free(c->study);
    dd_system_free(c->system);
    dd_model_free(c->model);
    dd_context_free(c->ctx);
}

static inline uint32_t study_column(const dd_study *s, dd_study_table t, const char *name)
{
    uint32_t c = 0;
    while (c < dd_study_column_count(s, t) && strcmp(dd_study_column_name(s, t, c), name) != 0) {
        c++;
    }
    assert_true(c < dd_study_column_count(s, t));
    return c;
}

/* The number in the column of this name, in the first row that begins with these words. */
static inline double study_value(const dd_study *s, dd_study_table t, const char *first, const char *second,
                                 const char *column)
{
    for (uint32_t i = 0; i < dd_study_row_count(s, t); i++) {
        if (strcmp(dd_study_word(s, t, i, 0), first) == 0 &&
            (!second || strcmp(dd_study_word(s, t, i, 1), second) == 0)) {
            return dd_study_number(s, t, i, study_column(s, t, column));
        }
    }
    fail_msg("no row %s %s", first, second ? second : "");
    return NAN;
}

#endif
