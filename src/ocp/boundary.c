/* boundary.c - conditions of the start and consistency as rows; which rows at the boundary are left out, and the
 * words for it. The ranks are ranking.c's. */
#include "ocp/boundary_impl.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "structure/report.h"

#define ATTEMPTS 8           /* searches for a point on all rows */
#define CONTRADICTION 1e-6   /* residual of a dependent row, relative, above which it cannot hold */
#define TAKES_PART 1e-5      /* share of a unit gradient from which on a row is named */
#define CONFLICTS 0.02       /* the same of rows without a common point: gradients are those of a compromise */
#define POOR 1e-3            /* quality of the rows in use below which others are looked for at the solution */
#define BETTER 3             /* and this many times better they must be */
#define SAME_DIRECTION 1e-12 /* of a unit gradient: rounding */
#define NO_SIZE 1e-9         /* a value below says nothing about the size of a row */
#define NO_SIGN 1e-3         /* of its expected size: a start so close to zero may change its side */

/* ---- words ---- */

const char *dd_ocp_invariant_words(dd_ocp_problem *o, uint32_t which)
{
    static const char *const times[] = {"", "", "second ", "third ", "fourth "};
    const dd_eq *eq = &o->system->eqs.data[o->equations->invariant_eq.data[which]];
    uint32_t level = o->equations->invariant_level.data[which];
    dd_text text = dd_text_new(o->pool), formula = dd_text_new(o->pool);
    /* in the user's time where phases scale it, without common factors */
    dd_expr e = dd_report_in_phase_time(o->system, o->equations->invariants.data[which], level, o->pool);
    e = dd_system_divide_content(o->system, e);
    dd_model_print_residual(o->model, e, &formula);
    if (level > 0) {
        dd_text_printf(&text, "the %sderivative of ", level < 5 ? times[level] : "higher ");
    }
    /* a combined row has no text in the model: only its formula */
    if (eq->converted) {
        dd_text_printf(&text, "%s", level > 0 ? "a combination of equations: " : dd_text_str(&formula));
    } else {
        dd_model_print_row(o->model, eq->row, &text);
        dd_text_add(&text, level > 0 ? ": " : "");
    }
    dd_text_add(&text, level > 0 ? dd_text_str(&formula) : "");
    return dd_text_str(&text);
}

const char *dd_boundary_output_words(dd_ranking *k, uint32_t output)
{
    dd_ocp_problem *o = k->o;
    return output < k->invariant_of.len ? dd_ocp_invariant_words(o, k->invariant_of.data[output])
                                        : o->points.data[k->rows.data[output - k->invariant_of.len]].name;
}

void dd_boundary_add_name(dd_string_vec *names, const char *name, dd_pool *pool)
{
    for (uint32_t i = 0; i < names->len; i++) {
        if (strcmp(names->data[i], name) == 0) {
            return;
        }
    }
    dd_vec_push(pool, names, name);
}

const char *dd_boundary_join(const dd_string_vec *names, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    /* long lists are cut; one more than the limit is shown instead of "and 1 more" */
    uint32_t shown = names->len > DD_BOUNDARY_NAMED + 1 ? DD_BOUNDARY_NAMED : names->len;
    for (uint32_t i = 0; i < shown; i++) {
        bool last = i + 1 == names->len;
        dd_text_add(&text, i == 0 ? "" : last ? " and " : ", ");
        dd_text_add(&text, names->data[i]);
    }
    if (shown < names->len) {
        dd_text_printf(&text, " and %u more", names->len - shown);
    }
    return dd_text_str(&text);
}

static bool depends_on_states(const dd_ranking *k, uint32_t output)
{
    bool depends = false;
    /* columns of states come first in the pattern */
    for (uint32_t e = 0; e < k->derivative->ptr[k->n_states] && !depends; e++) {
        depends = k->derivative->idx[e] == output;
    }
    return depends;
}

/* Is a row made of numbers alone? So is a position that no motion of a mechanism changes. */
static bool is_constant(const dd_ranking *k, uint32_t output)
{
    const dd_ocp_row *row = &k->o->points.data[k->rows.data[output - k->invariant_of.len]];
    dd_expr_vec symbols = {0};
    dd_symbols(k->o->model->dag, row->e, false, &symbols, k->pool);
    return symbols.len == 0;
}

