/* transcription.c - variables, rows and points of the program on a mesh.
 *
 * By collocation here; steps of shooting are added by shooting*.c. transcription_inputs.c says what the inputs of
 * a point are, transcription_read.c reads solutions. Where to begin: build, near the end.
 */
#include "ocp/transcription.h"

#include <math.h>
#include <string.h>

#include "ocp/shape.h"
#include "ocp/shooting.h"
#include "ocp/transcription_impl.h"
#include "ocp/transcription_kinks.h"
#include "ocp/window.h"

#define AT_END 1e-14    /* the last node of a method is 1 to rounding, or well below it */
#define SMALL_TIME 1e-2 /* a shorter horizon is scaled: tolerances of solvers are absolute. A long one does no harm */

/* ---- coefficients ---- */

static void prepare_degree(dd_transcription *t, uint32_t d)
{
    dd_quad c[DD_DEGREE_MOST], inverse[DD_DEGREE_MOST * DD_DEGREE_MOST], a[DD_DEGREE_MOST * DD_DEGREE_MOST];
    dd_quad b[DD_DEGREE_MOST], with_zero[DD_DEGREE_MOST + 1];
    if (t->tau[d][1] != 0) {
        return;
    }
    /* c_j, a_ji and b_i of the collocation method in quadruple precision: their errors would be
     * those of every row */
    dd_collocation_nodes(t->mesh.nodes, d, c);
    dd_collocation(c, d, a, b);
    dd_collocation_inverse(c, d, inverse);
    with_zero[0] = 0;
    for (uint32_t j = 1; j <= d; j++) {
        /* x_kj = x_k + h sum_i a_ji f_i, solved for the slopes: h f_j = sum_r C_jr x_kr over the points r =
         * 0..d. With the inverse of A for r >= 1; C_j0 is minus their sum, since constants have slope zero */
        double sum = 0;
        t->tau[d][j] = (double)(c[j - 1]);
        t->weight[d][j] = (double)(b[j - 1]);
        with_zero[j] = c[j - 1];
        for (uint32_t r = 1; r <= d; r++) {
            t->slope[d][j][r] = (double)(inverse[(j - 1) * d + r - 1]);
            sum += t->slope[d][j][r];
        }
        t->slope[d][j][0] = -sum;
    }
    /* D_r: the polynomial through x_k and the d points, taken at the right end */
    for (uint32_t r = 0; r <= d; r++) {
        t->end[d][r] = (double)(dd_lagrange(with_zero, d + 1, r, 1));
    }
}

