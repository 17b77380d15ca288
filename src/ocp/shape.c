/* shape.c - the places of variables from what they are, those of rows from the variables they meet. */
#include "ocp/shape.h"

#include <math.h>

#include "ocp/phases.h"
#include "ocp/shooting_impl.h"
#include "ocp/transcription_impl.h"

/* Variables that may be moved to the border because they meet others far away. The border is factored as a dense matrix
 * with a solve per variable; a program with more of them is no chain. */
#define MOST_MOVED 64

typedef struct layout {
    const dd_transcription *t;
    const dd_nlp *nlp;
    dd_pool *pool;
    uint32_t phases;    /* laid one after the other; 1: one chain, whatever is stacked in it */
    uint32_t *position; /* of each phase on the chain */
    uint32_t *variable, *row, *determines;
} layout;

/* ---- variables ---- */

/* The phase of a decision from 1; 0: none. */
static uint32_t phase_of(const layout *l, const dd_decision *d)
{
    const dd_optimization *opt = l->t->o->model->optimization;
    return d->var < opt->n_phase_of ? opt->phase_of[d->var] : 0;
}

/* The first interval of the phase that a decision belongs to. */
static uint32_t first_of(const layout *l, const dd_decision *d)
{
    return l->phases > 1 ? l->position[phase_of(l, d) - 1] * (l->t->mesh.n + 1) : 0;
}

static bool all_in_phases(const layout *l, const dd_decision_vec *list)
{
    bool all = true;
    for (uint32_t i = 0; i < list->len && all; i++) {
        all = phase_of(l, &list->data[i]) != 0;
    }
    return all;
}

/* Order of the phases on the chain: by the times at which they begin, as written where these are equal. */
static void order_phases(layout *l)
{
    uint32_t n = dd_ocp_phase_count(l->t->o);
    double *start = dd_pool_alloc_array(l->pool, n + 1, sizeof *start), end;
    l->position = dd_pool_alloc_array(l->pool, n + 1, sizeof *l->position);
    for (uint32_t i = 0; i < n; i++) {
        dd_ocp_phase_times(l->t->o, i, NULL, &start[i], &end);
        for (uint32_t other = 0; other < i; other++) {
            l->position[start[other] <= start[i] ? i : other]++;
        }
    }
}

static void place_list(const layout *l, const dd_decision_vec *list, uint32_t at, uint32_t place)
{
    for (uint32_t i = 0; i < list->len; i++) {
        l->variable[at + i] = place + 2 * first_of(l, &list->data[i]);
    }
}

static void place_interval(const layout *l, uint32_t k)
{
    const dd_ocp_problem *o = l->t->o;
    const dd_mesh *mesh = &l->t->mesh;
    bool polynomial = mesh->control == DD_CONTROL_POLYNOMIAL, last = k == mesh->n;
    place_list(l, &o->x, l->t->x_at[k], DD_PLACE_NODE(k));
    if (mesh->control == DD_CONTROL_LINEAR || (mesh->control == DD_CONTROL_CONSTANT && !last)) {
        place_list(l, &o->u, l->t->u_at[k], DD_PLACE_NODE(k));
    }
    /* polynomial controls: a value per stage of shooting, or one per collocation point, behind its x and z */
    for (uint32_t g = 0; polynomial && mesh->tableau != NULL && !last && g < mesh->substeps * mesh->tableau->stages;
         g++) {
        place_list(l, &o->u, l->t->u_at[k] + g * o->u.len, DD_PLACE_INSIDE(k));
    }
    for (uint32_t j = 1; !last && j <= mesh->degree[k]; j++) {
        uint32_t at = l->t->point_at[k * DD_DEGREE_MOST + j - 1];
        place_list(l, &o->x, at, DD_PLACE_INSIDE(k));
        place_list(l, &o->z, at + o->x.len, DD_PLACE_INSIDE(k));
        if (polynomial) {
            place_list(l, &o->u, at + o->x.len + o->z.len, DD_PLACE_INSIDE(k));
        }
    }
}

static void place_variables(const layout *l)
{
    const dd_shooting *s = l->t->shooting;
    for (uint32_t j = 0; j < l->nlp->n; j++) {
        l->variable[j] = DD_PLACE_BORDER;
    }
    for (uint32_t k = 0; k <= l->t->mesh.n; k++) {
        place_interval(l, k);
    }
    for (uint32_t i = 0; i < l->t->kinks.len; i++) {
        const dd_kink_variable *v = &l->t->kinks.data[i];
        const dd_decision *of = l->t->o->kinks.data[v->kink].of;
        if (v->interval != NONE && of != NULL) {
            l->variable[v->variable] = DD_PLACE_INSIDE(v->interval) + 2 * first_of(l, of);
        }
    }
    for (uint32_t i = 0; s != NULL && i < s->taps.len; i++) {
        const dd_tap *tap = &s->taps.data[i];
        if (tap->x_at != DD_NO_ROW) {
            place_list(l, &l->t->o->x, tap->x_at, DD_PLACE_INSIDE(tap->interval));
        }
        if (tap->z_at != DD_NO_ROW) {
            place_list(l, &l->t->o->z, tap->z_at, DD_PLACE_INSIDE(tap->interval));
        }
    }
}

