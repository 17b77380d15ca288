/* scaling.c - sizes of rows and objective from their values and gradients at two points. */
#include "nlp/scaling.h"

#include <math.h>
#include <string.h>

#define LARGE_GRADIENT 100.0 /* larger ones are scaled down to it */
#define HUGE_GRADIENT 1e6    /* beside x; see grows_huge */
#define SMALL_ROW 1e-2       /* smaller ones are scaled up to 1 */
#define SMALL_OBJECTIVE 1e-4 /* the same */
#define LEAST 1e-8           /* factor */
#define NOTHING 1e-40        /* smaller: not scaled */
#define BESIDE 0.1           /* of the size of a variable */
#define FEW 4.0              /* times: sizes that differ by less need no other factor; scaling is about powers of ten */

typedef struct sizes {
    const dd_nlp *nlp;
    double *x_size, *beside, *gradient, *values, *jacobian, *row, *row_here;
    double objective, objective_here; /* the largest seen; that of the gradient at x */
    double f[2], gradient_beside;     /* the objective at both points; its gradient at the second */
} sizes;

size_t dd_nlp_scaling_memory(const dd_nlp *nlp)
{
    return 4 * (size_t)nlp->n + 4 * (size_t)nlp->m + nlp->jacobian_nnz + 1;
}

size_t dd_nlp_scaling_kept(const dd_nlp *nlp)
{
    return (size_t)nlp->n + nlp->m;
}

/* Functions of libm would be called: these are compared, and what is not a number loses. */
static double larger(double a, double b)
{
    return b > a ? b : a;
}

static double distance(const dd_nlp *nlp, uint32_t i, double value)
{
    /* infinite to bounds that are not there; a row without finite bounds has no distance */
    double below = fabs(value - nlp->c_lower[i]), above = fabs(value - nlp->c_upper[i]);
    double d = below < above ? below : above;
    return isfinite(d) ? d : 0;
}

/* False when a function has no value there. */
static bool look_at(sizes *s, const double *x, bool here)
{
    const dd_nlp *nlp = s->nlp;
    double f;
    /* the first call is at a new point, the others at the same */
    if (!nlp->objective(nlp->user, x, true, &f) || !nlp->gradient(nlp->user, x, false, s->gradient) ||
        !nlp->constraints(nlp->user, x, false, s->values) || !nlp->jacobian(nlp->user, x, false, s->jacobian)) {
        return false;
    }
    /* gradients by scaled variables: the change of f for a typical change of each x */
    double largest = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        largest = larger(largest, fabs(s->gradient[i]) * s->x_size[i]);
    }
    *(here ? &s->objective_here : &s->gradient_beside) = largest;
    s->f[here ? 0 : 1] = f;
    s->objective = fmax(s->objective, fmax(largest, fabs(f)));
    /* the same for the rows, and only the largest entry */
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        double *row = &s->row[nlp->jacobian_row[e]];
        *row = larger(*row, fabs(s->jacobian[e]) * s->x_size[nlp->jacobian_col[e]]);
    }
    /* gradients at x alone decide about scaling down, as in IPOPT */
    if (here) {
        memcpy(s->row_here, s->row, nlp->m * sizeof *s->row);
    }
    /* a row that is far from its bounds is not small, even if its gradient is */
    for (uint32_t i = 0; i < nlp->m; i++) {
        s->row[i] = larger(s->row[i], distance(nlp, i, s->values[i]));
    }
    return true;
}

static void go_beside(const sizes *s, const double *x)
{
    for (uint32_t i = 0; i < s->nlp->n; i++) {
        /* different distances and both directions: a symmetric model must not stay symmetric */
        double by = BESIDE * s->x_size[i] * (1 + 0.1 * (i % 7)) * (i % 2 == 0 ? 1 : -1);
        double value = larger(x[i] + by, s->nlp->x_lower[i]);
        s->beside[i] = value > s->nlp->x_upper[i] ? s->nlp->x_upper[i] : value;
    }
}