void dd_transcription_weights(const dd_transcription *t, uint32_t k, double theta, double *w)
{
    uint32_t d = t->mesh.degree[k];
    double s = (theta - t->mesh.theta[k]) / (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    /* Lagrange polynomials on 0 and the d nodes: x is continuous, so its value at the left end takes part */
    for (uint32_t r = 0; r <= d; r++) {
        w[r] = 1;
        for (uint32_t i = 0; i <= d; i++) {
            double ti = i == 0 ? 0 : t->tau[d][i], tr = r == 0 ? 0 : t->tau[d][r];
            w[r] *= i == r ? 1 : (s - ti) / (tr - ti);
        }
    }
}

void dd_transcription_point_weights(const dd_transcription *t, uint32_t k, double theta, double *w)
{
    uint32_t d = t->mesh.degree[k];
    double s = (theta - t->mesh.theta[k]) / (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    /* Lagrange polynomials on the d nodes alone: z and polynomial controls have no value at the left end */
    for (uint32_t r = 1; r <= d; r++) {
        w[r] = 1;
        for (uint32_t i = 1; i <= d; i++) {
            w[r] *= i == r ? 1 : (s - t->tau[d][i]) / (t->tau[d][r] - t->tau[d][i]);
        }
    }
}

/* ---- variables ---- */

static double held(double value, double lower, double upper)
{
    return fmin(fmax(value, lower), upper);
}

static uint32_t add_variables(dd_transcription *t, const dd_decision_vec *list, const double *guess, bool bounded)
{
    uint32_t first = NONE;
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        double lower = bounded ? d->lower / d->scale : -INFINITY, upper = bounded ? d->upper / d->scale : INFINITY;
        uint32_t at = dd_elements_add_variable(t->elements, lower, upper, held(guess[i] / d->scale, lower, upper));
        first = i == 0 ? at : first;
    }
    return first;
}

static uint32_t add_time(dd_transcription *t, bool is_free, double value, double lower, double upper)
{
    if (!is_free) {
        return NONE;
    }
    uint32_t at = dd_elements_add_variable(t->elements, lower, upper, held(value, lower, upper));
    double size = fabs(t->o->first_horizon);
    if (size > 0 && size < SMALL_TIME) {
        dd_elements_set_size(t->elements, at, size);
    }
    return at;
}

/* Polynomial controls of shooting: values at all stages of all steps of an interval. */
static void add_stage_controls(dd_transcription *t, uint32_t k, const dd_guess *guess, double *x, double *z, double *u)
{
    const dd_mesh *mesh = &t->mesh;
    for (uint32_t g = 0; g < mesh->substeps * mesh->tableau->stages; g++) {
        double part = dd_mesh_stage(mesh, g);
        guess->at(guess->user, mesh->theta[k] + part * (mesh->theta[k + 1] - mesh->theta[k]), part >= 1, x, z, u);
        uint32_t first = add_variables(t, &t->o->u, u, true);
        t->u_at[k] = g == 0 ? first : t->u_at[k];
    }
}

static void make_variables(dd_transcription *t, const dd_guess *guess)
{
    dd_ocp_problem *o = t->o;
    uint32_t n = t->mesh.n;
    double *x = dd_pool_alloc_array(t->pool, o->x.len + 1, sizeof *x);
    double *z = dd_pool_alloc_array(t->pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(t->pool, o->u.len + 1, sizeof *u);
    double *p = dd_pool_alloc_array(t->pool, o->p.len + 1, sizeof *p);
    /* interval by interval, so that the KKT matrix is banded: x_k, u_k, then the collocation points of the
     * interval */
    for (uint32_t k = 0; k <= n; k++) {
        double theta = t->mesh.theta[k];
        dd_check_stop(dd_pool_context(t->pool));
        guess->at(guess->user, theta, k == n, x, z, u);
        /* a known start is imposed by rows: bounds on x_0 would repeat or contradict them */
        if (k == 0 && o->start_known) {
            memcpy(x, o->x_start, o->x.len * sizeof *x);
        }
        t->x_at[k] = add_variables(t, &o->x, x, k > 0 || !o->start_known);
        if (t->mesh.control == DD_CONTROL_LINEAR || (t->mesh.control == DD_CONTROL_CONSTANT && k < n)) {
            t->u_at[k] = add_variables(t, &o->u, u, true);
        }
        if (t->mesh.control == DD_CONTROL_POLYNOMIAL && t->mesh.tableau != NULL && k < n) {
            add_stage_controls(t, k, guess, x, z, u);
        }
        /* x_kj, z_kj and u_kj are neighbours: point_at is the first of them, whichever of the lists are empty */
        for (uint32_t j = 1; k < n && j <= t->mesh.degree[k]; j++) {
            double at = theta + t->tau[t->mesh.degree[k]][j] * (t->mesh.theta[k + 1] - theta);
            guess->at(guess->user, at, t->tau[t->mesh.degree[k]][j] >= 1, x, z, u);
            uint32_t first = add_variables(t, &o->x, x, true), second = add_variables(t, &o->z, z, true);
            first = first != NONE ? first : second;
            if (t->mesh.control == DD_CONTROL_POLYNOMIAL) {
                second = add_variables(t, &o->u, u, true);
                first = first != NONE ? first : second;
            }
            t->point_at[k * DD_DEGREE_MOST + j - 1] = first;
            dd_transcription_point_kinks(t, k, j);
        }
    }
    /* variables of the whole horizon come last: a border of the banded matrix */
    for (uint32_t i = 0; i < o->p.len; i++) {
        p[i] = o->p.data[i].start_value;
    }
    t->p_at = add_variables(t, &o->p, p, true);
    t->t0_at = add_time(t, o->free_t0, o->t0_value, o->t0_lower, o->t0_upper);
    t->tf_at = add_time(t, o->free_tf, o->tf_value, o->tf_lower, o->tf_upper);
}

/* ---- rows ---- */

uint32_t dd_transcription_add_row(dd_transcription *t, dd_row_kind kind, uint32_t index, uint32_t k, uint32_t j,
                                  double theta, double lower, double upper)
{
    dd_row_tag tag = {kind, index, k, j, theta};
    dd_vec_push(t->pool, &t->tags, tag);
    return dd_elements_add_row(t->elements, lower, upper);
}

static double theta_at(const dd_transcription *t, uint32_t k, uint32_t j)
{
    double width = t->mesh.theta[k + 1] - t->mesh.theta[k];
    return t->mesh.theta[k] + (j == 0 ? 0 : t->tau[t->mesh.degree[k]][j]) * width;
}

static void add_continuity(dd_transcription *t, uint32_t k)
{
    const dd_ocp_problem *o = t->o;
    uint32_t d = t->mesh.degree[k];
    /* x_{k+1} - sum_r D_r x_kr = 0; for Radau nodes D is a unit vector, because the last point is the right end */
    for (uint32_t i = 0; i < o->x.len; i++) {
        uint32_t row = dd_transcription_add_row(t, DD_ROW_CONTINUITY, i, k, 0, t->mesh.theta[k + 1], 0, 0);
        dd_elements_add_linear(t->elements, row, t->x_at[k + 1] + i, 1);
        for (uint32_t r = 0; r <= d; r++) {
            if (fabs(t->end[d][r]) > DD_NO_WEIGHT) {
                dd_elements_add_linear(t->elements, row, dd_transcription_x(t, k, r, i), -t->end[d][r]);
            }
        }
    }
}

static void add_start(dd_transcription *t)
{
    const dd_ocp_problem *o = t->o;
    t->start_row = t->tags.len;
    for (uint32_t i = 0; i < o->x.len && o->start_known; i++) {
        double value = o->x_start[i] / o->x.data[i].scale;
        uint32_t row = dd_transcription_add_row(t, DD_ROW_START, i, 0, 0, 0, value, value);
        dd_elements_add_linear(t->elements, row, t->x_at[0] + i, 1);
    }
}

/* h f - sum C x = 0 and g = 0 at one collocation point, and its part of the cost. */
static void add_point_rows(dd_transcription *t, uint32_t k, uint32_t j)
{
    const dd_ocp_problem *o = t->o;
    uint32_t d = t->mesh.degree[k], family = t->dynamics, point = dd_elements_add_point(t->elements, family);
    double width = t->mesh.theta[k + 1] - t->mesh.theta[k], theta = theta_at(t, k, j);
    dd_transcription_fill_common(t, family, point, k, j);
    dd_transcription_time_terms(t, family, point, dd_transcription_inputs(o), -width, width);
    /* defects h f_i(x_kj, z_kj, u_kj) - sum_r C_jr x_kr = 0: f is the nonlinear part, the sum is linear and
     * constant */
    for (uint32_t i = 0; i < o->x.len; i++) {
        uint32_t row = dd_transcription_add_row(t, DD_ROW_DYNAMICS, i, k, j, theta, 0, 0);
        dd_elements_output(t->elements, family, point, i, row, 1 / o->x.data[i].scale);
        for (uint32_t r = 0; r <= d; r++) {
            dd_elements_add_linear(t->elements, row, dd_transcription_x(t, k, r, i), -t->slope[d][j][r]);
        }
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        uint32_t row = dd_transcription_add_row(t, DD_ROW_ALGEBRAIC, i, k, j, theta, 0, 0);
        dd_elements_output(t->elements, family, point, o->x.len + i, row, 1 / o->g_size[i]);
    }
    /* int L dt = sum_j b_j h L(x_kj, ..) over all points, the quadrature of the same order as the method */
    if (o->integrand != DD_EXPR_NONE) {
        dd_elements_output(t->elements, family, point, o->x.len + o->g.len, DD_OBJECTIVE, t->weight[d][j]);
    }
    dd_transcription_integrand_kinks(t, &(dd_kink_place){family, point, k, j, theta});
}

/* h f, g and h L, then the pieces of kinks of L, as functions of common inputs, h and kinks. */
static uint32_t dynamics_family(dd_transcription *t)
{
    dd_ocp_problem *o = t->o;
    dd_expr_vec inputs = {0}, outputs = {0};
    const dd_expr h = dd_param(o->dag, o->fresh++);
    dd_vec_reserve(t->pool, &inputs, dd_transcription_inputs(o) + 1);
    inputs.len = dd_transcription_common_inputs(o, inputs.data);
    dd_vec_push(t->pool, &inputs, h);
    /* h multiplies f and L inside the family: with a free horizon it is a variable, and products with it need
     * derivatives */
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_vec_push(t->pool, &outputs, dd_mul(o->dag, h, dd_ocp_rate(o, i)));
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        dd_vec_push(t->pool, &outputs, dd_ocp_algebraic(o, i));
    }
    const dd_lifted *lifted = &o->integrand_lifted;
    if (o->integrand != DD_EXPR_NONE) {
        dd_vec_push(t->pool, &outputs, dd_mul(o->dag, h, lifted->e != DD_EXPR_NONE ? lifted->e : dd_ocp_integrand(o)));
    }
    dd_transcription_kink_symbols(t, &lifted->kinks, &inputs);
    dd_transcription_kink_pieces(t, &lifted->kinks, &outputs);
    const uint32_t family = dd_elements_add_family(t->elements, inputs.data, inputs.len, outputs.data, outputs.len,
                                                   o->constants.data, o->constants.len, o->fresh);
    o->fresh += outputs.len;
    return family;
}

static void add_dynamics(dd_transcription *t)
{
    t->dynamics = dynamics_family(t);
    /* in the order of time, as the variables */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        dd_check_stop(dd_pool_context(t->pool));
        add_continuity(t, k);
        if (k == 0) {
            add_start(t);
        }
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            add_point_rows(t, k, j);
        }
    }
}