/* The source of a row in times alone, or its contradiction, when they are not free. */
static const char *given_times(dd_ocp_problem *o)
{
    const char *start = dd_pool_printf(o->pool, "startTime = %g", o->t0_value);
    const char *end = dd_pool_printf(o->pool, "finalTime = %g", o->tf_value);
    return o->free_t0 && o->free_tf ? "parameters that are given"
           : o->free_t0             ? end
           : o->free_tf             ? start
                                    : dd_pool_printf(o->pool, "%s and %s", start, end);
}

/* The parts of the gradient of a row, in the user's words: invariants first. */
static const char *parts_above(dd_ranking *k, uint32_t output, double share)
{
    dd_ocp_problem *o = k->o;
    dd_string_vec names = {0};
    double *factor = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *factor);
    /* grad of the row = sum of factors times unit gradients of the kept rows */
    dd_ranking_combination(k, output, factor);
    for (uint32_t i = 0; i < k->outputs.len; i++) {
        if (fabs(factor[i]) > share) {
            dd_boundary_add_name(&names, dd_boundary_output_words(k, i), o->pool);
        }
    }
    /* no row takes part: then fixed times or the start determine the row */
    return names.len > 0                  ? dd_boundary_join(&names, o->pool)
           : depends_on_states(k, output) ? (o->start_known ? "the start values" : "nothing that can be changed")
           : is_constant(k, output)       ? "the equations of the model, in which it is constant"
                                          : given_times(o);
}

const char *dd_boundary_parts_of(dd_ranking *k, uint32_t output)
{
    return parts_above(k, output, TAKES_PART);
}

/* ---- rows of the start ---- */

static void add_point_row(dd_ocp_problem *o, dd_expr e, const char *name, dd_span span, double value, bool invariant)
{
    dd_ocp_row row = {.e = e, .name = name, .span = span, .value = fabs(value), .invariant = invariant};
    dd_vec_push(o->pool, &o->points, row);
}

/* x = 1 for fixed start values, and the initial equations. */
static void add_start_conditions(dd_ocp_problem *o)
{
    /* as in a simulation: start values that are fixed, then initial equations */
    for (uint32_t i = 0; i < o->system->declared; i++) {
        uint32_t var = o->system->unknown[i];
        const dd_variable *v = &o->model->vars.data[var];
        if (!v->fixed || v->kind != DD_KIND_VARIABLE) {
            continue;
        }
        dd_expr value = v->start != DD_EXPR_NONE ? v->start : dd_num(o->dag, v->start_value);
        dd_expr e = dd_sub(o->dag, dd_ocp_resolve(o, dd_model_symbol(o->model, var)), dd_ocp_resolve(o, value));
        const char *name = dd_pool_printf(o->pool, "%s = %g at the start",
                                          dd_model_var_name_dup(o->model, var, o->pool), v->start_value);
        add_point_row(o, dd_ocp_at(o, 0, e), name, o->model->arrays.data[v->array].span, v->start_value, false);
    }
    for (uint32_t i = 0; i < o->model->initial_rows.len; i++) {
        const dd_row *r = &o->model->initial_rows.data[i];
        dd_text name = dd_text_new(o->pool);
        dd_model_print_residual(o->model, r->residual, &name);
        dd_text_add(&name, " at the start");
        dd_expr e = dd_ocp_at(o, 0, dd_ocp_resolve(o, r->residual));
        add_point_row(o, e, dd_text_str(&name), o->model->initial_groups.data[r->group].span, 0, false);
    }
}

static void add_consistency(dd_ocp_problem *o, uint32_t instant)
{
    /* the invariants once, at the start or at the end: they hold everywhere if they hold somewhere */
    for (uint32_t c = 0; c < o->equations->invariants.len; c++) {
        const dd_eq *eq = &o->system->eqs.data[o->equations->invariant_eq.data[c]];
        dd_expr e = dd_ocp_at(o, instant, dd_ocp_resolve(o, o->equations->invariants.data[c]));
        dd_span span = o->model->groups.data[o->model->rows.data[eq->row].group].span;
        const char *name = dd_pool_printf(o->pool, "%s (imposed at the %s)", dd_ocp_invariant_words(o, c),
                                          instant == 0 ? "start" : "end");
        add_point_row(o, e, name, span, 0, true);
    }
}

/* ---- the branch of the start ---- */

/* The start in the model text: the consistent one where that is known, else the start values. */
static void written_start(void *user, double theta, double *x)
{
    const dd_ocp_problem *o = user;
    (void)theta;
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = o->x_start != NULL ? o->x_start[i] : o->x.data[i].start_value;
    }
}

