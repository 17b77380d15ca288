/* hidden.c - see hidden.h. Cells are the intervals of constant controls, and for linear ones what is nearest to a
 * node. */
#include "ocp/hidden.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 20, PARTS = 4 }; /* places in a cell; parts of a divided one */
#define NO_PRICE 1e-5           /* of the largest mean of the switching function: the bound does not hold the control */
#define HIDDEN 0.05             /* of a cell, with the other sign: less is the error of the parabola */
#define JUMP 0.05               /* of the range of a linear control, in one interval */
#define WIDER 3.0               /* times the interval of a jump */

typedef struct cells {
    uint32_t n;
    double *edge; /* n + 1 */
    double *mean; /* of the switching function of one control: positive at its lower bound */
} cells;

static cells new_cells(const dd_mesh *mesh, dd_pool *pool)
{
    const bool nodes = mesh->control == DD_CONTROL_LINEAR;
    cells c = {.n = mesh->n + nodes};
    c.edge = dd_pool_alloc_array(pool, c.n + 1, sizeof *c.edge);
    c.mean = dd_pool_alloc_array(pool, c.n + 1, sizeof *c.mean);
    for (uint32_t k = 0; k <= c.n; k++) {
        /* cells of linear controls reach from middle to middle of the intervals */
        c.edge[k] = !nodes ? mesh->theta[k] : k == 0 ? 0 : k == c.n ? 1 : 0.5 * (mesh->theta[k - 1] + mesh->theta[k]);
    }
    return c;
}

/* Derivative at t of the cubic through the integrals of the means at the edges of three cells from `first`. */
static double rebuilt(const cells *c, uint32_t first, double t)
{
    const double *e = c->edge + first, *m = c->mean + first;
    double d[4] = {0, 0, 0, 0}; /* divided differences */
    /* integrals of the mean over the cells: values of the cubic at the edges */
    for (int i = 1; i < 4; i++) {
        d[i] = d[i - 1] + m[i - 1] * (e[i] - e[i - 1]);
    }
    /* Newton's divided differences, in place */
    for (int order = 1; order < 4; order++) {
        for (int i = 3; i >= order; i--) {
            d[i] = (d[i] - d[i - 1]) / (e[i] - e[i - order]);
        }
    }
    /* derivative of the Newton form */
    const double a = t - e[0], b = t - e[1], g = t - e[2];
    return d[1] + d[2] * (a + b) + d[3] * (a * b + a * g + b * g);
}

static bool hides(const cells *c, uint32_t k, double largest)
{
    /* three cells with k in the middle where possible */
    const uint32_t first = k == 0 ? 0 : k + 1 == c->n ? c->n - 3 : k - 1; /* of the three cells */
    int other = 0;
    /* a bound without a price holds nothing */
    if (fabs(c->mean[k]) <= NO_PRICE * largest) {
        return false;
    }
    /* part of the cell where the rebuilt function has the other sign than its mean */
    for (int i = 0; i <= LOOKS; i++) {
        const double part = (double)i / LOOKS, t = (1 - part) * c->edge[k] + part * c->edge[k + 1];
        other += rebuilt(c, first, t) * c->mean[k] < 0;
    }
    return other >= HIDDEN * (LOOKS + 1);
}

/* z_lower - z_upper per width: the mean of the switching function H_u of a control over each cell; the largest of them. */
static double find_means(const dd_ocp *p, cells *c, uint32_t control)
{
    double largest = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const uint32_t j = p->transcription->u_at[k] + control;
        c->mean[k] = (p->result.z_lower[j] - p->result.z_upper[j]) / (c->edge[k + 1] - c->edge[k]);
        largest = fmax(largest, fabs(c->mean[k]));
    }
    return largest;
}

/* Marks the intervals of one control. */
static bool mark(const dd_ocp *p, cells *c, uint32_t control, bool *divide)
{
    const dd_transcription *t = p->transcription;
    const double largest = find_means(p, c, control);
    bool any = false;
    for (uint32_t k = 0; k < c->n && largest > 0; k++) {
        if (hides(c, k, largest)) {
            any = true;
            divide[k < t->mesh.n ? k : k - 1] = true;
            divide[c->n > t->mesh.n && k > 0 ? k - 1 : k] = true; /* both sides of a node */
        }
    }
    return any;
}

/* A linear control jumps within a short interval, and cannot move it into a long one beside it: that would be a
 * slow ramp. Where the jump belongs is known only as well as these are short. */