/* ---- path rows ---- */

dd_path_where dd_transcription_where(const dd_transcription *t, const dd_ocp_row *row)
{
    bool once = row->at_nodes || (row->of_control && t->mesh.control == DD_CONTROL_CONSTANT);
    return once ? DD_WHERE_CONTROLS : row->at_points || row->lower == row->upper ? DD_WHERE_POINTS : DD_WHERE_STATES;
}

/* Path rows that hold at the same points, and the kinks in them. */
typedef struct path_family {
    uint32_t family;
    dd_index_vec rows, kinks;
} path_family;

static void path_point(dd_transcription *t, const path_family *f, uint32_t k, uint32_t j)
{
    const dd_ocp_problem *o = t->o;
    const uint32_t family = f->family;
    uint32_t point = dd_elements_add_point(t->elements, family);
    double theta = j > t->mesh.degree[k] ? t->mesh.theta[k + 1] : theta_at(t, k, j);
    dd_transcription_fill_common(t, family, point, k, j);
    for (uint32_t i = 0; i < f->rows.len; i++) {
        const dd_ocp_row *r = &o->path.data[f->rows.data[i]];
        uint32_t row = dd_transcription_add_row(t, DD_ROW_PATH, f->rows.data[i], k, j, theta, r->lower, r->upper);
        dd_elements_output(t->elements, family, point, i, row, 1);
    }
    const dd_kink_place at = {family, point, k, j, theta};
    dd_transcription_kinks_of_point(t, &at, &f->kinks, dd_transcription_inputs(o), f->rows.len);
}