static double factor(double gradient, double size, double small)
{
    if (gradient > LARGE_GRADIENT) {
        return fmax(LARGE_GRADIENT / gradient, LEAST);
    }
    return size < small && size > NOTHING ? 1 / size : 1;
}

/* u*u has no slope at u = 0. Where it is huge for variables of their expected sizes all the same, and the objective changes by as
 * much as such a slope says, linear systems of a program that is not scaled by it have no digits. (Near its pole log(c) has a
 * huge slope too, but hardly changes.) */
static bool grows_huge(const sizes *s)
{
    const double part = 0.1 * BESIDE; /* of the slope times the distance: half of it for a square */
    return s->gradient_beside > HUGE_GRADIENT && s->objective_here <= LARGE_GRADIENT &&
           fabs(s->f[1] - s->f[0]) > part * s->gradient_beside && isfinite(s->f[1] - s->f[0]);
}

dd_nlp_scaling dd_nlp_find_scaling(const dd_nlp *nlp, const double *x, double *memory)
{
    size_t n = nlp->n, m = nlp->m;
    /* the memory: factors of x and of the rows; sizes of x, second point, gradient; values, sizes of the rows, Jacobian */
    dd_nlp_scaling out = {.objective = 1, .x = memory, .c = memory + n};
    double *work = memory + n + m;
    sizes s = {.nlp = nlp, .x_size = work, .beside = work + n, .gradient = work + 2 * n, .values = work + 3 * n};
    s.row = s.values + m;
    s.row_here = s.row + m;
    s.jacobian = s.row_here + m;
    /* sizes are maxima over the points looked at */
    memset(s.row, 0, m * sizeof *s.row);
    for (size_t i = 0; i < n; i++) {
        s.x_size[i] = nlp->x_size != NULL ? nlp->x_size[i] : 1;
        out.x[i] = 1 / s.x_size[i];
        out.needed = out.needed || s.x_size[i] != 1;
    }
    for (size_t i = 0; i < m; i++) {
        out.c[i] = 1;
    }
    if (!look_at(&s, x, true)) {
        out.needed = false;
        return out;
    }
    /* one point may be special (a zero gradient at rest); the second decides whether a row is small at all */
    go_beside(&s, x);
    bool both = look_at(&s, s.beside, false);
    /* without a second point nothing is scaled up: size 1 says so */
    out.objective = both && grows_huge(&s) ? LARGE_GRADIENT / s.gradient_beside
                                           : factor(s.objective_here, both ? s.objective : 1, SMALL_OBJECTIVE);
    out.needed = out.needed || out.objective > 1;
    for (size_t i = 0; i < m; i++) {
        out.c[i] = factor(s.row_here[i], both ? s.row[i] : 1, SMALL_ROW);
        out.needed = out.needed || out.c[i] > 1;
    }
    return out;
}

/* Is a factor right for what it makes of a gradient now? small: what is scaled up. */
static bool is_right(double factor, double gradient, double size, double small)
{
    if (factor < 1) {
        return gradient >= LARGE_GRADIENT / FEW && gradient <= LARGE_GRADIENT * FEW;
    }
    if (factor > 1) { /* it made the largest size 1 */
        return size <= FEW;
    }
    return gradient <= LARGE_GRADIENT * FEW && (size >= small || size <= NOTHING);
}

bool dd_nlp_scaling_holds(const dd_nlp *nlp, const dd_nlp_scaling *scaling, const dd_nlp_scaled *now, double *row)
{
    double largest = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        largest = larger(largest, fabs(now->gradient[i]));
    }
    const double size = larger(largest, fabs(now->objective));
    bool holds = is_right(scaling->objective, largest, size, SMALL_OBJECTIVE);
    /* the largest entry of each row */
    memset(row, 0, nlp->m * sizeof *row);
    for (uint32_t e = 0; e < nlp->jacobian_nnz && holds; e++) {
        double *most = &row[nlp->jacobian_row[e]];
        *most = larger(*most, fabs(now->jacobian[e]));
    }
    for (uint32_t i = 0; i < nlp->m && holds; i++) {
        holds = is_right(scaling->c[i], row[i], row[i], SMALL_ROW);
    }
    return holds;
}
