/* kit.h - small models for the tests of model. */
#ifndef DD_TESTS_MODEL_KIT_H
#define DD_TESTS_MODEL_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"
#include "model/model.h"

static inline dd_context *kit_context(void)
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

/* An empty model in a context of its own. */
typedef struct kit {
    dd_context *ctx;
    dd_model *m;
} kit;

static inline kit kit_new(const char *name)
{
    kit k = {.ctx = kit_context()};
    assert_int_equal(dd_model_new(&k.m, k.ctx, name), DD_OK);
    return k;
}

static inline void kit_free(kit *k)
{
    dd_model_free(k->m);
    dd_context_free(k->ctx);
}

static inline dd_expr kit_variable(dd_model *m, const char *name)
{
    dd_expr e = DD_EXPR_NONE;
    assert_int_equal(dd_model_add_variable(m, name, 0, NULL, &e), DD_OK);
    return e;
}

static inline dd_expr kit_parameter(dd_model *m, const char *name, double value)
{
    dd_expr e = DD_EXPR_NONE;
    assert_int_equal(dd_model_add_parameter(m, name, 0, &value, &e), DD_OK);
    return e;
}

static inline const char *kit_flat(dd_model *m)
{
    const char *text = NULL;
    assert_int_equal(dd_model_flat_text(&text, m), DD_OK);
    return text;
}

static inline void kit_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

/* The name of a scalar; the text lives in the model. */
static inline const char *kit_name(dd_model *m, uint32_t var)
{
    return dd_model_var_name_dup(m, var, m->pool);
}

/* The spherical pendulum of the language reference, without speeds as variables. Returns the first failure. */
static inline dd_status kit_pendulum(dd_model *m)
{
    const double one = 1, gravity = 9.81;
    dd_attributes at[3] = {dd_attributes_default(), dd_attributes_default(), dd_attributes_default()};
    at[0].start = 0.6, at[0].fixed = true;
    at[1].start = 0, at[1].fixed = true;
    at[2].start = -0.8;
    dd_expr mass, L, g, p[3], v[3], lam;
    dd_model_add_parameter(m, "m", 0, &one, &mass);
    dd_model_add_parameter(m, "L", 0, &one, &L);
    dd_model_add_parameter(m, "g", 0, &gravity, &g);
    dd_model_add_variable(m, "p", 3, at, p);
    dd_model_add_variable(m, "lam", 1, NULL, &lam);
    for (int i = 0; i < 3; i++) {
        v[i] = dd_expr_der(m, p[i]);
    }
    dd_expr T = dd_expr_mul(m, dd_expr_mul(m, dd_expr_number(m, 0.5), mass), dd_expr_dot(m, v, v, 3));
    dd_expr V = dd_expr_mul(m, dd_expr_mul(m, mass, g), p[2]);
    dd_expr rod = dd_expr_sub(m, dd_expr_dot(m, p, p, 3), dd_expr_pow(m, L, dd_expr_number(m, 2)));
    dd_lagrange_input in = {.q = p, .nq = 3, .T = T, .V = V, .c = &rod, .nc = 1, .lambda = &lam};
    dd_model_add_lagrange(m, &in);
    dd_model_add_initial_equation(m, "speed", v[0], dd_expr_number(m, 0));
    return dd_model_add_initial_equation(m, NULL, v[1], dd_expr_number(m, 1));
}

#endif