static bool is_fixed_itself(const dd_ranking *k, uint32_t state)
{
    bool found = false;
    /* a unit gradient in one state only: x = number */
    for (uint32_t i = k->invariant_of.len; i < k->outputs.len && !found; i++) {
        found = fabs(fabs(k->unit[(size_t)i * k->inputs.len + state]) - 1) < SAME_DIRECTION;
    }
    return found;
}

static bool depends_on_parameters(const dd_ranking *k)
{
    bool depends = false;
    uint32_t t0 = k->n_states + k->o->p.len;
    /* decided inputs with entries in the Jacobian */
    for (uint32_t j = k->n_states; j < k->inputs.len; j++) {
        bool decided = j < t0 || (j == t0 ? k->o->free_t0 : k->o->free_tf);
        depends = depends || (decided && k->derivative->ptr[j + 1] > k->derivative->ptr[j]);
    }
    return depends;
}

static double written_size(const dd_ocp_problem *o, uint32_t state, double value)
{
    const dd_variable *v = &o->model->vars.data[o->x.data[state].var];
    double size = fabs(value);
    return v->has_nominal ? fmax(size, fabs(v->nominal_value)) : size > NO_SIZE ? size : o->x.data[state].scale;
}

/* low, high: values on other branches. Where parameters move the start, only its side is held. */
static void add_branch_guard(dd_ocp_problem *o, uint32_t state, double value, double low, double high, bool moves)
{
    /* a guard on a side only where there is another branch */
    double size = written_size(o, state, value);
    bool below = low<value - DD_OCP_GUARD * size, above = high> value + DD_OCP_GUARD * size;
    /* no other branch nearby, or a value so close to zero that its sign means nothing */
    if ((!below && !above) || (moves && fabs(value) < NO_SIGN * o->x.data[state].scale)) {
        return;
    }
    dd_ocp_row row = {.e = o->instants.data[0].x.data[state], .branch = true, .value = fabs(value), .guard_size = size};
    const char *var = dd_model_var_name_dup(o->model, o->x.data[state].var, o->pool);
    row.name = dd_pool_printf(o->pool, "the start of %s on the branch of %s = %.4g", var, var, value);
    row.span = o->model->arrays.data[o->model->vars.data[o->x.data[state].var].array].span;
    /* a start that moves with parameters keeps its sign; one that is fixed keeps a band */
    row.lower = !moves && below ? value - DD_OCP_GUARD * size : moves && value > 0 ? 0 : -INFINITY;
    row.upper = !moves && above ? value + DD_OCP_GUARD * size : moves && value < 0 ? 0 : INFINITY;
    dd_vec_push(o->pool, &o->points, row);
}

/* States that the conditions of the start determine only up to a branch (a pendulum may hang or stand) stay on
 * that of their start values: a minimum-time swing-up may not simply start upright. */
static void hold_branch(dd_ocp_problem *o, uint32_t first)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    dd_ranking *k = o->equations->invariants.len > 0 ? dd_ranking_new(o, first, o->points.len, true, scratch) : NULL;
    const dd_ranking_values start = {o, written_start};
    /* all conditions are about the start: the branch is that of the written values */
    if (k != NULL && k->instants.len == 1) {
        bool *varies = dd_pool_alloc_array(scratch, k->outputs.len + 1, sizeof *varies);
        bool *moves = dd_pool_alloc_array(scratch, k->inputs.len + 1, sizeof *moves);
        double *r = dd_pool_alloc_array(scratch, 2 * (size_t)k->outputs.len + 1, sizeof *r);
        double *low = dd_pool_alloc_array(scratch, 2 * (size_t)k->inputs.len + 1, sizeof *low);
        k->hold_parameters = true;
        /* states that do not move are determined; their other values are other branches */
        bool found = dd_ranking_find(k, &start, 1) < DD_RANKING_FOUND;
        dd_ranking_select(k);
        dd_ranking_varies(k, varies, moves);
        dd_ranking_branches(k, r, r + k->outputs.len, low, low + k->inputs.len);
        for (uint32_t j = 0; j < k->n_states && found; j++) {
            if (!moves[j] && !is_fixed_itself(k, j)) {
                add_branch_guard(o, j, k->v[j], low[j], low[k->inputs.len + j], depends_on_parameters(k));
            }
        }
    }
    dd_ranking_free(k);
    dd_pool_free(scratch);
}

/* ---- rows that are left out ---- */

