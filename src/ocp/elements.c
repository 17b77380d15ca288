/* elements.c - families of points: gather inputs, evaluate in one batch, scatter into rows and patterns. */
#include "ocp/elements_impl.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

enum {
    PART_POINTS = 4 * DD_LANE_BLOCK, /* that a thread takes at a time */
    WORTH_A_TEAM = 1 << 16           /* instructions of all points: about twenty microseconds */
};

dd_elements *dd_elements_new(dd_pool *pool, dd_dag *dag, dd_ocp_functions *functions)
{
    dd_elements *e = dd_pool_alloc(pool, sizeof *e);
    e->pool = pool;
    e->dag = dag;
    e->functions = functions != NULL ? functions : dd_ocp_functions_new(pool);
    e->ctx = dd_pool_context(pool);
    return e;
}

/* ---- building ---- */

uint32_t dd_elements_add_variable(dd_elements *e, double lower, double upper, double start)
{
    dd_vec_push(e->pool, &e->lower, lower);
    dd_vec_push(e->pool, &e->upper, upper);
    dd_vec_push(e->pool, &e->start, start);
    return e->lower.len - 1;
}

void dd_elements_set_size(dd_elements *e, uint32_t variable, double size)
{
    while (e->size.len <= variable) {
        dd_vec_push(e->pool, &e->size, 1.0);
    }
    e->size.data[variable] = size;
}

uint32_t dd_elements_add_row(dd_elements *e, double lower, double upper)
{
    dd_vec_push(e->pool, &e->row_lower, lower);
    dd_vec_push(e->pool, &e->row_upper, upper);
    return e->row_lower.len - 1;
}

void dd_elements_add_linear(dd_elements *e, uint32_t row, uint32_t variable, double factor)
{
    dd_vec_push(e->pool, &e->linear, ((dd_entry){row, variable}));
    dd_vec_push(e->pool, &e->linear_factor, factor);
}

uint32_t dd_elements_add_family(dd_elements *e, const dd_expr *inputs, uint32_t n_in, const dd_expr *outputs,
                                uint32_t n_out, const dd_expr *constants, uint32_t n_constants, uint32_t fresh)
{
    dd_ocp_function_spec spec = {inputs, outputs, constants, n_in, n_out, n_constants, fresh};
    const dd_ocp_function *known = dd_ocp_function_find(e->functions, e->dag, &spec);
    dd_point_family f = {.function = known, .n_in = n_in, .n_out = n_out, .n_constants = n_constants};
    f.jacobian = known->jacobian;
    f.hessian = known->hessian;
    f.values.program = known->values;
    f.first.program = known->first;
    f.second.program = known->second;
    dd_vec_push(e->pool, &e->families, f);
    return e->families.len - 1;
}

uint32_t dd_elements_add_point(dd_elements *e, uint32_t index)
{
    dd_point_family *f = &e->families.data[index];
    /* a row of zeros for its inputs; its outputs go nowhere as yet */
    for (uint32_t i = 0; i < f->n_in; i++) {
        dd_vec_push(e->pool, &f->offset, 0);
    }
    for (uint32_t o = 0; o < f->n_out; o++) {
        dd_vec_push(e->pool, &f->row, DD_NOWHERE);
        dd_vec_push(e->pool, &f->factor, 0);
    }
    return f->n_points++;
}

void dd_elements_input(dd_elements *e, uint32_t index, uint32_t point, uint32_t input, uint32_t variable, double factor)
{
    dd_point_family *f = &e->families.data[index];
    dd_vec_push(e->pool, &f->terms, ((dd_input_term){variable, factor}));
    dd_vec_push(e->pool, &f->term_input, point * f->n_in + input);
}

void dd_elements_offset(dd_elements *e, uint32_t index, uint32_t point, uint32_t input, double constant)
{
    dd_point_family *f = &e->families.data[index];
    f->offset.data[point * f->n_in + input] += constant;
}

void dd_elements_output(dd_elements *e, uint32_t index, uint32_t point, uint32_t output, uint32_t row, double factor)
{
    dd_point_family *f = &e->families.data[index];
    f->row.data[point * f->n_out + output] = row;
    f->factor.data[point * f->n_out + output] = factor;
}

/* ---- evaluating ---- */

static void gather(dd_elements *e, const double *y)
{
    for (uint32_t k = 0; k < e->families.len; k++) {
        /* structure of arrays: input i of all points is one run of memory, the lanes of a batch */
        dd_elements_gather(e, &e->families.data[k], y);
    }
    e->have_values = false;
    e->have_first = false;
}