static bool mark_beside_jumps(const dd_ocp *p, uint32_t control, bool *divide)
{
    const dd_transcription *t = p->transcription;
    const double *theta = t->mesh.theta, *y = p->result.x;
    double least = INFINITY, most = -INFINITY;
    bool any = false;
    /* range of the control */
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        least = fmin(least, y[t->u_at[k] + control]);
        most = fmax(most, y[t->u_at[k] + control]);
    }
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        const double width = theta[k + 1] - theta[k];
        const double change = fabs(y[t->u_at[k + 1] + control] - y[t->u_at[k] + control]);
        /* a jump with much wider intervals beside it: they are divided, so that it can move */
        const bool jump = change > JUMP * (most - least) && change > 0;
        const bool left = jump && k > 0 && theta[k] - theta[k - 1] >= WIDER * width;
        const bool right = jump && k + 1 < t->mesh.n && theta[k + 2] - theta[k + 1] >= WIDER * width;
        any = any || left || right;
        divide[k > 0 ? k - 1 : 0] |= left;
        divide[k + 1 < t->mesh.n ? k + 1 : k] |= right;
    }
    return any;
}

static dd_mesh divided(const dd_mesh *mesh, const bool *divide, dd_pool *pool)
{
    dd_mesh out = *mesh;
    out.n = 0;
    out.theta = dd_pool_alloc_array(pool, (size_t)PARTS * mesh->n + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(pool, (size_t)PARTS * mesh->n + 1, sizeof *out.degree);
    /* marked intervals in four, others as they are */
    for (uint32_t k = 0; k < mesh->n; k++) {
        const uint32_t parts = divide[k] ? PARTS : 1;
        for (uint32_t i = 0; i < parts; i++) {
            const double part = (double)i / parts;
            out.theta[out.n] = (1 - part) * mesh->theta[k] + part * mesh->theta[k + 1];
            out.degree[out.n++] = mesh->degree[k];
        }
    }
    out.theta[out.n] = mesh->theta[mesh->n];
    return out;
}

/* What a cell loses to a control that follows the sign of the switching function: int H_u u - min(H_u lower, H_u upper) over
 * it, first order in the control. A value between the bounds has a mean of zero, and the sign changes inside. Where the
 * control would leave an open side nothing is known. */
static double loss_of(const cells *c, uint32_t k, double u, double lower, double upper)
{
    const uint32_t first = k == 0 ? 0 : k + 1 == c->n ? c->n - 3 : k - 1;
    double sum = 0;
    for (int i = 0; i < LOOKS; i++) {
        const double part = (i + 0.5) / LOOKS, t = (1 - part) * c->edge[k] + part * c->edge[k + 1];
        const double slope = rebuilt(c, first, t), to = slope > 0 ? lower : upper;
        sum += isfinite(to) ? fmax(0, slope * (u - to)) : 0;
    }
    return sum / LOOKS * (c->edge[k + 1] - c->edge[k]);
}

double dd_ocp_switch_loss(const dd_ocp *p, double *part)
{
    const dd_transcription *t = p->transcription;
    const dd_nlp *nlp = t->nlp;
    double sum = 0;
    memset(part, 0, t->mesh.n * sizeof *part);
    if (t->mesh.control != DD_CONTROL_CONSTANT || t->mesh.n < 3) {
        return 0;
    }
    dd_pool *pool = dd_pool_child(p->pool);
    cells c = new_cells(&t->mesh, pool);
    for (uint32_t i = 0; i < p->problem->u.len; i++) {
        const double largest = find_means(p, &c, i);
        /* cells at a bound with a price that keeps its sign lose nothing */
        for (uint32_t k = 0; k < c.n && largest > 0; k++) {
            const uint32_t j = t->u_at[k] + i;
            const double loss = loss_of(&c, k, p->result.x[j], nlp->x_lower[j], nlp->x_upper[j]);
            part[k] += loss;
            sum += loss;
        }
    }
    dd_pool_free(pool);
    return isfinite(sum) ? sum : 0;
}

dd_mesh dd_ocp_mesh_for_losses(const dd_ocp *p, const double *part, double least, dd_pool *pool)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    bool *divide = dd_pool_alloc_array(pool, mesh->n + 1, sizeof *divide);
    for (uint32_t k = 0; k < mesh->n; k++) {
        divide[k] = part[k] > least;
    }
    return divided(mesh, divide, pool);
}

dd_mesh dd_ocp_mesh_for_hidden(const dd_ocp *p, dd_pool *pool)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    bool any = false;
    /* a parabola needs three cells; polynomial controls have none */
    if (mesh->control == DD_CONTROL_POLYNOMIAL || mesh->n < 3) {
        return (dd_mesh){0};
    }
    bool *divide = dd_pool_alloc_array(pool, mesh->n + 1, sizeof *divide);
    memset(divide, 0, (mesh->n + 1) * sizeof *divide);
    cells c = new_cells(mesh, pool);
    for (uint32_t i = 0; i < p->problem->u.len; i++) {
        any = mark(p, &c, i, divide) || any;
        any = (mesh->control == DD_CONTROL_LINEAR && mark_beside_jumps(p, i, divide)) || any;
    }
    return any ? divided(mesh, divide, pool) : (dd_mesh){0};
}