/* The rows that hold at such points; false: there are none. */
static bool list_path_rows(dd_transcription *t, dd_path_where where, path_family *f)
{
    dd_ocp_problem *o = t->o;
    dd_expr_vec inputs = {0}, outputs = {0};
    for (uint32_t i = 0; i < o->path.len; i++) {
        const dd_ocp_row *r = &o->path.data[i];
        if (dd_transcription_where(t, r) == where) {
            dd_vec_push(t->pool, &f->rows, i);
            dd_vec_push(t->pool, &outputs, r->lifted.kinks.len > 0 ? r->lifted.e : r->e);
        }
        for (uint32_t k = 0; dd_transcription_where(t, r) == where && k < r->lifted.kinks.len; k++) {
            dd_vec_push(t->pool, &f->kinks, r->lifted.kinks.data[k]);
        }
    }
    if (f->rows.len == 0) {
        return false;
    }
    dd_vec_reserve(t->pool, &inputs, dd_transcription_inputs(o) + 1);
    inputs.len = dd_transcription_common_inputs(o, inputs.data);
    dd_transcription_kink_symbols(t, &f->kinks, &inputs);
    dd_transcription_kink_pieces(t, &f->kinks, &outputs);
    f->family = dd_elements_add_family(t->elements, inputs.data, inputs.len, outputs.data, outputs.len,
                                       o->constants.data, o->constants.len, o->fresh);
    o->fresh += outputs.len;
    return true;
}

