/* method_json.c - methods for programs. */
#include "methods/method.h"

static void numbers(dd_json *j, const char *key, const double *values, uint32_t n)
{
    dd_json_key(j, key);
    if (!values) {
        dd_json_null(j);
        return;
    }
    dd_json_begin_array(j);
    for (uint32_t k = 0; k < n; k++) {
        dd_json_number(j, values[k]);
    }
    dd_json_end_array(j);
}

static void matrix(dd_json *j, const char *key, const double *values, uint32_t n)
{
    dd_json_key(j, key);
    if (!values) {
        dd_json_null(j);
        return;
    }
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        dd_json_begin_array(j);
        for (uint32_t k = 0; k < n; k++) {
            dd_json_number(j, values[(size_t)i * n + k]);
        }
        dd_json_end_array(j);
    }
    dd_json_end_array(j);
}

static void stability(dd_json *j, const dd_method *m)
{
    const dd_stability *f = m->stability;
    dd_json_key(j, "stability");
    dd_json_begin_object(j);
    /* a multistep method has no stability function but an angle */
    numbers(j, "numerator", f ? f->rough_numerator : NULL, f ? f->numerator_degree + 1 : 0);
    numbers(j, "denominator", f ? f->rough_denominator : NULL, f ? f->denominator_degree + 1 : 0);
    dd_json_key(j, "a_stable");
    dd_json_bool(j, dd_method_a_stable(m));
    dd_json_key(j, "l_stable");
    dd_json_bool(j, dd_method_l_stable(m));
    if (!f) {
        dd_json_key(j, "angle");
        dd_json_number(j, m->bdf.angle);
    }
    dd_json_end_object(j);
}

static void embedded(dd_json *j, const dd_method *m, bool with_tableau)
{
    dd_json_key(j, "embedded");
    if (!dd_method_bhat(m)) {
        dd_json_null(j);
        return;
    }
    dd_json_begin_object(j);
    dd_json_key(j, "order");
    dd_json_int(j, dd_method_embedded_order(m));
    if (with_tableau) {
        numbers(j, "bhat", dd_method_bhat(m), dd_method_stages(m));
    }
    dd_json_end_object(j);
}

static void cost(dd_json *j, const dd_method *m, double tol)
{
    dd_json_key(j, "cost");
    dd_json_begin_object(j);
    dd_json_key(j, "tol");
    dd_json_number(j, tol);
    dd_json_key(j, "evaluations");
    dd_json_number(j, dd_method_evaluations(m, tol));
    dd_json_end_object(j);
}

void dd_method_write_json(dd_json *j, const dd_method *m, bool with_tableau, double tol)
{
    dd_json_begin_object(j);
    dd_json_key(j, "name");
    dd_json_string(j, m->name);
    dd_json_key(j, "stages");
    dd_json_int(j, dd_method_stages(m));
    dd_json_key(j, "order");
    dd_json_int(j, dd_method_order(m));
    dd_json_key(j, "kind");
    dd_json_string(j, dd_method_kind_name(dd_method_kind_of(m)));
    /* the coefficients of the method: a tableau, or the alpha_j of a multistep formula */
    if (with_tableau && m->tableau) {
        matrix(j, "A", dd_method_A(m), dd_method_stages(m));
        numbers(j, "b", dd_method_b(m), dd_method_stages(m));
        numbers(j, "c", dd_method_c(m), dd_method_stages(m));
    } else if (with_tableau) {
        numbers(j, "alpha", m->bdf.alpha, m->bdf.steps + 1);
    }
    dd_json_key(j, "row_sums_ok");
    dd_json_bool(j, m->row_sums_ok);
    stability(j, m);
    embedded(j, m, with_tableau);
    if (tol > 0) {
        cost(j, m, tol);
    }
    dd_json_end_object(j);
}