/* max(nominal, |value|); nominal: the largest of those written for variables of the row. */
static double guard_size(const dd_ranking *k, uint32_t output, double value)
{
    const dd_ocp_problem *o = k->o;
    double nominal = 0;
    /* derivative times nominal: the effect of one nominal of a state on the row */
    for (uint32_t j = 0; j < k->n_states; j++) {
        const dd_variable *v = &o->model->vars.data[o->x.data[j % o->x.len].var];
        for (uint32_t e = k->derivative->ptr[j]; e < k->derivative->ptr[j + 1] && v->has_nominal; e++) {
            bool here = k->derivative->idx[e] == output;
            nominal = here ? fmax(nominal, fabs(k->entries[e] * v->nominal_value)) : nominal;
        }
    }
    double size = fmax(nominal, value);
    return size > NO_SIZE ? size : dd_ranking_size(k, output);
}

void dd_boundary_drop(dd_ranking *k, uint32_t output, const char *from)
{
    dd_ocp_problem *o = k->o;
    dd_ocp_row *row = &o->points.data[k->rows.data[output - k->invariant_of.len]];
    /* out of the program, but guarded: a quarter of its size on both sides */
    row->dropped = true;
    row->guard_size = guard_size(k, output, row->value);
    row->guard_lower = row->lower - DD_OCP_GUARD * row->guard_size;
    row->guard_upper = row->upper + DD_OCP_GUARD * row->guard_size;
    row->follows = dd_pool_printf(o->pool, "%s: follows from %s", row->name, from);
    dd_vec_push(o->pool, &o->redundant, row->follows);
}

static void contradict(dd_ranking *k, uint32_t output)
{
    dd_ocp_problem *o = k->o;
    const double off = fabs(k->at_best != NULL && k->at_best[output] != 0 ? k->at_best[output] : k->r[output]);
    const char *words = dd_pool_printf(o->pool, "%s contradicts %s: they cannot hold together (off by %.3g at best)",
                                       dd_boundary_output_words(k, output), parts_above(k, output, CONFLICTS), off);
    o->infeasible = true;
    o->reason = o->reason != NULL ? o->reason : words;
    dd_vec_push(o->pool, &o->contradictions, words);
}

/* ---- all of it ---- */

/* Guards are only for branches: a side on which the kept rows have no other solution needs none, and one there
 * would only obstruct the solver. */
static void open_guards(dd_ranking *k)
{
    uint32_t m = k->outputs.len;
    double *low = dd_pool_alloc_array(k->pool, m + 1, sizeof *low),
           *high = dd_pool_alloc_array(k->pool, m + 1, sizeof *high);
    /* values of dropped rows on other branches; where these lie inside the guard, nothing needs guarding */
    dd_ranking_branches(k, low, high, NULL, NULL);
    for (uint32_t i = k->invariant_of.len; i < m; i++) {
        dd_ocp_row *row = &k->o->points.data[k->rows.data[i - k->invariant_of.len]];
        if (row->dropped && low[i] > -DD_OCP_GUARD * row->guard_size) {
            row->guard_lower = -INFINITY;
        }
        if (row->dropped && high[i] < DD_OCP_GUARD * row->guard_size) {
            row->guard_upper = INFINITY;
        }
    }
}

static void judge_rows(dd_ranking *k)
{
    bool *varies = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *varies);
    bool *moves = dd_pool_alloc_array(k->pool, k->inputs.len + 1, sizeof *moves);
    /* at the common point: a kept row stays; a residual contradicts; a row that varies only touches; the rest
     * follows */
    dd_ranking_varies(k, varies, moves);
    for (uint32_t i = k->invariant_of.len; i < k->outputs.len; i++) {
        if (k->kept[i]) {
            continue;
        }
        double size = fmax(dd_ranking_size(k, i), k->o->points.data[k->rows.data[i - k->invariant_of.len]].value);
        if (!(fabs(k->r[i]) <= CONTRADICTION * size)) {
            contradict(k, i);
        } else if (varies[i]) {
            dd_ocp_touching_row(k, i);
        } else {
            dd_boundary_drop(k, i, dd_boundary_parts_of(k, i));
        }
    }
    open_guards(k);
}

void dd_ocp_close_guards(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->points.len; i++) {
        dd_ocp_row *row = &o->points.data[i];
        row->guard_lower = row->lower - DD_OCP_GUARD * row->guard_size;
        row->guard_upper = row->upper + DD_OCP_GUARD * row->guard_size;
    }
}

/* Do invariants hold at all instants? */
static bool on_manifold(const dd_ocp_problem *o, dd_consistency where)
{
    return o->start_known || where != DD_CONSISTENCY_NONE;
}