static void add_path_family(dd_transcription *t, dd_path_where where)
{
    path_family f = {0};
    if (!list_path_rows(t, where, &f)) {
        return;
    }
    /* a row at the right end of an interval is that at the left end of the next: each node is taken once */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        uint32_t d = t->mesh.degree[k];
        bool reaches_end = t->shooting != NULL ? dd_shooting_reaches_end(t->shooting) : fabs(t->tau[d][d] - 1) < AT_END;
        bool right = t->shooting != NULL && reaches_end; /* there the last stage is the node, with this control */
        if (where == DD_WHERE_CONTROLS) {
            path_point(t, &f, k, t->mesh.control == DD_CONTROL_LINEAR ? 0 : 1);
            if (t->mesh.control == DD_CONTROL_LINEAR && k + 1 == t->mesh.n) {
                path_point(t, &f, k, d + 1);
            }
            continue;
        }
        /* Radau and the like have the node among the points; Gauss nodes do not, and there the left ends are
         * added */
        bool left = where == DD_WHERE_STATES && (!reaches_end || k == 0);
        for (uint32_t j = left ? 0 : 1; j <= d; j++) {
            path_point(t, &f, k, j);
        }
        /* the end of the horizon has no interval behind it that would take it as its left end */
        if (where == DD_WHERE_STATES && (right || (!reaches_end && k + 1 == t->mesh.n))) {
            path_point(t, &f, k, d + 1);
        }
    }
}

/* ---- values at instants ---- */

bool dd_transcription_uses(const dd_ocp_problem *o, const dd_expr_vec *symbols, const dd_instant *at)
{
    bool found = false;
    /* symbols of an instant were numbered in one go: x, z, u, then its time */
    uint32_t last = dd_symbol_id(o->dag, at->time), first = at->x.len > 0   ? dd_symbol_id(o->dag, at->x.data[0])
                                                            : at->z.len > 0 ? dd_symbol_id(o->dag, at->z.data[0])
                                                            : at->u.len > 0 ? dd_symbol_id(o->dag, at->u.data[0])
                                                                            : last;
    for (uint32_t i = 0; i < symbols->len && !found; i++) {
        dd_expr s = symbols->data[i];
        uint32_t id = dd_op_of(o->dag, s) == DD_OP_PARAM ? dd_symbol_id(o->dag, s) : 0;
        found = id >= first && id <= last;
    }
    return found;
}

