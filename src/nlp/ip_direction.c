/* ip_direction.c - the linear system of an iteration: assembled, factored with the right inertia, solved, refined. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

/* regularisation of the Hessian, W&B algorithm IC */
#define FIRST_DELTA 1e-4
#define LEAST_DELTA 1e-20
#define MOST_DELTA 1e20
#define MOST_GROWTHS 100u /* more than from the least to the most */
#define SHRINK_DELTA (1.0 / 3)
#define GROW_DELTA 8.0
#define FIRST_GROW_DELTA 100.0 /* while no size is known */
#define ROW_DELTA 1e-8         /* delta_c = ROW_DELTA mu^(1/4) for rows that depend on each other */

#define LOOSE 1.0 /* the same for those that the factorisation names: large beside the scaled rows' own curvature */

#define MOST_SIGMA 1e12 /* curvature of the barrier that leaves four digits of a Hessian of size 1 */

#define REFINED 1e-10   /* relative residual that needs no refinement */
#define MOST_REFINES 6u /* more do not help a factorisation that is that bad */
/* A relative residual beyond all refinement. Of 220 programs of optimal control those that the chain factors well leave at most
 * 3e-5 in any iteration; those whose motions grow by 1e16 and more over the chain leave 1 to 1e130. */
#define LOST 1e-3
#define CARE_PAYS 0.1     /* a careful factorisation leaves less than this part of the residual */
#define SUSPECT_DELTA 1e8 /* scaled Hessians have entries of 100: one that needs more than this is mostly rounding */
#define IDLE_ROW 1.0      /* q of a row without bounds, whose derivatives are zero */

/* Rows that determine a variable have full rank by themselves. */
double dd_ip_delta_of(const dd_ip *ip, uint32_t row)
{
    const dd_nlp_shape *shape = ip->base->nlp->shape;
    bool determines = shape != NULL && shape->determines[row] != DD_DETERMINES_NONE;
    return determines ? 0 : ip->delta_c + ip->row_delta[row];
}

/* p: the diagonal for every w; q from the auxiliary variables of each row. ahead: dw and dy hold right-hand sides. */
static bool factor_with(dd_ip *ip, bool ahead, dd_kkt_inertia *inertia)
{
    dd_ip_base *b = ip->base;
    ip->has_deltas = ip->delta_c != 0 || ip->loose;
    /* most programs have none: then it is not written, nor looked at, again and again */
    const bool none = !ip->has_deltas && !b->any_idle && ip->nt == 0;
    if (!ip->q_zero) {
        memset(ip->q, 0, ip->m * sizeof *ip->q);
    }
    ip->q_zero = none;
    for (uint32_t i = 0; i < ip->m && (ip->has_deltas || b->any_idle); i++) {
        ip->q[i] = b->idle[i] ? IDLE_ROW : dd_ip_delta_of(ip, i);
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        ip->q[ip->row[t]] += 1 / ip->p[ip->n + t];
    }
    dd_kkt_values values = {.hessian = b->hessian,
                            .jacobian = b->jacobian,
                            .p = ip->p,
                            .q = ip->q,
                            .no_q = none,
                            .same_jacobian = b->jacobian_factored,
                            .careful = b->careful,
                            .only_right = !ip->plain,
                            .r = ahead ? ip->dw : NULL,
                            .s = ahead ? ip->dy : NULL};
    b->factorizations++;
    double begin = dd_clock_seconds();
    b->status = b->kkt->kind->factor(b->kkt, &values, inertia);
    b->jacobian_factored = b->status == DD_OK;
    ip->begun = b->status == DD_OK && inertia->begun;
    b->seconds_factor += dd_clock_seconds() - begin;
    return b->status == DD_OK;
}

/* No row is regularised. */
static void forget_deltas(dd_ip *ip)
{
    ip->delta_c = 0;
    ip->loose = false;
    if (!ip->row_deltas_zero) {
        memset(ip->row_delta, 0, ip->m * sizeof *ip->row_delta);
        ip->row_deltas_zero = true;
    }
}

