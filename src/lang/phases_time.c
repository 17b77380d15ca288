/* phases_time.c - when phases begin and end: numbers where they are known, else expressions of free parameters alone;
 * the instants of point values as parts of a phase. */
#include <math.h>

#include "lang/phases.h"

#define SAME 1e-9 /* parts of a phase that are treated as the same */

/* How far same_part moves a free time: far enough that a time in seconds becomes another part, and no simple
 * fraction of the phase, so that nothing is the same by chance; the absolute shift serves phases without a duration
 * yet. */
#define SHIFT_RELATIVE 0.37
#define SHIFT_ABSOLUTE 0.01

/* ---- expressions of times ---- */

static bool number_of(dd_flattener *fl, dd_expr e, double *value)
{
    uint32_t culprit;
    return dd_model_evaluate(fl->m, e, false, value, &culprit) && isfinite(*value);
}

/* Free parameters that e depends on, through the values of others; the parameters in between are in the list too. */
static void add_parameters(dd_flattener *fl, dd_expr e, dd_expr_vec *out)
{
    /* a worklist: bound parameters contribute the symbols of their bindings */
    uint32_t done = out->len;
    dd_symbols(fl->m->dag, e, true, out, fl->pool);
    for (; done < out->len; done++) {
        dd_expr s = out->data[done];
        if (dd_op_of(fl->m->dag, s) != DD_OP_PARAM) {
            continue;
        }
        const dd_variable *v = &fl->m->vars.data[dd_symbol_id(fl->m->dag, s)];
        bool repeated = false;
        for (uint32_t i = 0; i < done && !repeated; i++) {
            repeated = out->data[i] == s;
        }
        if (!v->free && v->binding != DD_EXPR_NONE && !repeated) {
            dd_symbols(fl->m->dag, v->binding, true, out, fl->pool);
        }
    }
}

static bool depends_on_free(dd_flattener *fl, dd_expr e)
{
    dd_expr_vec list = {0};
    bool found = false;
    add_parameters(fl, e, &list);
    for (uint32_t i = 0; i < list.len && !found; i++) {
        found = dd_op_of(fl->m->dag, list.data[i]) == DD_OP_PARAM &&
                fl->m->vars.data[dd_symbol_id(fl->m->dag, list.data[i])].free;
    }
    dd_vec_free(fl->pool, &list);
    return found;
}

static dd_expr put_known(void *user, dd_expr symbol)
{
    dd_flattener *fl = user;
    /* free parameters stay; those that depend on them are replaced by their bindings; all others by numbers */
    if (dd_op_of(fl->m->dag, symbol) != DD_OP_PARAM) {
        return DD_EXPR_NONE;
    }
    dd_variable *v = &fl->m->vars.data[dd_symbol_id(fl->m->dag, symbol)];
    if (v->free || (v->binding == DD_EXPR_NONE && !v->has_value)) {
        return DD_EXPR_NONE;
    }
    if (v->binding != DD_EXPR_NONE && depends_on_free(fl, v->binding)) {
        return v->binding;
    }
    double value;
    if (!number_of(fl, symbol, &value)) {
        return DD_EXPR_NONE;
    }
    /* the value shapes the stacked model: it cannot be changed afterwards */
    v->structural = true;
    return dd_num(fl->m->dag, value);
}

/* Numbers for all known parameters; the remaining ones are free. */
static dd_expr known_part(dd_flattener *fl, dd_expr e)
{
    enum { MOST = 1000 };
    /* one level of bindings per pass; cycles were reported before, the limit only guards */
    for (int i = 0; i < MOST; i++) {
        dd_expr next = dd_substitute(fl->m->dag, e, put_known, fl);
        if (next == e) {
            break;
        }
        e = next;
    }
    return e;
}

static double bound_or(dd_flattener *fl, dd_expr bound, double otherwise)
{
    double value;
    return bound != DD_EXPR_NONE && number_of(fl, bound, &value) ? value : otherwise;
}