/* Point rows and the cost at points: one family, one point; each row has its own so that patterns stay sparse. */
static void add_boundary_function(dd_transcription *t, dd_expr e, const dd_lifted *lifted, uint32_t row)
{
    dd_ocp_problem *o = t->o;
    dd_expr_vec inputs = {0}, symbols = {0};
    dd_index_vec used = {0};
    dd_symbols(o->dag, e, true, &symbols, t->pool);
    /* only the instants that occur become inputs: a family with all of them would have a full row in the
     * Jacobian */
    for (uint32_t i = 0; i < o->instants.len; i++) {
        const dd_instant *at = &o->instants.data[i];
        if (!dd_transcription_uses(o, &symbols, at)) {
            continue;
        }
        dd_vec_push(t->pool, &used, i);
        for (uint32_t k = 0; k < at->x.len; k++) {
            dd_vec_push(t->pool, &inputs, at->x.data[k]);
        }
        for (uint32_t k = 0; k < at->z.len; k++) {
            dd_vec_push(t->pool, &inputs, at->z.data[k]);
        }
        for (uint32_t k = 0; k < at->u.len; k++) {
            dd_vec_push(t->pool, &inputs, at->u.data[k]);
        }
        dd_vec_push(t->pool, &inputs, at->time);
    }
    uint32_t parameters = inputs.len;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_vec_push(t->pool, &inputs, o->p.data[i].symbol);
    }
    dd_vec_push(t->pool, &inputs, o->t0);
    dd_vec_push(t->pool, &inputs, o->tf);
    /* one function, one point: the inputs in the order in which they were listed; then its kinks */
    const uint32_t n_in = inputs.len;
    dd_expr_vec outputs = {0};
    dd_vec_push(t->pool, &outputs, lifted->kinks.len > 0 ? lifted->e : e);
    dd_transcription_kink_symbols(t, &lifted->kinks, &inputs);
    dd_transcription_kink_pieces(t, &lifted->kinks, &outputs);
    uint32_t family = dd_elements_add_family(t->elements, inputs.data, inputs.len, outputs.data, outputs.len,
                                             o->constants.data, o->constants.len, o->fresh);
    o->fresh += outputs.len;
    dd_elements_add_point(t->elements, family);
    uint32_t input = 0;
    for (uint32_t i = 0; i < used.len; i++) {
        dd_transcription_instant_terms(t, family, input, &o->instants.data[used.data[i]]);
        input += o->x.len + o->z.len + o->u.len + 1;
    }
    dd_transcription_parameter_terms(t, family, 0, parameters);
    dd_transcription_time_terms(t, family, 0, parameters + o->p.len, 1, 0);
    dd_transcription_time_terms(t, family, 0, parameters + o->p.len + 1, 0, 1);
    dd_elements_output(t->elements, family, 0, 0, row, 1);
    dd_transcription_boundary_kinks(t, family, &lifted->kinks, n_in);
}

/* The last of the times that a row is about. */
static double instant_of(dd_transcription *t, dd_expr e)
{
    const dd_ocp_problem *o = t->o;
    dd_expr_vec symbols = {0};
    double theta = -1;
    dd_symbols(o->dag, e, true, &symbols, t->pool);
    for (uint32_t i = 0; i < o->instants.len; i++) {
        theta =
            dd_transcription_uses(o, &symbols, &o->instants.data[i]) ? fmax(theta, o->instants.data[i].theta) : theta;
    }
    dd_vec_free(t->pool, &symbols);
    return theta < 0 ? 1 : theta;
}