bool dd_ip_factor_plain(dd_ip *ip, double on_diagonal)
{
    dd_ip_base *b = ip->base;
    ip->plain = true;
    memset(b->hessian, 0, b->nlp->hessian_nnz * sizeof *b->hessian);
    for (uint32_t i = 0; i < ip->nw; i++) {
        ip->p[i] = on_diagonal;
    }
    forget_deltas(ip);
    dd_kkt_inertia inertia = {0};
    if (!factor_with(ip, false, &inertia)) {
        return false;
    }
    /* dependent rows: some multipliers are as good as others */
    if (inertia.zero > 0 && !inertia.broken) {
        ip->delta_c = ROW_DELTA;
        return factor_with(ip, false, &inertia) && !inertia.broken;
    }
    return !inertia.broken;
}

/* Curvature of the barrier: sigma = z / distance, W&B (13). */
static void set_sigma(dd_ip *ip)
{
    dd_ip_set_inverses(ip);
    memset(ip->sigma, 0, ip->nw * sizeof *ip->sigma);
    for (uint32_t k = 0; k < ip->n_low; k++) {
        ip->sigma[ip->low[k]] = ip->zl[ip->low[k]] * ip->low_inverse[k];
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        ip->sigma[ip->high[k]] += ip->zu[ip->high[k]] * ip->high_inverse[k];
    }
    for (uint32_t i = 0; i < ip->n && ip->outer != NULL; i++) {
        ip->sigma[i] += ip->zeta * ip->weight[i] * ip->weight[i];
    }
}

/* Where a value that an equality asks for lies on a bound, the barrier's curvature grows beyond all digits of the
 * Hessian beside it. The variable cannot move anyway: less will do. False: none was that large. */
static bool limit_sigma(dd_ip *ip)
{
    bool limited = false;
    for (uint32_t i = 0; i < ip->n; i++) {
        limited = limited || ip->sigma[i] > MOST_SIGMA;
        ip->sigma[i] = ip->sigma[i] > MOST_SIGMA ? MOST_SIGMA : ip->sigma[i];
    }
    return limited;
}

/* Right-hand side of W&B (11): -(gradient of phi + A^T y), -c. The gradient of the Lagrangian has all but the barrier
 * terms, and the multipliers of bounds in their place. */
static void set_sides(dd_ip *ip, const double *c, double mu)
{
    dd_ip_subtract_both(ip->rw, ip->zu, ip->zl, ip->dual, ip->nw);
    dd_ip_set_inverses(ip);
    for (uint32_t k = 0; k < ip->n_low; k++) {
        ip->rw[ip->low[k]] += mu * (ip->low_inverse[k] - ip->damping[ip->low[k]]);
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        ip->rw[ip->high[k]] -= mu * (ip->high_inverse[k] + ip->damping[ip->high[k]]);
    }
    for (uint32_t i = 0; i < ip->n && ip->base->any_fixed; i++) {
        ip->rw[i] = ip->base->fixed[i] ? 0 : ip->rw[i];
    }
    dd_ip_negate(ip->rc, c, ip->m);
    ip->sides_mu = c == ip->now.c ? mu : NAN;
}

/* Right-hand sides without the auxiliary variables:  p_t dt + sign dy = rw_t,  J dx + sum sign dt - delta_c dy = rc. */
static void reduce_sides(const dd_ip *ip, const double *rw, const double *rc, double *dw, double *dy)
{
    memcpy(dw, rw, ip->n * sizeof *dw);
    memcpy(dy, rc, ip->m * sizeof *dy);
    for (uint32_t t = 0; t < ip->nt; t++) {
        dy[ip->row[t]] -= ip->sign[t] * rw[ip->n + t] / ip->p[ip->n + t];
    }
}

