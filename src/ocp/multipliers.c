/* multipliers.c - collects multipliers by tag and place; costates are polynomials through their values in an
 * interval (in a step of shooting), densities are linear between theirs. */
#include "ocp/multipliers.h"

#include <math.h>
#include <string.h>

#include "ocp/shooting.h"

#define SAME_PLACE 1e-12

/* One interval, or one step of shooting in it. */
typedef struct piece {
    double begin, end;
    uint32_t n;
    double *theta, *value; /* n; n * nx */
} piece;

typedef struct mass {
    uint32_t interval;
    double theta, value;
    bool held; /* holds for the whole interval */
} mass;

typedef struct density {
    const char *name;
    DD_VEC(mass) masses;
    uint32_t *first; /* per interval: its first sample; n + 1 */
    double *theta, *value;
} density;

struct dd_multipliers {
    const dd_transcription *t;
    const dd_nlp_result *r;
    dd_pool *pool;
    uint32_t nx, pieces_each;
    double span; /* tf - t0 */
    piece *pieces;
    DD_VEC(density *) densities; /* by address: they are filled while others are added */
};

/* ---- costates ---- */

static piece new_piece(const dd_multipliers *m, double begin, double end, uint32_t n)
{
    piece p = {.begin = begin, .end = end, .n = n};
    p.theta = dd_pool_alloc_array(m->pool, n + 1, sizeof *p.theta);
    p.value = dd_pool_alloc_array(m->pool, (size_t)n * m->nx + 1, sizeof *p.value);
    p.theta[0] = begin;
    p.theta[n - 1] = end;
    return p;
}

static double width_of(const dd_transcription *t, uint32_t k)
{
    return t->mesh.theta[k + 1] - t->mesh.theta[k];
}

static bool reaches_end(const dd_transcription *t, uint32_t d)
{
    return fabs(t->tau[d][d] - 1) < SAME_PLACE;
}

static double bound_mass(const dd_multipliers *m, uint32_t variable, const dd_decision *d)
{
    return (m->r->z_upper[variable] - m->r->z_lower[variable]) / d->scale;
}

/* Left end, points before the right end, right end. */
static void make_pieces(dd_multipliers *m)
{
    const dd_transcription *t = m->t;
    /* Radau points include the right end: then it is not listed twice */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        uint32_t d = t->mesh.degree[k], inside = reaches_end(t, d) ? d - 1 : d;
        m->pieces[k] = new_piece(m, t->mesh.theta[k], t->mesh.theta[k + 1], inside + 2);
        for (uint32_t j = 1; j <= inside; j++) {
            m->pieces[k].theta[j] = t->mesh.theta[k] + t->tau[d][j] * width_of(t, k);
        }
    }
}

static void collocation_costates(dd_multipliers *m)
{
    const dd_transcription *t = m->t;
    make_pieces(m);
    /* lambda at the points from the defects, at the ends from continuity and the columns C_0, D_0
     * (multipliers.h) */
    for (uint32_t row = 0; row < t->tags.len; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if (tag->kind != DD_ROW_DYNAMICS && tag->kind != DD_ROW_CONTINUITY) {
            continue;
        }
        piece *p = &m->pieces[tag->interval];
        uint32_t d = t->mesh.degree[tag->interval], j = tag->point;
        /* rows are scaled: the multiplier of the row in units of x */
        double y = m->r->lambda[row] / t->o->x.data[tag->index].scale, *at = p->value + tag->index;
        if (tag->kind == DD_ROW_CONTINUITY) {
            at[(size_t)(p->n - 1) * m->nx] = -y;
            /* the last point is there: bounds are treated as before it, on whichever of the two */
            if (reaches_end(t, d)) {
                at[(size_t)(p->n - 1) * m->nx] -=
                    bound_mass(m, t->x_at[tag->interval + 1] + tag->index, &t->o->x.data[tag->index]);
            }
            at[0] -= t->end[d][0] * y;
            continue;
        }
        /* lambda(t_k+) collects -C_0j y_kj of all points */
        at[0] -= t->slope[d][j][0] * y;
        if (j < p->n - 1) {
            at[(size_t)j * m->nx] = y / t->weight[d][j];
        }
    }
}