static void add_boundary(dd_transcription *t)
{
    dd_ocp_problem *o = t->o;
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *r = &o->points.data[i];
        /* a dropped row stays in the program with the wide bounds of a guard, so that its numbering does not
         * change */
        double lower = r->dropped ? r->guard_lower : r->lower, upper = r->dropped ? r->guard_upper : r->upper;
        uint32_t row = dd_transcription_add_row(t, DD_ROW_POINT, i, 0, 0, instant_of(t, r->e), lower, upper);
        add_boundary_function(t, r->e, &r->lifted, row);
    }
    if (o->mayer != DD_EXPR_NONE) {
        add_boundary_function(t, o->mayer, &o->mayer_lifted, DD_OBJECTIVE);
    }
}

/* ---- all of it ---- */

typedef struct building {
    dd_transcription *t;
    const dd_guess *guess;
} building;

static void build(void *user)
{
    const building *b = user;
    dd_transcription *t = b->t;
    dd_ocp_problem *o = t->o;
    const dd_mesh *mesh = &t->mesh;
    /* where variables are: filled by make_variables, read by all that follows */
    t->elements = dd_elements_new(t->pool, o->dag, o->functions);
    t->x_at = dd_pool_alloc_array(t->pool, mesh->n + 1, sizeof *t->x_at);
    t->u_at = dd_pool_alloc_array(t->pool, mesh->n + 1, sizeof *t->u_at);
    t->point_at = dd_pool_alloc_array(t->pool, (size_t)mesh->n * DD_DEGREE_MOST + 1, sizeof *t->point_at);
    t->kinks_at = dd_pool_alloc_array(t->pool, (size_t)mesh->n * DD_DEGREE_MOST + 1, sizeof *t->kinks_at);
    for (uint32_t k = 0; k < mesh->n && mesh->tableau == NULL; k++) {
        prepare_degree(t, mesh->degree[k]);
    }
    uint32_t fresh = o->fresh;
    /* variables first, then rows in blocks; the order of both is the numbering of the program */
    make_variables(t, b->guess);
    if (mesh->tableau != NULL) {
        dd_shooting_add(t, b->guess);
        add_start(t);
    } else {
        add_dynamics(t);
        add_path_family(t, DD_WHERE_POINTS);
    }
    add_path_family(t, DD_WHERE_STATES);
    add_path_family(t, DD_WHERE_CONTROLS);
    add_boundary(t);
    if (o->window != NULL) {
        dd_window_add(t);
    }
    /* patterns and batches; from here on nothing can be added */
    t->nlp = dd_elements_finish(t->elements);
    /* the arrival cost of a window has constants of its own */
    const uint32_t shared = o->window != NULL ? o->window->arrival : dd_elements_families(t->elements);
    for (uint32_t family = 0; family < shared; family++) {
        dd_elements_set_constants(t->elements, family, o->constant_value);
    }
    dd_elements_use_team(t->elements, o->team);
    if (t->shooting != NULL) {
        t->nlp = dd_shooting_finish(t->shooting, t->nlp);
    }
    dd_nlp *shaped = dd_pool_alloc(t->pool, sizeof *shaped);
    *shaped = *t->nlp;
    shaped->shape = dd_ocp_shape(t);
    t->nlp = shaped;
    dd_transcription_start_kinks(t, dd_elements_start(t->elements));
    o->fresh = fresh; /* symbols of the families are theirs alone */
}

dd_transcription *dd_transcribe(dd_ocp_problem *o, const dd_mesh *mesh, const dd_guess *guess, dd_pool *pool)
{
    dd_context *ctx = dd_pool_context(pool);
    dd_transcription *t = dd_pool_alloc(pool, sizeof *t);
    building b = {t, guess};
    t->o = o;
    t->mesh = *mesh;
    t->pool = pool;
    dd_status status = dd_protect(ctx, build, &b);
    if (status != DD_OK) { /* memory outside of the pool */
        dd_transcription_free(t);
        dd_raise(ctx, status, "%s", dd_pool_strdup(pool, dd_context_message(ctx)));
    }
    return t;
}

void dd_transcription_free(dd_transcription *t)
{
    if (t != NULL) {
        dd_shooting_free(t->shooting);
        dd_elements_free(t->elements);
    }
}