/* The system with this regularisation; the solve that follows begins with it, while the factors are at hand. */
static bool factor_regularised(dd_ip *ip, double delta, dd_kkt_inertia *inertia)
{
    ip->delta_w = delta;
    ip->plain = false;
    dd_ip_add_constant(ip->p, ip->sigma, delta, ip->nw);
    for (uint32_t i = 0; i < ip->n && ip->base->quasi != NULL; i++) {
        ip->p[i] += dd_ip_quasi_sigma(ip->base->quasi);
    }
    /* an auxiliary variable that nothing holds: its curvature must not vanish */
    for (uint32_t i = ip->n; i < ip->nw; i++) {
        ip->p[i] = ip->p[i] > LEAST_DELTA ? ip->p[i] : LEAST_DELTA;
    }
    /* limited-memory Hessians solve with columns of their own first; where care is needed, right-hand sides stay as they are;
     * where the inertia is likely to be wrong, nothing follows */
    const bool unlikely = ip->doubtful && delta <= ip->least_delta;
    const bool ahead = ip->base->quasi == NULL && !ip->base->careful && !unlikely;
    if (ahead) {
        const double mu = dd_ip_probes(ip, delta) ? 0 : ip->mu;
        if (ip->sides_mu != mu) {
            set_sides(ip, ip->now.c, mu);
        }
        reduce_sides(ip, ip->rw, ip->rc, ip->dw, ip->dy);
    }
    return factor_with(ip, ahead, inertia);
}

static bool is_right(const dd_ip *ip, const dd_kkt_inertia *inertia)
{
    return !inertia->wrong && !inertia->broken && inertia->zero == 0 && inertia->negative == ip->m;
}

/* The next regularisation after one that was not enough. */
static double grown(const dd_ip *ip, double delta)
{
    if (delta == 0) {
        /* faster where that was enough several times: from 1e10, thirds alone take twenty iterations */
        double less = pow(SHRINK_DELTA, ip->shrinks > 1 ? ip->shrinks : 1);
        return ip->last_delta == 0 ? FIRST_DELTA : fmax(LEAST_DELTA, less * ip->last_delta);
    }
    return delta * (ip->last_delta == 0 ? FIRST_GROW_DELTA : GROW_DELTA);
}

static bool factored(dd_ip *ip)
{
    if (ip->base->quasi != NULL) {
        dd_ip_quasi_factored(ip);
    }
    return true;
}

/* Rows that depend on others show before they are regularised. */
static void note_dependent(const dd_ip *ip, const dd_kkt_inertia *inertia)
{
    const dd_ip_base *b = ip->base;
    dd_nlp_result *r = b->result;
    if (ip->outer == NULL) {
        uint32_t most = r->dependent != NULL ? r->dependent_most : 0;
        r->dependent_count = inertia->zero > 0 ? b->kkt->kind->dependent(b->kkt, r->dependent, most) : 0;
    }
}

/* Rows that depend on others have no say in this step: their multipliers stay nearly as they are. A small delta_c, as
 * in W&B, would let them grow like the contradiction of the linearised rows over delta_c. */
static void loosen_dependent(dd_ip *ip)
{
    uint32_t count = ip->base->kkt->kind->dependent(ip->base->kkt, ip->found, ip->m), loose = 0;
    /* inequalities keep the curvature that their slacks give them */
    for (uint32_t k = 0; k < count && k < ip->m; k++) {
        bool equality = ip->base->equality[ip->found[k]];
        ip->row_delta[ip->found[k]] = equality ? LOOSE : 0;
        loose += equality ? 1 : 0;
    }
    ip->loose = loose > 0;
    ip->row_deltas_zero = false;
    ip->delta_c = loose == 0 ? ROW_DELTA * pow(ip->mu, 0.25) : 0;
}

/* Is the inertia right as it is, once pivots are chosen with care? Asked once; otherwise the fast way goes on. */
static bool is_right_with_care(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    if (b->careful || b->care_failed) {
        return false;
    }
    dd_kkt_inertia inertia = {0};
    b->careful = true;
    if (!factor_regularised(ip, ip->least_delta, &inertia)) {
        return false;
    }
    b->careful = is_right(ip, &inertia);
    b->care_failed = !b->careful;
    return b->careful;
}