/* From the costates before a node to those after the rows and bounds there; ends: of the steps. */
static void after_node(const dd_multipliers *m, uint32_t node, const double *ends, double *value)
{
    const dd_transcription *t = m->t;
    const dd_nlp *nlp = t->nlp;
    /* between intervals the adjoint of the next step is the limit from the right */
    if (node < t->mesh.n) {
        memcpy(value, ends + (size_t)node * (t->mesh.substeps + 1) * m->nx, m->nx * sizeof *value);
        return;
    }
    /* at the end of the horizon: the part of path rows and bounds in the costate, A^T lambda by columns of
     * x_N */
    double *jacobian = dd_pool_alloc_array(m->pool, nlp->jacobian_nnz + 1, sizeof *jacobian);
    nlp->jacobian(nlp->user, m->r->x, true, jacobian);
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        uint32_t row = nlp->jacobian_row[e], i = nlp->jacobian_col[e] - t->x_at[node];
        if (nlp->jacobian_col[e] >= t->x_at[node] && i < m->nx && t->tags.data[row].kind == DD_ROW_PATH) {
            value[i] -= m->r->lambda[row] * jacobian[e] / t->o->x.data[i].scale;
        }
    }
    for (uint32_t i = 0; i < m->nx; i++) {
        value[i] -= bound_mass(m, t->x_at[node] + i, &t->o->x.data[i]);
    }
}

/* Only stages of collocation methods are used: those of others are not values at their times. */
static void shooting_costates(dd_multipliers *m)
{
    const dd_transcription *t = m->t;
    const dd_tableau *b = t->mesh.tableau;
    uint32_t n = t->mesh.n, steps = t->mesh.substeps, s = b->stages;
    double *ends = dd_pool_alloc_array(m->pool, (size_t)n * (steps + 1) * m->nx + 1, sizeof *ends);
    double *stages = dd_pool_alloc_array(m->pool, (size_t)n * steps * s * m->nx + 1, sizeof *stages);
    /* adjoints of the steps, computed at the solution */
    dd_shooting_costates(t->shooting, m->r->x, m->r->lambda, ends, stages);
    for (uint32_t i = 0; i < n * steps; i++) {
        uint32_t k = i / steps, step = i % steps, at = 1;
        double h = width_of(t, k) / steps, begin = t->mesh.theta[k] + step * h;
        double end = step + 1 == steps ? t->mesh.theta[k + 1] : begin + h;
        /* ends of the step, and stages where they are values at their times */
        piece p = new_piece(m, begin, end, s + 2);
        const double *from = ends + ((size_t)k * (steps + 1) + step) * m->nx;
        memcpy(p.value, from, m->nx * sizeof *from);
        for (uint32_t g = 0; g < s && b->collocation; g++) {
            if (b->c[g] > SAME_PLACE && b->c[g] < 1 - SAME_PLACE) {
                p.theta[at] = begin + b->c[g] * h;
                memcpy(p.value + (size_t)at++ * m->nx, stages + ((size_t)i * s + g) * m->nx, m->nx * sizeof *stages);
            }
        }
        p.theta[at] = end;
        memcpy(p.value + (size_t)at * m->nx, from + m->nx, m->nx * sizeof *from);
        /* methods that end at the node: the limit is that after its rows and bounds */
        if (step + 1 == steps && dd_shooting_reaches_end(t->shooting)) {
            after_node(m, k + 1, ends, p.value + (size_t)at * m->nx);
        }
        p.n = at + 1;
        m->pieces[i] = p;
    }
}

void dd_multipliers_costates(const dd_multipliers *m, uint32_t k, double theta, double *out)
{
    const piece *p = &m->pieces[(size_t)k * m->pieces_each];
    /* the step of shooting that theta lies in */
    for (uint32_t i = 1; i < m->pieces_each && theta >= p->end; i++) {
        p++;
    }
    /* Lagrange interpolation through the values of the piece */
    memset(out, 0, m->nx * sizeof *out);
    for (uint32_t r = 0; r < p->n; r++) {
        double w = 1;
        for (uint32_t i = 0; i < p->n; i++) {
            w *= i == r ? 1 : (theta - p->theta[i]) / (p->theta[r] - p->theta[i]);
        }
        for (uint32_t i = 0; i < m->nx && w != 0; i++) {
            out[i] += w * p->value[(size_t)r * m->nx + i];
        }
    }
}