static void say_not_imposed(dd_ocp_problem *o)
{
    dd_string_vec names = {0};
    for (uint32_t c = 0; c < o->equations->invariants.len; c++) {
        dd_boundary_add_name(&names, dd_ocp_invariant_words(o, c), o->pool);
    }
    if (names.len > 0) {
        const char *words = dd_pool_printf(o->pool,
                                           "the start is not determined, and %s none imposes no constraint: "
                                           "nothing but the rows of the problem makes %s hold",
                                           dd_option_word(dd_pool_context(o->pool), "--consistency"),
                                           dd_boundary_join(&names, o->pool));
        dd_vec_push(o->pool, &o->messages, words);
    }
}

/* Not all rows can hold, and the point is a compromise, which violates rows that have no part in the conflict: a position
 * gives way a little for a speed that contradicts. Where all independent rows hold, only what contradicts them does not. */
static void meet_kept(dd_ranking *k)
{
    dd_pool *scratch = dd_pool_child(k->pool);
    const size_t n = k->inputs.len;
    double *compromise = dd_pool_alloc_array(scratch, n + 1, sizeof *compromise);
    memcpy(compromise, k->v, n * sizeof *compromise);
    double *at_best = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *at_best);
    memcpy(at_best, k->r, k->outputs.len * sizeof *at_best);
    k->at_best = at_best;
    bool met = true;
    /* which rows are independent may be others there */
    for (int times = 0; times < 2 && met; times++) {
        met = dd_ranking_project(k, true, scratch) < DD_RANKING_FOUND;
        if (!met) {
            memcpy(k->v, compromise, n * sizeof *compromise);
        }
        dd_ranking_evaluate(k);
        if (!met || times == 0) {
            dd_ranking_select(k);
        }
    }
    dd_pool_free(scratch);
}

void dd_ocp_boundary(dd_ocp_problem *o, const dd_ranking_values *guess, dd_consistency where)
{
    bool has_invariants = o->equations->invariants.len > 0;
    /* a start that is computed would impose the invariants at the start */
    if (has_invariants && where == DD_CONSISTENCY_END) { /* the start is then given by its conditions alone */
        o->start_known = false;
    }
    /* conditions of the start become rows; their branch and the invariants with them */
    if (!o->start_known) {
        uint32_t first = o->points.len;
        add_start_conditions(o);
        if (where != DD_CONSISTENCY_NONE) {
            hold_branch(o, first);
            add_consistency(o, where == DD_CONSISTENCY_END ? 1 : 0);
        } else {
            say_not_imposed(o);
        }
    }
    /* rank of all rows at one common point */
    dd_ranking *k = dd_ranking_new(o, 0, o->points.len, on_manifold(o, where), o->pool);
    if (k != NULL) {
        const double off = dd_ranking_find(k, guess, ATTEMPTS);
        dd_ranking_select(k);
        if (off > DD_RANKING_FOUND) {
            meet_kept(k);
        }
        judge_rows(k);
        dd_ranking_free(k);
    }
    dd_ocp_collect_constants(o);
}

/* A row that was dropped but does not follow at the solution. */
static bool wrongly_dropped(dd_ranking *k)
{
    bool wrong = false, *varies = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *varies);
    bool *moves = dd_pool_alloc_array(k->pool, k->inputs.len + 1, sizeof *moves);
    dd_ranking_varies(k, varies, moves);
    for (uint32_t i = 0; i < k->rows.len; i++) {
        uint32_t output = k->invariant_of.len + i;
        wrong = wrong || (k->o->points.data[k->rows.data[i]].dropped && varies[output]);
    }
    return wrong;
}

bool dd_ocp_boundary_again(dd_ocp_problem *o, const dd_ranking_values *solution, dd_consistency where)
{
    dd_ranking *k = o->redundant.len > 0 ? dd_ranking_new(o, 0, o->points.len, on_manifold(o, where), o->pool) : NULL;
    bool changed = false;
    /* at a solution the rank is that of the problem itself */
    if (k != NULL && dd_ranking_find(k, solution, 1) < DD_RANKING_FOUND) {
        double now = dd_ranking_quality_now(k);
        bool wrong = wrongly_dropped(k);
        dd_ranking_select(k);
        /* another choice when a dropped row does not follow, or when it is three times better conditioned */
        changed = wrong || (now < POOR && k->quality > BETTER * now);
        for (uint32_t i = 0; i < o->points.len && changed; i++) {
            o->points.data[i].dropped = o->points.data[i].repeated;
        }
        if (changed) {
            o->redundant.len = 0;
            o->traps.len = 0;
            judge_rows(k);
        }
    }
    dd_ranking_free(k);
    return changed;
}
