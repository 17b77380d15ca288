/* truth.c - relations that hold along the exact solution, "x = cos(time)": what is left of them is the error. They are
 * read in the scope of the model, so that arrays and parameters may occur. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "eval/tape.h"
#include "lang/lang.h"
#include "study/study_impl.h"

struct dd_truth {
    const dd_groups *groups;
    dd_expr_vec rows;
    uint32_t *group; /* per row */
    dd_tape *tape;   /* rows as functions of `symbols` */
    dd_expr_vec symbols;
    uint32_t *column; /* per symbol: its place among the values; DD_NO_INDEX: a number that does not change */
    double *in, *out;
    uint32_t time; /* the symbol that is time; DD_NO_INDEX: none */
    double objective;
};

_Noreturn static void refuse(dd_study *study, const char *text, const char *why)
{
    dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s \"%s\": %s", dd_option_word(study->ctx, "--exact"), text, why);
}

/* "objective = NUMBER" belongs to no variable. */
static bool read_objective(dd_truth *e, const char *text)
{
    const char *word = "objective", *at = text, *end;
    at += strspn(at, " ");
    if (strncmp(at, word, strlen(word)) != 0) {
        return false;
    }
    at += strlen(word);
    at += strspn(at, " ");
    if (*at != '=') {
        return false;
    }
    e->objective = dd_number_parse(at + 1 + strspn(at + 1, " "), &end);
    return end != at + 1 && end[strspn(end, " ")] == '\0' && isfinite(e->objective);
}

static void read_relation(dd_study *study, dd_truth *e, const char *text)
{
    dd_expr *rows;
    uint32_t count;
    if (read_objective(e, text)) {
        return;
    }
    if (!strchr(text, '=')) {
        refuse(study, text, "expected NAME = EXPRESSION");
    }
    const char *option = dd_pool_printf(study->pool, "option %s", dd_option_word(study->ctx, "--exact"));
    if (!dd_lang_read_relation(study->system->model, study->pool, option, text, &rows, &count)) {
        refuse(study, text, "it cannot be read");
    }
    /* in the unknowns of the first-order form, whose values a run has */
    for (uint32_t i = 0; i < count; i++) {
        dd_vec_push(study->pool, &e->rows, dd_system_lower(study->system, rows[i]));
    }
}

/* Where the value of a symbol comes from. False: from nowhere. */
static bool find_source(const dd_study *study, dd_truth *e, uint32_t i)
{
    const dd_system *s = study->system;
    const dd_dag *dag = s->model->dag;
    const dd_expr symbol = e->symbols.data[i];
    e->column[i] = DD_NO_INDEX;
    switch (dd_op_of(dag, symbol)) {
    case DD_OP_TIME:
        e->time = i;
        return true;
    case DD_OP_PARAM:
        e->in[i] = s->parameter[dd_symbol_id(dag, symbol)];
        return true;
    default:
        e->column[i] = dd_symbol_order(dag, symbol) == 0 ? study->value_of[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
        return e->column[i] != DD_NO_INDEX;
    }
}

static void compile(dd_study *study, dd_truth *e)
{
    dd_pool *pool = study->pool;
    dd_dag *dag = study->system->model->dag;
    dd_expr_vec all = {0};
    /* every symbol once */
    for (uint32_t i = 0; i < e->rows.len; i++) {
        dd_symbols(dag, e->rows.data[i], true, &all, pool);
    }
    for (uint32_t i = 0; i < all.len; i++) {
        bool known = false;
        for (uint32_t k = 0; k < e->symbols.len && !known; k++) {
            known = e->symbols.data[k] == all.data[i];
        }
        if (!known) {
            dd_vec_push(pool, &e->symbols, all.data[i]);
        }
    }
    e->column = dd_pool_alloc_array(pool, e->symbols.len + 1, sizeof *e->column);
    e->in = dd_pool_alloc_array(pool, e->symbols.len + 1, sizeof(double));
    e->out = dd_pool_alloc_array(pool, e->rows.len + 1, sizeof(double));
    for (uint32_t i = 0; i < e->symbols.len; i++) {
        if (!find_source(study, e, i)) {
            refuse(study, study->options.exact[0],
                   "it may contain variables, parameters and time, but no inputs from a "
                   "table and no derivatives that are not variables");
        }
    }
    e->tape = dd_tape_new(pool, dag, e->symbols.data, e->symbols.len, e->rows.data, e->rows.len);
}

/* A relation belongs to the least accurate of its variables. */
static uint32_t group_of_row(const dd_study *study, const dd_truth *e, dd_expr row)
{
    const dd_system *s = study->system;
    dd_expr_vec symbols = {0};
    uint32_t group = 0;
    dd_symbols(s->model->dag, row, false, &symbols, study->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t of = e->groups->of[study->value_of[dd_symbol_id(s->model->dag, symbols.data[i])]];
        group = of != UINT32_MAX && of > group ? of : group; /* groups are in the order of their accuracy */
    }
    return group;
}

dd_truth *dd_truth_new(dd_study *study, const dd_groups *groups)
{
    if (study->options.n_exact == 0) {
        return NULL;
    }
    dd_truth *e = dd_pool_alloc(study->pool, sizeof *e);
    *e = (dd_truth){.groups = groups, .time = DD_NO_INDEX, .objective = NAN};
    for (uint32_t i = 0; i < study->options.n_exact; i++) {
        read_relation(study, e, study->options.exact[i]);
    }
    compile(study, e);
    e->group = dd_pool_alloc_array(study->pool, e->rows.len + 1, sizeof *e->group);
    for (uint32_t i = 0; i < e->rows.len; i++) {
        e->group[i] = group_of_row(study, e, e->rows.data[i]);
    }
    return e;
}

void dd_truth_look(dd_truth *e, double t, const double *values, double *error, double *scale)
{
    for (uint32_t i = 0; i < e->symbols.len; i++) {
        if (i == e->time) {
            e->in[i] = t;
        } else if (e->column[i] != DD_NO_INDEX) {
            e->in[i] = values[e->column[i]];
        }
    }
    dd_tape_eval(e->tape, e->in, e->out);
    /* the largest residual; one that is not a number counts as infinite */
    for (uint32_t i = 0; i < e->rows.len; i++) {
        const uint32_t g = e->group[i];
        const double residual = fabs(e->out[i]);
        error[g] = isnan(residual) ? INFINITY : fmax(error[g], residual);
    }
    for (uint32_t i = 0; i < e->symbols.len; i++) {
        const uint32_t g = e->column[i] != DD_NO_INDEX ? e->groups->of[e->column[i]] : UINT32_MAX;
        if (g != UINT32_MAX) {
            scale[g] = fmax(scale[g], fabs(e->in[i]));
        }
    }
}

bool dd_truth_covers(const dd_truth *e, uint32_t group)
{
    for (uint32_t i = 0; i < e->rows.len; i++) {
        if (e->group[i] == group) {
            return true;
        }
    }
    return false;
}

double dd_truth_objective(const dd_truth *e)
{
    return e ? e->objective : NAN;
}