/* ---- densities ---- */

static density *new_density(dd_multipliers *m, const char *name)
{
    density *d = dd_pool_alloc(m->pool, sizeof *d);
    *d = (density){.name = dd_pool_printf(m->pool, "multiplier(%s)", name)};
    dd_vec_push(m->pool, &m->densities, d);
    return d;
}

static void add_mass(dd_multipliers *m, density *d, uint32_t k, double theta, double value, bool held)
{
    dd_vec_push(m->pool, &d->masses, ((mass){k, theta, value, held}));
}

/* Part of the horizon that a point of interval k represents in the quadrature; 0: it is not a point of it. */
static double quadrature_part(const dd_transcription *t, uint32_t k, double theta)
{
    double width = width_of(t, k), s = (theta - t->mesh.theta[k]) / width;
    uint32_t d = t->mesh.degree[k];
    /* w_j of the collocation point, or b_i / M of the stage */
    for (uint32_t j = 1; j <= d; j++) {
        if (fabs(s - t->tau[d][j]) < SAME_PLACE) {
            return t->weight[d][j] * width;
        }
    }
    const dd_tableau *b = t->mesh.tableau;
    for (uint32_t g = 0; b != NULL && g < t->mesh.substeps * b->stages; g++) {
        if (fabs(s - dd_mesh_stage(&t->mesh, g)) < SAME_PLACE) {
            return b->b[g % b->stages] * width / t->mesh.substeps;
        }
    }
    return 0;
}

/* Weight of the first or the last point of interval k; the whole interval where rows hold at nodes only. */
static double outer_part(const dd_transcription *t, uint32_t k, bool last)
{
    uint32_t d = t->mesh.degree[k];
    const dd_tableau *b = t->mesh.tableau;
    if (b != NULL) {
        /* rows at nodes only: part_of takes half of both neighbours, the trapezoidal rule */
        return b->collocation ? b->b[last ? b->stages - 1 : 0] * width_of(t, k) / t->mesh.substeps : width_of(t, k);
    }
    return t->weight[d][last ? d : 1] * width_of(t, k);
}

static double part_of(const dd_transcription *t, const mass *at)
{
    uint32_t k = at->interval, n = t->mesh.n;
    /* y is a mass; density = y / (part of the time axis it belongs to) */
    double part = at->held ? width_of(t, k) : quadrature_part(t, k, at->theta);
    if (part > 0) {
        return part;
    }
    /* a node that is no point of the quadrature has half of its neighbours' parts */
    uint32_t node = fabs(at->theta - t->mesh.theta[k]) < SAME_PLACE ? k : k + 1;
    return 0.5 * ((node > 0 ? outer_part(t, node - 1, true) : 0) + (node < n ? outer_part(t, node, false) : 0));
}