/* One program of a family at all points, in parts for the members of a team. */
typedef struct batch {
    const dd_point_family *f;
    const dd_family_part *p;
} batch;

static void run_part(void *user, uint32_t part, uint32_t member)
{
    const batch *b = user;
    const dd_point_family *f = b->f;
    /* parts are whole blocks of lanes, so every point is computed as without them */
    uint32_t from = part * PART_POINTS, left = f->n_points - from;
    const double *in[2] = {f->in + from, f->weights + from};
    dd_program_eval_batch(member == 0 ? b->p->work : b->p->helpers[member - 1], left < PART_POINTS ? left : PART_POINTS,
                          f->ld, in, b->p->out + from);
}

static void run(const dd_elements *e, dd_point_family *f, dd_family_part *p)
{
    const double *in[2] = {f->in, f->weights};
    if (p->helpers != NULL) {
        dd_team_run(e->team, (f->n_points + PART_POINTS - 1) / PART_POINTS, run_part, &(batch){f, p});
    } else if (f->n_points > 0) {
        dd_program_eval_batch(p->work, f->n_points, f->ld, in, p->out);
    }
}

/* Values of all points, and the objective. */
static void evaluate(dd_elements *e)
{
    e->objective = 0;
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_point_family *f = &e->families.data[k];
        run(e, f, &f->values);
        for (uint32_t i = 0; i < f->to_objective.len; i++) {
            e->objective += f->to_objective.data[i].factor * f->values.out[f->to_objective.data[i].source];
        }
    }
    e->have_values = true;
}

static void evaluate_first(dd_elements *e)
{
    for (uint32_t k = 0; k < e->families.len && !e->have_first; k++) {
        run(e, &e->families.data[k], &e->families.data[k].first);
    }
    e->have_first = true;
}

static bool nlp_objective(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    if (!e->have_values) {
        evaluate(e);
    }
    *out = e->objective;
    return isfinite(e->objective);
}

static bool nlp_constraints(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    if (!e->have_values) {
        evaluate(e);
    }
    return dd_elements_scatter_rows(e, y, out);
}

static bool nlp_gradient(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    evaluate_first(e);
    return dd_elements_scatter_gradient(e, out);
}

static bool nlp_jacobian(void *user, const double *y, bool new_x, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    evaluate_first(e);
    return dd_elements_scatter_jacobian(e, out);
}

static bool nlp_hessian(void *user, const double *y, bool new_x, double sigma, const double *lambda, double *out)
{
    dd_elements *e = user;
    if (new_x) {
        gather(e, y);
    }
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_point_family *f = &e->families.data[k];
        /* weights of the Lagrangian sigma f + lambda^T c, with the factor of the output */
        dd_scatter_back(&f->to_rows, lambda, f->weights);
        for (uint32_t i = 0; i < f->to_objective.len; i++) {
            f->weights[f->to_objective.data[i].source] = sigma * f->to_objective.data[i].factor;
        }
        /* one batch evaluates the weighted Hessian of every point */
        run(e, f, &f->second);
    }
    return dd_elements_scatter_hessian(e, out);
}

/* ---- finishing ---- */

static double *new_block(dd_elements *e, size_t n)
{
    return dd_pool_alloc_array(e->pool, n + 1, sizeof(double));
}

static void must(dd_elements *e, dd_status status)
{
    if (status != DD_OK) {
        dd_raise(e->ctx, status, "%s", dd_status_text(status));
    }
}

static void finish_part(dd_elements *e, dd_point_family *f, dd_family_part *p, uint32_t n_out)
{
    p->out = new_block(e, n_out * f->ld);
    must(e, dd_program_work_new(&p->work, e->ctx, p->program, f->n_points > 2 ? f->n_points : 2));
}