/* Between which values e can lie when it is linear in free parameters. */
static void range_of(dd_flattener *fl, dd_expr e, double *least, double *most)
{
    dd_expr_vec symbols = {0};
    dd_symbols(fl->m->dag, e, true, &symbols, fl->pool);
    dd_expr *coefficients = dd_pool_alloc_array(fl->pool, symbols.len + 1, sizeof *coefficients), rest;
    *least = -INFINITY;
    *most = INFINITY;
    double sum;
    /* sum_i c_i p_i + rest with numbers c_i, else nothing is known */
    if (!dd_linear(fl->m->dag, e, symbols.data, symbols.len, coefficients, &rest) || !number_of(fl, rest, &sum)) {
        return;
    }
    /* interval arithmetic: the sign of c_i decides which bound applies */
    double low = sum, high = sum;
    for (uint32_t i = 0; i < symbols.len; i++) {
        const dd_variable *v = &fl->m->vars.data[dd_symbol_id(fl->m->dag, symbols.data[i])];
        double c, a = bound_or(fl, v->min, -INFINITY), b = bound_or(fl, v->max, INFINITY);
        if (!number_of(fl, coefficients[i], &c)) {
            return;
        }
        low += c > 0 ? c * a : c * b;
        high += c > 0 ? c * b : c * a;
    }
    *least = low;
    *most = high;
}

/* ---- times of phases ---- */

static dd_span time_span(const dd_flattener *fl, uint32_t var)
{
    return fl->m->arrays.data[fl->m->vars.data[var].array].span;
}

static bool check_length(dd_flattener *fl, const dd_flat_phase *p)
{
    double least, most, start, value;
    char a[32], b[32];
    range_of(fl, p->length, &least, &most);
    dd_span span = time_span(fl, p->final_var);
    /* known times: the end must be after the start */
    if (dd_op_of(fl->m->dag, p->length) == DD_OP_NUM && !(p->length_value > 0) && number_of(fl, p->start, &start) &&
        number_of(fl, dd_add(fl->m->dag, p->start, p->length), &value)) {
        dd_error(fl->ctx, span, "%s.finalTime (%s) must lie after %s.startTime (%s)", p->in->path,
                 dd_number_text(value, a), p->in->path, dd_number_text(start, b));
        return false;
    }
    /* no values of the free times make its duration positive */
    if (!(most > 0)) {
        dd_error(fl->ctx, span,
                 "the phase %s would have no duration: within the bounds of the free times its end lies at most %s "
                 "after its start",
                 p->in->path, dd_number_text(most, a));
        return false;
    }
    /* the bounds allow a negative one: a constraint excludes it */
    if (least < 0) { /* durations are not negative */
        dd_constraint c = {.lhs = p->length,
                           .rhs = dd_num(fl->m->dag, 0),
                           .relation = DD_CONSTRAINT_GE,
                           .lhs_form = DD_FORM_NONE,
                           .rhs_form = DD_FORM_NONE,
                           .span = span};
        dd_vec_push(fl->m->pool, &fl->m->optimization->constraints, c);
    }
    return true;
}

/* The values where the search begins: a phase that would begin with no duration has a second. */
static bool settle_values(dd_flattener *fl, dd_flat_phase *p)
{
    double final;
    /* start first, since a guess of the end is made from it */
    dd_expr end = dd_add(fl->m->dag, p->start, p->length);
    if (!number_of(fl, p->start, &p->start_value)) {
        dd_error(fl->ctx, time_span(fl, p->start_var), "the start of the phase %s has no value", p->in->path);
        return false;
    }
    dd_flat_guess_final_time(fl, p->final_var, p->start_value);
    if (!number_of(fl, end, &final)) {
        dd_error(fl->ctx, time_span(fl, p->final_var), "the end of the phase %s has no value", p->in->path);
        return false;
    }
    p->length_value = final - p->start_value;
    fl->m->vars.data[p->start_var].value = p->start_value;
    fl->m->vars.data[p->final_var].value = final;
    return true;
}

