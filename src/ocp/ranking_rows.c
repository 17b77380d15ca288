/* ranking_rows.c - which rows can be ranked, and the states, parameters and times they are functions of. */
#include "ocp/compiled.h"
#include "ocp/ranking.h"

#define MOST_ENTRIES 1000000 /* of the Jacobian: beyond it nothing is ranked */

static bool is_input(const dd_ranking *k, dd_expr s)
{
    bool known = false;
    for (uint32_t j = 0; j < k->inputs.len && !known; j++) {
        known = k->inputs.data[j] == s;
    }
    return known;
}

static bool only_inputs(const dd_ranking *k, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool ok = true;
    dd_symbols(k->o->dag, e, true, &symbols, k->pool);
    /* parameters of the model are numbers; symbols of instants and decided parameters must be among the inputs */
    for (uint32_t i = 0; i < symbols.len && ok; i++) {
        dd_expr s = symbols.data[i];
        bool constant = dd_op_of(k->o->dag, s) == DD_OP_PARAM && dd_symbol_id(k->o->dag, s) < k->o->model->vars.len;
        ok = constant || is_input(k, s);
    }
    dd_vec_free(k->pool, &symbols);
    return ok;
}

static bool can_be_ranked(const dd_ocp_row *row)
{
    return row->lower == row->upper && !row->invariant && !row->branch && !row->repeated;
}

static bool depends_on_any(dd_ocp_problem *o, const dd_expr_vec *symbols, const dd_expr_vec *list)
{
    (void)o;
    bool found = false;
    for (uint32_t i = 0; i < symbols->len && !found; i++) {
        for (uint32_t j = 0; j < list->len && !found; j++) {
            found = symbols->data[i] == list->data[j];
        }
    }
    return found;
}

/* Instants whose states occur in rows that can be ranked: others say nothing. */
static void list_instants(dd_ranking *k, uint32_t first, uint32_t last)
{
    dd_ocp_problem *o = k->o;
    /* states at instants without a ranked row would be columns of zeros */
    bool *used = dd_pool_alloc_array(k->pool, o->instants.len + 1, sizeof *used);
    for (uint32_t i = first; i < last; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        dd_expr_vec symbols = {0};
        if (can_be_ranked(row)) {
            dd_symbols(o->dag, row->e, true, &symbols, k->pool);
            for (uint32_t t = 0; t < o->instants.len; t++) {
                used[t] = used[t] || depends_on_any(o, &symbols, &o->instants.data[t].x);
            }
            dd_vec_free(k->pool, &symbols);
        }
    }
    for (uint32_t t = 0; t < o->instants.len; t++) {
        if (used[t]) {
            dd_vec_push(k->pool, &k->instants, t);
        }
    }
}

static void list_inputs(dd_ranking *k)
{
    dd_ocp_problem *o = k->o;
    /* states at the instants, then parameters, then both ends of the horizon */
    for (uint32_t i = 0; i < k->instants.len; i++) {
        for (uint32_t j = 0; j < o->x.len; j++) {
            dd_vec_push(k->pool, &k->inputs, o->instants.data[k->instants.data[i]].x.data[j]);
        }
    }
    k->n_states = k->inputs.len;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_vec_push(k->pool, &k->inputs, o->p.data[i].symbol);
    }
    dd_vec_push(k->pool, &k->inputs, o->t0);
    dd_vec_push(k->pool, &k->inputs, o->tf);
}

/* The time of an instant is t0 + theta (tf - t0): where these are free it moves with them. */
static dd_expr put_times(void *user, dd_expr symbol)
{
    dd_ocp_problem *o = user;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        const dd_instant *at = &o->instants.data[i];
        if (symbol == at->time) {
            dd_expr part = dd_mul(o->dag, dd_num(o->dag, at->theta), dd_sub(o->dag, o->tf, o->t0));
            return at->theta == 0 ? o->t0 : at->theta == 1 ? o->tf : dd_add(o->dag, o->t0, part);
        }
    }
    return DD_EXPR_NONE;
}