/* The inputs and outputs of all points as lists by their places in the batch. */
static void list_places(dd_elements *e, dd_point_family *f)
{
    f->constant = new_block(e, f->n_in * f->ld);
    f->has_offset = dd_pool_alloc_array(e->pool, (size_t)f->n_in + 1, sizeof *f->has_offset);
    for (uint32_t at = 0; at < f->offset.len; at++) {
        f->constant[at % f->n_in * f->ld + at / f->n_in] = f->offset.data[at];
        f->has_offset[at % f->n_in] |= f->offset.data[at] != 0;
    }
    for (uint32_t t = 0; t < f->terms.len; t++) {
        uint32_t at = f->term_input.data[t];
        const dd_input_term *term = &f->terms.data[t];
        dd_scatter s = {term->variable, (uint32_t)(at % f->n_in * f->ld + at / f->n_in), term->factor};
        dd_vec_push(e->pool, &f->to_in.values, s);
    }
    for (uint32_t at = 0; at < f->row.len; at++) {
        dd_scatter s = {(uint32_t)(at % f->n_out * f->ld + at / f->n_out), f->row.data[at], f->factor.data[at]};
        if (s.at == DD_OBJECTIVE) {
            dd_vec_push(e->pool, &f->to_objective, s);
        } else if (s.at != DD_NOWHERE) {
            dd_vec_push(e->pool, &f->to_rows.values, s);
        }
    }
}

const dd_nlp *dd_elements_finish(dd_elements *e)
{
    dd_pool *scratch = dd_pool_child(e->pool);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_point_family *f = &e->families.data[k];
        /* rows of a batch are padded to whole blocks of lanes: the loops of the programs have no remainder */
        f->ld = ((size_t)f->n_points + DD_LANE_BLOCK - 1) / DD_LANE_BLOCK * DD_LANE_BLOCK;
        f->in = new_block(e, f->n_in * f->ld);
        f->weights = new_block(e, f->n_out * f->ld);
        list_places(e, f);
        finish_part(e, f, &f->values, f->n_out);
        finish_part(e, f, &f->first, f->jacobian->ptr[f->n_in]);
        finish_part(e, f, &f->second, f->hessian->ptr[f->n_in]);
    }
    /* patterns need the leading dimension, so they come after it */
    dd_elements_make_jacobian(e, scratch);
    dd_elements_make_hessian(e, scratch);
    dd_pool_free(scratch);
    for (uint32_t k = 0; k < e->linear.len; k++) {
        dd_scatter s = {e->linear.data[k].col, e->linear.data[k].row, e->linear_factor.data[k]};
        dd_vec_push(e->pool, &e->linear_to_rows.values, s);
    }
    dd_elements_divide(e);
    /* the program as solvers see it */
    e->nlp.user = e;
    e->nlp.n = e->lower.len;
    e->nlp.m = e->row_lower.len;
    e->nlp.x_lower = e->lower.data;
    e->nlp.x_upper = e->upper.data;
    if (e->size.len > 0) {
        dd_elements_set_size(e, e->nlp.n, 1); /* all of them; one past the last does no harm */
        e->nlp.x_size = e->size.data;
    }
    e->nlp.c_lower = e->row_lower.data;
    e->nlp.c_upper = e->row_upper.data;
    e->nlp.objective = nlp_objective;
    e->nlp.gradient = nlp_gradient;
    e->nlp.constraints = nlp_constraints;
    e->nlp.jacobian = nlp_jacobian;
    e->nlp.hessian = nlp_hessian;
    return &e->nlp;
}

static void free_part(const dd_elements *e, const dd_family_part *p)
{
    dd_program_work_free(p->work);
    for (uint32_t i = 0; p->helpers != NULL && i < e->n_helpers; i++) {
        dd_program_work_free(p->helpers[i]);
    }
}

void dd_elements_free(dd_elements *e)
{
    for (uint32_t k = 0; e != NULL && k < e->families.len; k++) {
        free_part(e, &e->families.data[k].values);
        free_part(e, &e->families.data[k].first);
        free_part(e, &e->families.data[k].second);
    }
}

static void add_helpers(dd_elements *e, const dd_point_family *f, dd_family_part *p)
{
    uint64_t work = (uint64_t)dd_program_get_info(p->program).instructions * f->n_points;
    if (work < WORTH_A_TEAM || f->n_points <= PART_POINTS) {
        return;
    }
    /* each has registers of its own */
    p->helpers = dd_pool_alloc_array(e->pool, e->n_helpers, sizeof(dd_program_work *));
    for (uint32_t i = 0; i < e->n_helpers; i++) {
        must(e, dd_program_work_new(&p->helpers[i], e->ctx, p->program, PART_POINTS));
        if (f->constants != NULL) {
            dd_program_set_constants(p->helpers[i], f->constants);
        }
    }
}

void dd_elements_use_team(dd_elements *e, dd_team *team)
{
    e->team = team;
    e->n_helpers = dd_team_size(team) - 1;
    if (e->n_helpers == 0) {
        return;
    }
    dd_elements_divide(e);
    for (uint32_t k = 0; k < e->families.len; k++) {
        dd_point_family *f = &e->families.data[k];
        add_helpers(e, f, &f->values);
        add_helpers(e, f, &f->first);
        add_helpers(e, f, &f->second);
    }
}