bool dd_phases_times(dd_flattener *fl)
{
    bool ok = true;
    /* times of all phases before any values: they may refer to each other */
    for (uint32_t i = 0; i < fl->phases->list.len && ok; i++) {
        dd_flat_phase *p = &fl->phases->list.data[i];
        p->start = known_part(fl, dd_param(fl->m->dag, p->start_var));
        dd_expr final = known_part(fl, dd_param(fl->m->dag, p->final_var));
        p->length = dd_sub(fl->m->dag, final, p->start);
    }
    for (uint32_t i = 0; i < fl->phases->list.len && ok; i++) {
        ok = settle_values(fl, &fl->phases->list.data[i]) && check_length(fl, &fl->phases->list.data[i]);
    }
    return ok;
}

/* ---- instants ---- */

static double part_at(dd_flattener *fl, dd_expr since, const dd_flat_phase *p)
{
    /* a = since, b = length; their quotient is the part of the phase */
    double a = NAN, b = NAN;
    return number_of(fl, since, &a) && number_of(fl, p->length, &b) ? a / b : NAN;
}

/* Is it the same part of the phase whatever the free times are? Each is moved a little. */
static bool same_part(dd_flattener *fl, dd_expr since, const dd_flat_phase *p, double part)
{
    dd_expr_vec symbols = {0};
    bool same = true;
    /* every parameter in either expression is moved; a part of the phase stays where it is */
    dd_symbols(fl->m->dag, dd_add(fl->m->dag, since, dd_mul(fl->m->dag, dd_time(fl->m->dag), p->length)), true,
               &symbols, fl->pool);
    for (uint32_t i = 0; i < symbols.len && same; i++) {
        if (dd_op_of(fl->m->dag, symbols.data[i]) != DD_OP_PARAM) {
            continue;
        }
        dd_variable *v = &fl->m->vars.data[dd_symbol_id(fl->m->dag, symbols.data[i])];
        double before = v->value;
        v->value = before + SHIFT_RELATIVE * fabs(p->length_value) + SHIFT_ABSOLUTE;
        double other = part_at(fl, since, p);
        v->value = before;
        same = fabs(other - part) < SAME;
    }
    dd_vec_free(fl->pool, &symbols);
    return same;
}

static double part_of(dd_flattener *fl, const dd_point *point, const dd_flat_phase *p)
{
    dd_expr time = known_part(fl, point->time), since = dd_sub(fl->m->dag, time, p->start);
    const char *name = dd_model_var_name_dup(fl->m, point->var, fl->pool);
    dd_span span = time_span(fl, point->var);
    /* the start and the end are recognised symbolically, without rounding */
    if (dd_is_num(fl->m->dag, since, 0)) {
        return 0;
    }
    if (since == p->length) {
        return 1;
    }
    /* anything else by its number: inside the phase, and the same part whatever the free times are */
    double part = part_at(fl, since, p);
    if (!isfinite(part) || part < -SAME || part > 1 + SAME) {
        double t;
        char a[32], b[32];
        if (number_of(fl, time, &t)) {
            dd_error(fl->ctx, span, "%s is a value outside the phase %s, which runs from %s to %s", name, p->in->path,
                     dd_number_text(p->start_value, a), dd_number_text(p->start_value + p->length_value, b));
        }
        return NAN;
    }
    if (!same_part(fl, since, p, part)) {
        dd_error(fl->ctx, span,
                 "%s is a value at a time in seconds, but the times of the phase %s are free: write the time as a "
                 "part of it, %s.startTime + c*(%s.finalTime - %s.startTime)",
                 name, p->in->path, p->in->path, p->in->path, p->in->path);
        return NAN;
    }
    return fmin(fmax(part, 0), 1);
}

void dd_phases_points(dd_flattener *fl)
{
    dd_optimization *o = fl->m->optimization;
    for (uint32_t i = 0; i < o->points.len; i++) {
        dd_point *point = &o->points.data[i];
        /* the instant belongs to the phase of its variable */
        uint32_t phase = point->of < fl->phases->of.len ? fl->phases->of.data[point->of] : 0;
        if (phase == 0) {
            dd_error(fl->ctx, time_span(fl, point->var), "%s belongs to no phase",
                     dd_model_var_name_dup(fl->m, point->of, fl->pool));
            continue;
        }
        double part = part_of(fl, point, dd_phase_get(fl, phase));
        point->time = dd_num(fl->m->dag, isfinite(part) ? part : 0);
    }
}