/* W&B algorithm IC, from the least regularisation on. */
bool dd_ip_factor(dd_ip *ip)
{
    dd_kkt_inertia inertia = {0};
    set_sigma(ip);
    forget_deltas(ip);
    ip->sides_mu = NAN; /* it is another point */
    ip->doubtful = ip->delta_w > ip->least_delta;
    if (!factor_regularised(ip, ip->least_delta, &inertia)) {
        return false;
    }
    note_dependent(ip, &inertia);
    if (is_right(ip, &inertia)) {
        return factored(ip);
    }
    /* curvature of the barrier may have covered up the rest */
    if (limit_sigma(ip)) {
        if (!factor_regularised(ip, ip->least_delta, &inertia)) {
            return false;
        }
        note_dependent(ip, &inertia);
        if (is_right(ip, &inertia)) {
            return factored(ip);
        }
    }
    /* dependent rows need no curvature: first without */
    if (inertia.zero > 0) {
        loosen_dependent(ip);
        if (!factor_regularised(ip, ip->least_delta, &inertia)) {
            return false;
        }
        if (is_right(ip, &inertia)) {
            return factored(ip);
        }
        ip->delta_c = inertia.zero > 0 ? ROW_DELTA * pow(ip->mu, 0.25) : ip->delta_c;
    }
    /* more curvature until the reduced Hessian is positive */
    double delta = fmax(grown(ip, 0), GROW_DELTA * ip->least_delta);
    for (uint32_t k = 0; k < MOST_GROWTHS && delta <= MOST_DELTA; k++, delta = grown(ip, delta)) {
        if (delta > SUSPECT_DELTA && is_right_with_care(ip)) {
            return factored(ip);
        }
        if (ip->base->status != DD_OK || !factor_regularised(ip, delta, &inertia)) {
            return false;
        }
        if (is_right(ip, &inertia)) {
            ip->shrinks = k == 0 && ip->last_delta > 0 && ip->alpha >= 1 ? ip->shrinks + 1 : 0;
            ip->last_delta = delta;
            return factored(ip);
        }
        ip->delta_c = inertia.zero > 0 ? ROW_DELTA * pow(ip->mu, 0.25) : ip->delta_c;
        if (dd_ip_must_stop(ip->base)) {
            return false;
        }
    }
    return false;
}

/* ---- solving ---- */

/* Solves for rw and rc, or ends what the factorisation has begun with them. */
static void solve_once(dd_ip *ip, const double *rw, const double *rc, double *dw, double *dy)
{
    dd_ip_base *b = ip->base;
    if (!ip->begun) {
        reduce_sides(ip, rw, rc, dw, dy);
    }
    ip->begun = false;
    double begin = dd_clock_seconds();
    b->kkt->kind->solve(b->kkt, dw, dy);
    b->seconds_factor += dd_clock_seconds() - begin;
    if (b->quasi != NULL && !ip->plain) {
        dd_ip_quasi_correct(ip, dw, dy);
    }
    for (uint32_t t = 0; t < ip->nt; t++) {
        dw[ip->n + t] = (rw[ip->n + t] - ip->sign[t] * dy[ip->row[t]]) / ip->p[ip->n + t];
    }
}

static double norm_of(const double *a, uint32_t n, const double *b, uint32_t m)
{
    return fmax(dd_ip_largest(a, n), dd_ip_largest(b, m));
}

/* Solves and refines with the same factors, while it pays. Returns the relative residual of dw, dy; infinite: they are not
 * finite. */
static double solve_refined(dd_ip *ip, const double *rw, const double *rc, double *dw, double *dy)
{
    solve_once(ip, rw, rc, dw, dy);
    double right = norm_of(rw, ip->nw, rc, ip->m), before = INFINITY;
    for (uint32_t k = 0; k < MOST_REFINES; k++) {
        const double residual = dd_ip_system_residual(ip, rw, rc, dw, dy);
        if (residual <= REFINED * right && right > 0) {
            return residual / right; /* whatever the size of the solution: mostly it need not be looked at */
        }
        double size = norm_of(dw, ip->nw, dy, ip->m);
        if (isinf(size)) {
            return INFINITY;
        }
        double scale = right + fmin(size, 1e6 * right); /* zero at a point that meets the conditions exactly */
        double rest = scale > 0 ? residual / scale : 0;
        if (!(rest > REFINED) || rest > 0.5 * before) {
            return rest;
        }
        before = rest;
        solve_once(ip, ip->ew, ip->ec, ip->aw, ip->ac);
        for (uint32_t i = 0; i < ip->nw; i++) {
            dw[i] += ip->aw[i];
        }
        for (uint32_t i = 0; i < ip->m; i++) {
            dy[i] += ip->ac[i];
        }
    }
    return isfinite(norm_of(dw, ip->nw, dy, ip->m)) ? before : INFINITY;
}