/* Sorts by interval and place, adds masses at one place, divides by the part of time that each represents. */
static void finish_density(dd_multipliers *m, density *d)
{
    uint32_t n = m->t->mesh.n, count = 0;
    mass *sorted = dd_pool_alloc_array(m->pool, d->masses.len + 1, sizeof *sorted);
    uint32_t *next = dd_pool_alloc_array(m->pool, n + 2, sizeof *next);
    d->first = dd_pool_alloc_array(m->pool, n + 1, sizeof *d->first);
    d->theta = dd_pool_alloc_array(m->pool, d->masses.len + 1, sizeof *d->theta);
    d->value = dd_pool_alloc_array(m->pool, d->masses.len + 1, sizeof *d->value);
    /* counting sort by interval, then insertion by place */
    for (uint32_t i = 0; i < d->masses.len; i++) {
        next[d->masses.data[i].interval + 1]++;
    }
    for (uint32_t k = 0; k < n; k++) {
        next[k + 1] += next[k];
    }
    for (uint32_t i = 0; i < d->masses.len; i++) {
        sorted[next[d->masses.data[i].interval]++] = d->masses.data[i];
    }
    for (uint32_t i = 1; i < d->masses.len; i++) { /* few in an interval */
        for (uint32_t j = i;
             j > 0 && sorted[j].interval == sorted[j - 1].interval && sorted[j].theta < sorted[j - 1].theta; j--) {
            mass swap = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = swap;
        }
    }
    /* masses at one place are one sample */
    for (uint32_t i = 0, k = 0; k < n; k++) {
        d->first[k] = count;
        for (; i < d->masses.len && sorted[i].interval == k; i++) {
            double value = sorted[i].value / (part_of(m->t, &sorted[i]) * m->span);
            bool again = count > d->first[k] && sorted[i].theta - d->theta[count - 1] < SAME_PLACE;
            count += again ? 0 : 1;
            d->theta[count - 1] = sorted[i].theta;
            d->value[count - 1] = (again ? d->value[count - 1] : 0) + value;
        }
    }
    d->first[n] = count;
}

static void path_densities(dd_multipliers *m)
{
    const dd_transcription *t = m->t;
    density **of = dd_pool_alloc_array(m->pool, t->o->path.len + 1, sizeof(density *)); /* per path row */
    /* one density per path row, whatever its number of rows in the program */
    for (uint32_t i = 0; i < t->o->path.len; i++) {
        of[i] = new_density(m, t->o->path.data[i].name);
    }
    for (uint32_t row = 0; row < t->tags.len; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if (tag->kind == DD_ROW_PATH) {
            bool held = dd_transcription_where(t, &t->o->path.data[tag->index]) == DD_WHERE_CONTROLS;
            add_mass(m, of[tag->index], tag->interval, tag->theta, m->r->lambda[row], held);
        }
    }
}

static bool bounded(const dd_decision *d)
{
    return isfinite(d->lower) || isfinite(d->upper);
}

/* x or z: at the points, x also at the nodes, where it belongs to the interval on the left. */
static void point_masses(dd_multipliers *m, density *to, const dd_decision *d, uint32_t offset, bool nodes)
{
    const dd_transcription *t = m->t;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        /* x_0 belongs to the first interval */
        if (nodes && k == 0) {
            add_mass(m, to, 0, t->mesh.theta[0], bound_mass(m, t->x_at[0] + offset, d), false);
        }
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            uint32_t variable = t->point_at[k * DD_DEGREE_MOST + j - 1] + offset;
            double theta = t->mesh.theta[k] + t->tau[t->mesh.degree[k]][j] * width_of(t, k);
            add_mass(m, to, k, theta, bound_mass(m, variable, d), false);
        }
        if (nodes) {
            add_mass(m, to, k, t->mesh.theta[k + 1], bound_mass(m, t->x_at[k + 1] + offset, d), false);
        }
    }
}

static void stage_bound_masses(dd_multipliers *m, density *to, const dd_decision *d, dd_row_kind kind, uint32_t index)
{
    const dd_transcription *t = m->t;
    for (uint32_t row = 0; row < t->tags.len; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if (tag->kind == kind && tag->index == index) {
            add_mass(m, to, tag->interval, tag->theta, m->r->lambda[row] / d->scale, false);
        }
    }
}

/* The hat function of a linear control at a node reaches over both intervals: half of each is its part. */
static void linear_control(dd_multipliers *m, density *to, const dd_decision *d, uint32_t i)
{
    const dd_transcription *t = m->t;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        /* finish_density divides by part_of: the factor replaces that by half of both
         * neighbours */
        for (uint32_t node = k; node <= k + 1; node++) {
            double part = 0.5 * ((node > 0 ? width_of(t, node - 1) : 0) + (node < t->mesh.n ? width_of(t, node) : 0));
            mass at = {.interval = k, .theta = t->mesh.theta[node]};
            add_mass(m, to, k, at.theta, bound_mass(m, t->u_at[node] + i, d) * part_of(t, &at) / part, false);
        }
    }
}

