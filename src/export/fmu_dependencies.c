/* fmu_dependencies.c - which x, u and p every variable and every derivative of x depends on, by structure.
 *
 *   unknowns x' and z: each has the row that a matching gives it; it depends on what that row contains, and on what the
 *   other unknowns of the row depend on, and so on. x itself is taken to the nearest point of the invariants first, so
 *   with one x come all x, u and p of the invariants that are connected with it. */
#include <string.h>

#include "export/fmu_impl.h"
#include "graph/match.h"

typedef struct finder {
    dd_fmu *f;
    dd_export *x;
    uint32_t knowns;   /* x, u, p */
    dd_map unknown;    /* symbol -> 1 + place among x' (n places, those of z unused) and then w */
    dd_map known;      /* symbol -> 1 + place among u and p, behind x */
    uint8_t *of_state; /* nx * knowns: what comes with x_j */
    uint8_t *of;       /* n * knowns: of x'_j or z_j */
} finder;

static bool merge(uint8_t *to, const uint8_t *from, uint32_t n)
{
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        changed = changed || (from[i] && !to[i]);
        to[i] |= from[i];
    }
    return changed;
}

static void number_symbols(finder *d)
{
    dd_export *x = d->x;
    d->unknown = dd_map_new(x->pool);
    d->known = dd_map_new(x->pool);
    for (uint32_t j = 0; j < x->n; j++) {
        dd_map_put(&d->unknown, x->v.data[j], 1 + j);
        dd_map_put(&d->unknown, x->w.data[j].symbol, 1 + x->n + j);
    }
    for (uint32_t i = 0; i < x->u.len; i++) {
        dd_map_put(&d->known, x->u.data[i].symbol, 1 + x->nx + i);
    }
    for (uint32_t i = 0; i < x->p.len; i++) {
        dd_map_put(&d->known, x->p.data[i].symbol, 1 + x->nx + x->u.len + i);
    }
}

/* A parameter that follows from others stands for them. */
static void add_known(finder *d, uint32_t place, uint8_t *set)
{
    dd_export *x = d->x;
    const uint32_t first = x->nx + x->u.len;
    const dd_expr formula = place >= first ? x->p.data[place - first].formula : DD_EXPR_NONE;
    set[place] = 1;
    if (formula != DD_EXPR_NONE) {
        dd_expr_vec symbols = {0};
        dd_symbols(x->system->model->dag, formula, true, &symbols, x->pool);
        for (uint32_t i = 0; i < symbols.len; i++) {
            const uint32_t at = dd_map_get(&d->known, symbols.data[i]);
            if (at > 0) {
                set[at - 1] = 1;
            }
        }
        dd_vec_free(x->pool, &symbols);
    }
}

/* Adds to set what the symbols of e depend on; others: with the unknowns x' and z as far as they are known now. */
static bool add_symbols(finder *d, dd_expr e, uint8_t *set, bool others)
{
    dd_export *x = d->x;
    dd_expr_vec symbols = {0};
    bool changed = false;
    dd_symbols(x->system->model->dag, e, true, &symbols, x->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t known = dd_map_get(&d->known, symbols.data[i]);
        const uint32_t at = dd_map_get(&d->unknown, symbols.data[i]);
        if (known > 0 && !set[known - 1]) {
            add_known(d, known - 1, set);
            changed = true;
        }
        if (at > x->n && at - 1 - x->n < x->nx) {
            changed = merge(set, d->of_state + (size_t)(at - 1 - x->n) * d->knowns, d->knowns) || changed;
        } else if (at > 0 && others) {
            const uint32_t j = at > x->n ? at - 1 - x->n : at - 1;
            changed = merge(set, d->of + (size_t)j * d->knowns, d->knowns) || changed;
        }
    }
    dd_vec_free(x->pool, &symbols);
    return changed;
}