/* The same system, or one with the right inertia, factored with care. */
static bool factor_with_care(dd_ip *ip)
{
    dd_kkt_inertia inertia = {0};
    ip->base->careful = true;
    if (!factor_with(ip, false, &inertia)) {
        return false;
    }
    return (ip->plain && !inertia.broken) || is_right(ip, &inertia) || dd_ip_factor(ip);
}

bool dd_ip_solve(dd_ip *ip, const double *rw, const double *rc, double *dw, double *dy)
{
    dd_ip_base *b = ip->base;
    double rest = solve_refined(ip, rw, rc, dw, dy);
    if (!(rest > LOST) || b->careful || b->care_failed) {
        return isfinite(rest);
    }
    /* all digits are lost: once more with pivots from the whole matrix, and so in the iterations that follow if it pays */
    if (!factor_with_care(ip)) {
        return false;
    }
    double careful = solve_refined(ip, rw, rc, dw, dy);
    b->care_failed = !(careful < LOST || careful < CARE_PAYS * rest);
    b->careful = !b->care_failed;
    return isfinite(careful);
}

bool dd_ip_direction(dd_ip *ip, const double *c, double *dw, double *dy)
{
    /* the factorisation may have begun with just these */
    if (!ip->begun || c != ip->now.c || dw != ip->dw || ip->sides_mu != ip->mu) {
        set_sides(ip, c, ip->mu);
        ip->begun = false;
    }
    return dd_ip_solve(ip, ip->rw, ip->rc, dw, dy);
}

/* How far the step may go is asked of it, and no more: it needs no refinement. */
bool dd_ip_probe(dd_ip *ip, dd_ip_reach *reach)
{
    if (!ip->begun || ip->sides_mu != 0) {
        set_sides(ip, ip->now.c, 0);
        ip->begun = false;
    }
    solve_once(ip, ip->rw, ip->rc, ip->dw, ip->dy);
    if (!isfinite(norm_of(ip->dw, ip->nw, ip->dy, ip->m))) {
        return false;
    }
    *reach = dd_ip_bound_steps(ip, 0, 1);
    return true;
}

dd_ip_reach dd_ip_bound_steps(dd_ip *ip, double mu, double tau)
{
    dd_ip_reach r = {1, 1};
    dd_ip_set_inverses(ip);
    /* W&B (12): dz = mu / distance - z -+ z / distance dw; then (15): distance + alpha d >= (1 - tau) distance */
    for (uint32_t k = 0; k < ip->n_low; k++) {
        const uint32_t i = ip->low[k];
        const double d = ip->dw[i], z = ip->zl[i], dz = (mu - z * d) * ip->low_inverse[k] - z;
        const double room = tau * (ip->now.w[i] - ip->lower[i]);
        ip->dzl[i] = dz;
        r.primal = -d * r.primal > room ? room / -d : r.primal;
        r.dual = -dz * r.dual > tau * z ? tau * z / -dz : r.dual;
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        const uint32_t i = ip->high[k];
        const double d = ip->dw[i], z = ip->zu[i], dz = (mu + z * d) * ip->high_inverse[k] - z;
        const double room = tau * (ip->upper[i] - ip->now.w[i]);
        ip->dzu[i] = dz;
        r.primal = d * r.primal > room ? room / d : r.primal;
        r.dual = -dz * r.dual > tau * z ? tau * z / -dz : r.dual;
    }
    return r;
}
