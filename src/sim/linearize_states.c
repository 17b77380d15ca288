/* linearize_states.c - a minimal set of states by column-pivoted orthogonalisation of the constraints' gradients, by
 * the preferences of the model. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "sim/linearize_impl.h"

enum { MOST_ENTRIES = 100000000 }; /* of a dense matrix: 800 MB */

/* a column within a factor of ten of the longest is good enough
 * to follow preferences; below 1e-10 nothing is independent */
static const double THRESHOLD = 0.1, DEPENDENT = 1e-10;

static double length_of(uint32_t n, const double *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* Takes the direction of column j out of column k; v has length `length`. */
static void remove_direction(uint32_t n, const double *v, double length, double *column)
{
    double dot = 0;
    for (uint32_t i = 0; i < n; i++) {
        dot += v[i] * column[i];
    }
    dot /= length * length;
    for (uint32_t i = 0; i < n; i++) {
        column[i] -= dot * v[i];
    }
}

/* The column to take next; DD_NO_INDEX when nothing independent is left. */
static uint32_t next_column(uint32_t ninv, uint32_t nx, const double *g, const uint32_t *preference)
{
    double most = 0;
    uint32_t found = DD_NO_INDEX;
    /* the longest remainder bounds what is acceptable; among those the least wanted state becomes dependent */
    for (uint32_t j = 0; j < nx; j++) {
        most = fmax(most, length_of(ninv, g + (size_t)j * ninv));
    }
    for (uint32_t j = 0; j < nx && most > DEPENDENT; j++) {
        double length = length_of(ninv, g + (size_t)j * ninv);
        if (length >= THRESHOLD * most && (found == DD_NO_INDEX || preference[j] > preference[found])) {
            found = j;
        }
    }
    return found;
}

bool dd_linsys_choose_states(uint32_t ninv, uint32_t nx, double *g, const uint32_t *preference, uint32_t *follows)
{
    for (uint32_t r = 0; r < ninv; r++) {
        uint32_t taken = next_column(ninv, nx, g, preference);
        if (taken == DD_NO_INDEX) {
            return false;
        }
        /* project the direction out of all other columns (modified Gram-Schmidt) */
        double *v = g + (size_t)taken * ninv, length = length_of(ninv, v);
        for (int pass = 0; pass < 2; pass++) { /* twice is enough */
            for (uint32_t k = 0; k < nx; k++) {
                if (k != taken) {
                    remove_direction(ninv, v, length, g + (size_t)k * ninv);
                }
            }
        }
        for (uint32_t i = 0; i < ninv; i++) {
            v[i] = 0; /* done with */
        }
        follows[r] = taken;
    }
    return true;
}

/* Per x: its place in the order of preference: stateSelect, then fixed values, then as declared. */
static uint32_t *preferences(dd_lin_work *k)
{
    dd_dag *dag = k->s->model->dag;
    uint32_t *place = dd_pool_alloc_array(k->scratch, k->nx + 1, sizeof *place), count = 0;
    /* from columns of the first-order form to the unknowns x */
    uint32_t *of_column = dd_pool_alloc_array(k->scratch, k->s->ncols + 1, sizeof *of_column);
    memset(of_column, 0xff, (k->s->ncols + 1) * sizeof *of_column);
    for (uint32_t j = 0; j < k->nx; j++) {
        of_column[k->s->column[dd_symbol_id(dag, k->q->w.data[j])]] = j;
    }
    /* stateSelect first, fixed values next, then the order of declaration */
    for (int select = DD_SELECT_ALWAYS; select >= DD_SELECT_NEVER; select--) {
        for (int fixed = 1; fixed >= 0; fixed--) {
            for (uint32_t c = 0; c < k->s->declared; c++) {
                const dd_variable *v = &k->s->model->vars.data[k->s->unknown[c]];
                if (of_column[c] != DD_NO_INDEX && (int)v->select == select && v->fixed == (fixed == 1)) {
                    place[of_column[c]] = count++;
                }
            }
        }
    }
    /* auxiliary columns last: nobody knows them by name */
    for (uint32_t c = k->s->declared; c < k->s->ncols; c++) {
        if (of_column[c] != DD_NO_INDEX) {
            place[of_column[c]] = count++;
        }
    }
    return place;
}

/* G with columns in units of their size and rows of largest entry 1. */
static double *scaled_gradients(dd_lin_work *k)
{
    const dd_csc *p = &k->q->problem.invariant_pattern;
    double *g = dd_pool_alloc_array(k->scratch, (size_t)k->ninv * k->nx + 1, sizeof *g);
    double *most = dd_pool_alloc_array(k->scratch, k->ninv + 1, sizeof *most);
    for (uint32_t j = 0; j < k->nx; j++) {
        for (uint32_t e = p->ptr[j]; e < p->ptr[j + 1]; e++) {
            double value = k->g[e] * k->q->problem.nominal[j];
            g[(size_t)j * k->ninv + p->idx[e]] = value;
            most[p->idx[e]] = fmax(most[p->idx[e]], fabs(value));
        }
    }
    for (size_t e = 0; e < (size_t)k->ninv * k->nx; e++) {
        double scale = most[e % k->ninv];
        g[e] = scale > 0 ? g[e] / scale : 0.0;
    }
    return g;
}

static void by_declaration(dd_lin_work *k, uint32_t *state, uint32_t count)
{
    dd_dag *dag = k->s->model->dag;
    for (uint32_t i = 1; i < count; i++) { /* x is nearly in order already */
        uint32_t j = state[i], at = i, var = dd_symbol_id(dag, k->q->w.data[j]);
        for (; at > 0 && dd_symbol_id(dag, k->q->w.data[state[at - 1]]) > var; at--) {
            state[at] = state[at - 1];
        }
        state[at] = j;
    }
}

void dd_lin_choose_states(dd_lin_work *k)
{
    /* dense matrices of the answer: refused before anything is allocated */
    if ((double)k->ninv * k->nx > MOST_ENTRIES ||
        (double)(k->nx - k->ninv + k->nin) * (k->n + k->s->declared) > MOST_ENTRIES) {
        dd_raise(k->l->ctx, DD_LIMIT,
                 "the matrices of a linearization with %u unknowns would have more than %d entries", k->n,
                 (int)MOST_ENTRIES);
    }
    /* x less constraints is the degrees of freedom, unless constraints also hold between rates */
    if ((int64_t)k->nx - k->ninv != k->s->dof) {
        dd_lin_refuse(
            k, DD_SIM_INVALID_MODEL,
            dd_pool_printf(k->l->pool,
                           "a hidden constraint holds between states and derivatives that have no closed form: the %d "
                           "states of the model cannot be separated from the other variables",
                           k->s->dof));
        return;
    }
    /* ninv of the x follow from the others by G dx = 0 */
    k->follows = dd_pool_alloc_array(k->scratch, k->ninv + 1, sizeof *k->follows);
    k->state = dd_pool_alloc_array(k->scratch, k->nx + 1, sizeof *k->state);
    if (!dd_linsys_choose_states(k->ninv, k->nx, scaled_gradients(k), preferences(k), k->follows)) {
        dd_lin_refuse(k, DD_SIM_SINGULAR,
                      dd_pool_printf(k->l->pool,
                                     "at time %.10g the constraints depend on each other: no set of states determines "
                                     "the other variables there",
                                     k->t));
        return;
    }
    /* the others are the states, in the order of declaration */
    bool *dependent = dd_pool_alloc_array(k->scratch, k->nx + 1, sizeof *dependent);
    for (uint32_t r = 0; r < k->ninv; r++) {
        dependent[k->follows[r]] = true;
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < k->nx; j++) {
        if (!dependent[j]) {
            k->state[count++] = j;
        }
    }
    by_declaration(k, k->state, count);
    k->l->info.nx = count;
    k->l->info.nu = k->inputs.len;
    k->l->info.ny = k->outputs.len;
}