/* ---- the Hessian ---- */

/* May variables of these places meet? */
static bool neighbours(uint32_t a, uint32_t b)
{
    uint32_t apart = a > b ? a - b : b - a;
    return a == DD_PLACE_BORDER || b == DD_PLACE_BORDER || apart <= 1 || (apart == 2 && a % 2 == 0);
}

static bool is_far(const layout *l, uint32_t entry)
{
    return !neighbours(l->variable[l->nlp->hessian_row[entry]], l->variable[l->nlp->hessian_col[entry]]);
}

/* Of the variables in entries that are too far apart, the one in most of them; among equals one of the first node,
 * which no continuity row determines. */
static uint32_t worst_variable(const layout *l, const dd_index_vec *far, uint32_t *count)
{
    uint32_t worst = UINT32_MAX;
    for (uint32_t k = 0; k < far->len; k++) {
        uint32_t ends[2] = {l->nlp->hessian_row[far->data[k]], l->nlp->hessian_col[far->data[k]]};
        for (uint32_t e = 0; e < 2 && is_far(l, far->data[k]); e++) {
            count[ends[e]]++;
        }
    }
    for (uint32_t k = 0; k < far->len; k++) {
        uint32_t ends[2] = {l->nlp->hessian_row[far->data[k]], l->nlp->hessian_col[far->data[k]]};
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t v = ends[e];
            bool more = worst == UINT32_MAX ? count[v] > 0 : count[v] > count[worst];
            bool first = worst != UINT32_MAX && count[v] == count[worst] && l->variable[v] < l->variable[worst];
            worst = more || first ? v : worst;
        }
    }
    for (uint32_t k = 0; k < far->len; k++) {
        count[l->nlp->hessian_row[far->data[k]]] = count[l->nlp->hessian_col[far->data[k]]] = 0;
    }
    return worst;
}

/* Moves variables to the border until none meet far away. False: there are too many of them. */
static bool settle_hessian(const layout *l)
{
    dd_index_vec far = {0};
    for (uint32_t k = 0; k < l->nlp->hessian_nnz; k++) {
        if (is_far(l, k)) {
            dd_vec_push(l->pool, &far, k);
        }
    }
    if (far.len == 0) {
        return true;
    }
    uint32_t *count = dd_pool_alloc_array(l->pool, l->nlp->n, sizeof *count), moved = 0;
    for (uint32_t v = worst_variable(l, &far, count); v != UINT32_MAX; v = worst_variable(l, &far, count)) {
        if (moved++ == MOST_MOVED) {
            return false;
        }
        l->variable[v] = DD_PLACE_BORDER;
    }
    return true;
}

/* ---- rows ---- */

static uint32_t row_between(uint32_t low, uint32_t high)
{
    if (low > high) { /* no variables but those of the border */
        return DD_PLACE_BORDER;
    }
    uint32_t apart = high - low;
    return apart == 0                   ? low
           : apart == 1                 ? (low | 1) /* a node and the inside next to it */
           : apart == 2 && low % 2 == 0 ? low + 1   /* both nodes of an interval */
                                        : DD_PLACE_BORDER;
}

static void place_rows(const layout *l)
{
    uint32_t *high = dd_pool_alloc_array(l->pool, l->nlp->m + 1, sizeof *high);
    for (uint32_t i = 0; i < l->nlp->m; i++) {
        l->row[i] = UINT32_MAX;
    }
    /* first and last place of the variables of each row, those of the border aside */
    for (uint32_t k = 0; k < l->nlp->jacobian_nnz; k++) {
        uint32_t i = l->nlp->jacobian_row[k], place = l->variable[l->nlp->jacobian_col[k]];
        if (place != DD_PLACE_BORDER) {
            l->row[i] = place < l->row[i] ? place : l->row[i];
            high[i] = place > high[i] ? place : high[i];
        }
    }
    for (uint32_t i = 0; i < l->nlp->m; i++) {
        l->row[i] = row_between(l->row[i], high[i]);
    }
}

/* ---- pairs ---- */

/* Row i determines variable v, if both are still where they belong. */
static void pair(const layout *l, uint32_t i, uint32_t v)
{
    uint32_t row = l->row[i], place = l->variable[v];
    bool fits = row % 2 == 1 && row != DD_PLACE_BORDER && (place == row || place == row + 1);
    l->determines[i] = fits && l->nlp->c_lower[i] == l->nlp->c_upper[i] ? v : DD_DETERMINES_NONE;
}

/* Algebraic rows of one point, from row i on, with its algebraic variables: each with the next one of its phase. */
static void pair_algebraic(const layout *l, uint32_t i, uint32_t k, uint32_t j)
{
    const dd_ocp_problem *o = l->t->o;
    for (uint32_t a = 0; a < o->g.len; a++) {
        uint32_t before = 0, taken = 0;
        for (uint32_t b = 0; b < a; b++) {
            before += l->row[i + b] == l->row[i + a] ? 1 : 0;
        }
        for (uint32_t b = 0; b < o->z.len; b++) {
            uint32_t v = dd_transcription_z(l->t, k, j, b);
            if (l->variable[v] == l->row[i + a] && taken++ == before) {
                pair(l, i + a, v);
            }
        }
    }
}