/* x_j comes with all that shares invariants with it. */
static void spread_invariants(finder *d)
{
    dd_export *x = d->x;
    bool changed = true;
    for (uint32_t j = 0; j < x->nx; j++) {
        d->of_state[(size_t)j * d->knowns + j] = 1;
    }
    uint8_t *all = dd_pool_alloc_array(x->pool, d->knowns + 1, 1);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < x->q->invariant_values.len; i++) {
            memset(all, 0, d->knowns);
            add_symbols(d, x->q->invariant_values.data[i], all, false);
            dd_expr_vec symbols = {0};
            dd_symbols(x->system->model->dag, x->q->invariant_values.data[i], false, &symbols, x->pool);
            for (uint32_t k = 0; k < symbols.len; k++) {
                const uint32_t at = dd_map_get(&d->unknown, symbols.data[k]);
                if (at > x->n && at - 1 - x->n < x->nx) {
                    changed = merge(d->of_state + (size_t)(at - 1 - x->n) * d->knowns, all, d->knowns) || changed;
                }
            }
            dd_vec_free(x->pool, &symbols);
        }
    }
}

/* Rows matched with x' and z; col_match[j] is the row of unknown j. */
static uint32_t *match_rows(finder *d)
{
    dd_export *x = d->x;
    const uint32_t n = x->n;
    dd_index_vec idx = {0};
    uint32_t *ptr = dd_pool_alloc_array(x->pool, n + 1, sizeof *ptr), size = 0;
    uint32_t *row = dd_pool_alloc_array(x->pool, n + 1, sizeof *row),
             *col = dd_pool_alloc_array(x->pool, n + 1, sizeof *col);
    for (uint32_t i = 0; i < n; i++) {
        dd_expr_vec symbols = {0};
        dd_symbols(x->system->model->dag, x->q->row_values.data[i], false, &symbols, x->pool);
        for (uint32_t k = 0; k < symbols.len; k++) {
            const uint32_t at = dd_map_get(&d->unknown, symbols.data[k]);
            if (at > 0 && (at <= n || at - 1 - n >= x->nx)) {
                dd_vec_push(x->pool, &idx, at > n ? at - 1 - n : at - 1);
            }
        }
        dd_vec_free(x->pool, &symbols);
        ptr[i + 1] = idx.len;
    }
    const dd_pattern a = {n, n, ptr, idx.data};
    dd_system_must(x->system, dd_graph_match(&size, x->ctx, &a, NULL, false, row, col), "exporting");
    return col;
}

void dd_fmu_find_dependencies(dd_fmu *f)
{
    dd_export *x = f->x;
    finder d = {.f = f, .x = x, .knowns = x->nx + x->u.len + x->p.len};
    d.of_state = dd_pool_alloc_array(x->pool, (size_t)x->nx * d.knowns + 1, 1);
    d.of = dd_pool_alloc_array(x->pool, (size_t)x->n * d.knowns + 1, 1);
    number_symbols(&d);
    spread_invariants(&d);
    const uint32_t *row = match_rows(&d);
    /* until nothing changes: at most as many rounds as unknowns wait for each other */
    for (bool changed = true; changed;) {
        changed = false;
        dd_check_stop(x->ctx);
        for (uint32_t j = 0; j < x->n; j++) {
            if (row[j] != DD_NO_INDEX) {
                changed = add_symbols(&d, x->q->row_values.data[row[j]], d.of + (size_t)j * d.knowns, true) || changed;
            }
        }
    }
    f->knowns = d.knowns;
    f->depends = dd_pool_alloc_array(x->pool, (size_t)(x->y.len + x->nx) * d.knowns + 1, 1);
    for (uint32_t i = 0; i < x->y.len; i++) {
        add_symbols(&d, x->q->output_values.data[i], f->depends + (size_t)i * d.knowns, true);
    }
    if (x->nx > 0) {
        memcpy(f->depends + (size_t)x->y.len * d.knowns, d.of, (size_t)x->nx * d.knowns);
    }
}