static dd_expr in_times(dd_ocp_problem *o, dd_expr e)
{
    return dd_substitute(o->dag, e, put_times, o);
}

static void list_outputs(dd_ranking *k, uint32_t first, uint32_t last, bool invariants)
{
    dd_ocp_problem *o = k->o;
    /* invariants of the reduced system hold at all times, so they hold at every instant: they come first and are
     * kept first */
    for (uint32_t i = 0; i < k->instants.len && invariants; i++) {
        for (uint32_t c = 0; c < o->equations->invariants.len; c++) {
            dd_expr resolved = dd_ocp_resolve(o, o->equations->invariants.data[c]);
            dd_expr e = in_times(o, dd_ocp_at(o, k->instants.data[i], resolved));
            if (only_inputs(k, e)) {
                dd_vec_push(k->pool, &k->outputs, e);
                dd_vec_push(k->pool, &k->invariant_of, c);
            }
        }
    }
    /* equations at points, as residuals */
    for (uint32_t i = first; i < last; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        dd_expr e = can_be_ranked(row) ? in_times(o, row->e) : DD_EXPR_NONE;
        if (e != DD_EXPR_NONE && only_inputs(k, e)) {
            dd_vec_push(k->pool, &k->rows, i);
            dd_vec_push(k->pool, &k->outputs, dd_sub(o->dag, e, dd_num(o->dag, row->lower)));
        }
    }
}

dd_ranking *dd_ranking_new(dd_ocp_problem *o, uint32_t first, uint32_t last, bool invariants, dd_pool *parent)
{
    dd_pool *pool = dd_pool_child(parent);
    dd_ranking *k = dd_pool_alloc(pool, sizeof *k);
    *k = (dd_ranking){.o = o, .pool = pool};
    /* rows, and their variables */
    list_instants(k, first, last);
    list_inputs(k);
    list_outputs(k, first, last, invariants);
    uint32_t m = k->outputs.len, n = k->inputs.len;
    /* nothing to compare, or too large for dense algebra */
    if (k->rows.len == 0 || (size_t)m * n > MOST_ENTRIES) {
        dd_pool_free(pool);
        return NULL;
    }
    /* one block of numbers for all steps: values v, residuals r, Jacobian and its orthogonal basis q */
    k->fixed = dd_pool_alloc_array(pool, n + 1, sizeof *k->fixed);
    k->kept = dd_pool_alloc_array(pool, m + 1, sizeof *k->kept);
    k->v = dd_pool_alloc_array(pool, n + 1, sizeof *k->v);
    k->scale = dd_pool_alloc_array(pool, n + 1, sizeof *k->scale);
    k->size = dd_pool_alloc_array(pool, m + 1, sizeof *k->size);
    k->r = dd_pool_alloc_array(pool, m + 1, sizeof *k->r);
    k->jac = dd_pool_alloc_array(pool, (size_t)m * n + 1, sizeof *k->jac);
    k->unit = dd_pool_alloc_array(pool, (size_t)m * n + 1, sizeof *k->unit);
    k->q = dd_pool_alloc_array(pool, (size_t)m * n + 1, sizeof *k->q);
    /* exact derivatives: ranks by differences would be noise */
    k->derivative = dd_jacobian_new(pool, o->dag, k->outputs.data, m, k->inputs.data, n);
    k->entries = dd_pool_alloc_array(pool, k->derivative->ptr[n] + 1, sizeof *k->entries);
    k->values = dd_ocp_compile(o, k->inputs.data, n, k->outputs.data, m, pool);
    k->first = dd_ocp_compile(o, k->inputs.data, n, k->derivative->entries, k->derivative->ptr[n], pool);
    return k;
}

void dd_ranking_free(dd_ranking *k)
{
    if (k != NULL) {
        dd_pool_free(k->pool);
    }
}