uint32_t dd_elements_families(const dd_elements *e)
{
    return e->families.len;
}

dd_family_view dd_elements_family(const dd_elements *e, uint32_t family)
{
    const dd_point_family *f = &e->families.data[family];
    return (dd_family_view){.function = f->function,
                            .points = f->n_points,
                            .terms = f->terms.len,
                            .term = f->terms.data,
                            .term_input = f->term_input.data,
                            .offset = f->offset.data,
                            .row = f->row.data,
                            .factor = f->factor.data,
                            .ld = f->ld,
                            .jacobian = &f->to_jacobian.values,
                            .gradient = &f->to_gradient.values,
                            .hessian = &f->to_hessian.values};
}

const double *dd_elements_linear_part(const dd_elements *e)
{
    return e->fixed;
}

static void set_part_constants(const dd_elements *e, const dd_family_part *p, const double *values)
{
    dd_program_set_constants(p->work, values);
    for (uint32_t i = 0; p->helpers != NULL && i < e->n_helpers; i++) {
        dd_program_set_constants(p->helpers[i], values);
    }
}

void dd_elements_set_constants(dd_elements *e, uint32_t index, const double *values)
{
    dd_point_family *f = &e->families.data[index];
    if (f->n_constants > 0) {
        f->constants = f->constants != NULL ? f->constants : new_block(e, f->n_constants);
        memcpy(f->constants, values, f->n_constants * sizeof *values);
        set_part_constants(e, &f->values, values);
        set_part_constants(e, &f->first, values);
        set_part_constants(e, &f->second, values);
        e->have_values = e->have_first = false;
    }
}

void dd_elements_set_offset(dd_elements *e, uint32_t index, uint32_t point, uint32_t input, double constant)
{
    const dd_point_family *f = &e->families.data[index];
    f->constant[input * f->ld + point] = constant;
    f->has_offset[input] = true;
    e->have_values = e->have_first = false;
}

double *dd_elements_start(dd_elements *e)
{
    return e->start.data;
}

double *dd_elements_lower(dd_elements *e)
{
    return e->lower.data;
}

double *dd_elements_upper(dd_elements *e)
{
    return e->upper.data;
}

double *dd_elements_row_lower(dd_elements *e)
{
    return e->row_lower.data;
}

double *dd_elements_row_upper(dd_elements *e)
{
    return e->row_upper.data;
}

const double *dd_elements_inputs(dd_elements *e, uint32_t index, const double *y, size_t *ld)
{
    gather(e, y);
    *ld = e->families.data[index].ld;
    return e->families.data[index].in;
}

bool dd_elements_nonfinite(dd_elements *e, const double *y, uint32_t *index, uint32_t *point, uint32_t *output)
{
    gather(e, y);
    evaluate(e);
    for (uint32_t k = 0; k < e->families.len; k++) {
        const dd_point_family *f = &e->families.data[k];
        for (uint32_t p = 0; p < f->n_points; p++) {
            for (uint32_t o = 0; o < f->n_out; o++) {
                if (!isfinite(f->values.out[o * f->ld + p])) {
                    *index = k;
                    *point = p;
                    *output = o;
                    return true;
                }
            }
        }
    }
    return false;
}

uint32_t dd_elements_row_of(const dd_elements *e, uint32_t index, uint32_t point, uint32_t output)
{
    const dd_point_family *f = &e->families.data[index];
    return f->row.data[point * f->n_out + output];
}

uint32_t dd_elements_depends(const dd_elements *e, uint32_t index, uint32_t output, bool *on)
{
    const dd_point_family *f = &e->families.data[index];
    /* column i of the Jacobian's pattern has the outputs that contain input i */
    for (uint32_t i = 0; i < f->n_in && on != NULL; i++) {
        on[i] = false;
        for (uint32_t k = f->jacobian->ptr[i]; k < f->jacobian->ptr[i + 1]; k++) {
            on[i] = on[i] || f->jacobian->idx[k] == output;
        }
    }
    return f->n_in;
}

bool dd_elements_uses(const dd_elements *e, uint32_t index, uint32_t input)
{
    const dd_derivative *j = e->families.data[index].jacobian;
    return j->ptr[input] < j->ptr[input + 1];
}