static void control_masses(dd_multipliers *m, density *to, const dd_decision *d, uint32_t i)
{
    const dd_transcription *t = m->t;
    const dd_tableau *b = t->mesh.tableau;
    uint32_t nu = t->o->u.len;
    if (t->mesh.control == DD_CONTROL_LINEAR) {
        linear_control(m, to, d, i);
    } else if (t->mesh.control == DD_CONTROL_POLYNOMIAL && b == NULL) {
        point_masses(m, to, d, t->o->x.len + t->o->z.len + i, false);
    }
    /* a constant control holds for its interval; a polynomial one has a mass per stage */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        if (t->mesh.control == DD_CONTROL_CONSTANT) {
            add_mass(m, to, k, t->mesh.theta[k], bound_mass(m, t->u_at[k] + i, d), true);
        }
        for (uint32_t g = 0; t->mesh.control == DD_CONTROL_POLYNOMIAL && b != NULL && g < t->mesh.substeps * b->stages;
             g++) {
            double s = dd_mesh_stage(&t->mesh, g);
            add_mass(m, to, k, t->mesh.theta[k] + s * width_of(t, k), bound_mass(m, t->u_at[k] + g * nu + i, d), false);
        }
    }
}

static void bound_densities(dd_multipliers *m)
{
    const dd_ocp_problem *o = m->t->o;
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->u};
    /* derivatives among z (order > 0) have no name that a user bounds */
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            const dd_decision *d = &lists[l]->data[i];
            if (!bounded(d) || d->order > 0) {
                continue;
            }
            density *to = new_density(m, dd_model_var_name_dup(o->model, d->var, m->pool));
            if (l == 2) {
                control_masses(m, to, d, i);
            } else {
                point_masses(m, to, d, l == 0 ? i : o->x.len + i, l == 0);
                stage_bound_masses(m, to, d, l == 0 ? DD_ROW_STATE_BOUND : DD_ROW_ALGEBRAIC_BOUND, i);
            }
        }
    }
}

dd_multipliers *dd_multipliers_new(const dd_transcription *t, const dd_nlp_result *result, dd_pool *pool)
{
    dd_multipliers *m = dd_pool_alloc(pool, sizeof *m);
    *m = (dd_multipliers){.t = t, .r = result, .pool = pool, .nx = t->o->x.len, .pieces_each = 1};
    /* one polynomial per step of shooting or per interval */
    m->pieces_each = t->shooting != NULL ? t->mesh.substeps : 1;
    m->span = dd_transcription_time(t, result->x, 1) - dd_transcription_time(t, result->x, 0);
    m->pieces = dd_pool_alloc_array(pool, (size_t)t->mesh.n * m->pieces_each + 1, sizeof *m->pieces);
    if (t->shooting != NULL) {
        shooting_costates(m);
    } else {
        collocation_costates(m);
    }
    /* masses first, then densities: several rows may add to one place */
    path_densities(m);
    bound_densities(m);
    for (uint32_t i = 0; i < m->densities.len; i++) {
        finish_density(m, m->densities.data[i]);
    }
    return m;
}

uint32_t dd_multipliers_count(const dd_multipliers *m)
{
    return m->densities.len;
}

const char *dd_multipliers_name(const dd_multipliers *m, uint32_t i)
{
    return m->densities.data[i]->name;
}

double dd_multipliers_density(const dd_multipliers *m, uint32_t i, uint32_t k, double theta)
{
    const density *d = m->densities.data[i];
    uint32_t first = d->first[k], end = d->first[k + 1], at = first;
    if (first == end) {
        return 0;
    }
    /* linear between the samples of the interval, constant beyond the first and the last */
    while (at < end && d->theta[at] < theta - SAME_PLACE) {
        at++;
    }
    if (at == first || at == end) {
        return d->value[at == end ? end - 1 : first];
    }
    double part = (theta - d->theta[at - 1]) / (d->theta[at] - d->theta[at - 1]);
    return d->value[at - 1] + fmin(part, 1) * (d->value[at] - d->value[at - 1]);
}