static void pair_taps(const layout *l)
{
    const dd_shooting *s = l->t->shooting;
    for (uint32_t i = 0; s != NULL && i < s->taps.len; i++) {
        const dd_tap *tap = &s->taps.data[i];
        uint32_t row = tap->row;
        for (uint32_t a = 0; tap->x_at != DD_NO_ROW && a < s->nx; a++) {
            pair(l, row++, tap->x_at + a);
        }
        for (uint32_t a = 0; tap->z_at != DD_NO_ROW && a < s->nz; a++) {
            pair(l, row++, tap->z_at + a);
        }
    }
}

/* The variable that a row between two phases gives: the only one it has of the later phase, with a constant factor. The
 * entries of the row begin at *k, which moves to the next row. */
static uint32_t linked_variable(const layout *l, uint32_t i, uint32_t *k)
{
    uint32_t found = DD_DETERMINES_NONE, several = 0;
    for (; *k < l->nlp->jacobian_nnz && l->nlp->jacobian_row[*k] == i; ++*k) {
        uint32_t v = l->nlp->jacobian_col[*k];
        if (l->variable[v] == l->row[i] + 1) {
            found = v;
            several++;
        }
    }
    double factor = several == 1 ? dd_elements_slope(l->t->elements, i, found) : 0;
    return isfinite(factor) && factor != 0 ? found : DD_DETERMINES_NONE;
}

/* Entries of the Jacobian of collocation come row by row. */
static void pair_links(const layout *l)
{
    bool *taken = dd_pool_alloc_array(l->pool, l->nlp->n + 1, sizeof *taken);
    for (uint32_t k = 0; k < l->nlp->jacobian_nnz;) {
        uint32_t i = l->nlp->jacobian_row[k], v = DD_DETERMINES_NONE;
        bool inside = l->row[i] != DD_PLACE_BORDER && l->row[i] % 2 == 1;
        if (inside && l->row[i] / 2 % (l->t->mesh.n + 1) == l->t->mesh.n) {
            v = linked_variable(l, i, &k);
        }
        if (v != DD_DETERMINES_NONE && !taken[v]) {
            pair(l, i, v);
            taken[v] = true;
        }
        for (; k < l->nlp->jacobian_nnz && l->nlp->jacobian_row[k] == i; k++) {
        }
    }
}

static void pair_rows(const layout *l)
{
    const dd_transcription *t = l->t;
    for (uint32_t i = 0; i < l->nlp->m; i++) {
        l->determines[i] = DD_DETERMINES_NONE;
    }
    for (uint32_t i = 0; i < t->tags.len; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        switch (tag->kind) {
        case DD_ROW_DYNAMICS:
            pair(l, i, dd_transcription_x(t, tag->interval, tag->point, tag->index));
            break;
        case DD_ROW_ALGEBRAIC:
            if (tag->index == 0) {
                pair_algebraic(l, i, tag->interval, tag->point);
            }
            break;
        case DD_ROW_CONTINUITY: /* also the kind of taps of states, which come later */
            pair(l, i, t->x_at[tag->interval + 1] + tag->index);
            break;
        default:
            break;
        }
    }
    pair_taps(l);
    if (l->phases > 1) {
        pair_links(l);
    }
}

/* ---- all of it ---- */

static bool lay_out(layout *l, uint32_t phases)
{
    l->phases = phases;
    place_variables(l);
    return settle_hessian(l);
}

const dd_nlp_shape *dd_ocp_shape(const dd_transcription *t)
{
    dd_pool *scratch = dd_pool_child(t->pool);
    layout l = {.t = t, .nlp = t->nlp, .pool = scratch};
    uint32_t phases = dd_ocp_phase_count(t->o);
    l.variable = dd_pool_alloc_array(t->pool, t->nlp->n + 1, sizeof *l.variable);
    l.row = dd_pool_alloc_array(t->pool, t->nlp->m + 1, sizeof *l.row);
    l.determines = dd_pool_alloc_array(t->pool, t->nlp->m + 1, sizeof *l.determines);
    /* the blocks of shooting are dense in all states, so there phases stay stacked */
    bool apart = phases > 1 && t->shooting == NULL && all_in_phases(&l, &t->o->x) && all_in_phases(&l, &t->o->z) &&
                 all_in_phases(&l, &t->o->u);
    if (apart) {
        order_phases(&l);
        apart = lay_out(&l, phases);
    }
    dd_nlp_shape *shape = NULL;
    if (apart || lay_out(&l, 1)) {
        place_rows(&l);
        pair_rows(&l);
        shape = dd_pool_alloc(t->pool, sizeof *shape);
        shape->intervals = l.phases * (t->mesh.n + 1) - 1;
        shape->variable_place = l.variable;
        shape->row_place = l.row;
        shape->determines = l.determines;
    }
    dd_pool_free(scratch);
    return shape;
}
