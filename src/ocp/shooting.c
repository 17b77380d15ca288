/* shooting.c - setting up multiple shooting: stage functions, levels, rows, taps, patterns. */
#include "ocp/shooting.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "ocp/shooting_impl.h"

#define NONE UINT32_MAX
#define SAME_NODE 1e-12

/* ---- stage functions ---- */

static uint32_t put_symbols(const dd_decision_vec *list, dd_expr *out)
{
    for (uint32_t i = 0; i < list->len; i++) {
        out[i] = list->data[i].symbol;
    }
    return list->len;
}

static dd_stage_program compile(const dd_shooting *s, const dd_expr *symbols, uint32_t n_weights,
                                const dd_expr *outputs, uint32_t n_out)
{
    const dd_ocp_problem *o = s->t->o;
    /* weights of the Hessian are a second segment of inputs */
    dd_program_spec spec = {.inputs = symbols,
                            .n_inputs = s->n_in + n_weights,
                            .segment = {s->n_in, n_weights},
                            .n_segments = n_weights > 0 ? 2 : 1,
                            .constants = o->constants.data,
                            .n_constants = o->constants.len,
                            .outputs = outputs,
                            .n_outputs = n_out};
    return (dd_stage_program){.program = dd_program_new(s->pool, o->dag, &spec)};
}

static uint32_t put_outputs(dd_shooting *s, dd_expr h, dd_expr *out)
{
    dd_ocp_problem *o = s->t->o;
    uint32_t n = 0;
    /* h f and g make up the stage equations, h L the cost; path rows follow */
    for (uint32_t i = 0; i < s->nx; i++) {
        out[n++] = dd_mul(o->dag, h, dd_ocp_rate(o, i));
    }
    for (uint32_t i = 0; i < s->nz; i++) {
        out[n++] = dd_ocp_algebraic(o, i);
    }
    s->out_cost = NONE;
    if (o->integrand != DD_EXPR_NONE) {
        s->out_cost = n;
        out[n++] = dd_mul(o->dag, h, dd_shooting_integrand(s));
    }
    s->out_path = n;
    for (uint32_t i = 0; i < s->path.len; i++) {
        out[n++] = o->path.data[s->path.data[i]].e;
    }
    n += dd_shooting_kink_outputs(s, out + n);
    /* n_out: no output has this number */
    s->out_cost = s->out_cost == NONE ? n : s->out_cost;
    return n;
}

static void make_functions(dd_shooting *s)
{
    dd_ocp_problem *o = s->t->o;
    uint32_t most_out = s->ns + s->n_stage_outputs + 2, n = 0;
    dd_expr *symbols = dd_pool_alloc_array(s->pool, (size_t)s->n_in + most_out, sizeof *symbols);
    dd_expr *outputs = dd_pool_alloc_array(s->pool, most_out, sizeof *outputs), h = dd_param(o->dag, o->fresh++);
    /* the order of inputs is that of fill_given and fill_unknown */
    n += put_symbols(&o->x, symbols + n);
    n += put_symbols(&o->z, symbols + n);
    n += put_symbols(&o->u, symbols + n);
    n += put_symbols(&o->p, symbols + n);
    for (uint32_t i = 0; i < s->nk; i++) {
        symbols[n++] = dd_shooting_kink(s, i)->symbol;
    }
    symbols[n++] = o->time;
    symbols[n++] = o->t0;
    symbols[n++] = o->tf;
    symbols[n++] = h;
    for (uint32_t i = 0; i < o->data.len; i++) {
        symbols[n++] = o->data.data[i].symbol;
    }
    /* one weight per output, for sum_o w_o Phi_o */
    s->n_out = put_outputs(s, h, outputs);
    for (uint32_t i = 0; i < s->n_out; i++) {
        symbols[n + i] = dd_param(o->dag, o->fresh++);
    }
    /* by the live inputs only: without free times nothing depends on t0, tf and h */
    s->jacobian = dd_jacobian_new(s->pool, o->dag, outputs, s->n_out, symbols, s->n_live);
    s->hessian = dd_hessian_new(s->pool, o->dag, outputs, symbols + n, s->n_out, symbols, s->n_live);
    s->values = compile(s, symbols, 0, outputs, s->n_out);
    s->first = compile(s, symbols, 0, s->jacobian->entries, s->jacobian->ptr[s->n_live]);
    s->second = compile(s, symbols, s->n_out, s->hessian->entries, s->hessian->ptr[s->n_live]);
}

/* Inputs by which there are second derivatives. */
static void list_curved(dd_shooting *s)
{
    bool *curved = dd_pool_alloc_array(s->pool, s->n_live + 1, sizeof *curved);
    for (uint32_t c = 0; c < s->n_live; c++) {
        /* a symmetric pattern is listed once: both ends of an entry are curved */
        for (uint32_t e = s->hessian->ptr[c]; e < s->hessian->ptr[c + 1]; e++) {
            curved[c] = curved[s->hessian->idx[e]] = true;
        }
    }
    for (uint32_t c = 0; c < s->n_live; c++) {
        if (curved[c]) {
            dd_vec_push(s->pool, &s->curved, c);
        }
    }
}

/* ---- sizes ---- */

static void measure(dd_shooting *s)
{
    const dd_transcription *t = s->t;
    const dd_ocp_problem *o = t->o;
    s->intervals = t->mesh.n;
    s->substeps = t->mesh.substeps;
    s->stages = s->tableau->stages;
    s->nx = o->x.len;
    s->nz = o->z.len;
    s->nu = o->u.len;
    s->np = o->p.len;
    s->ns = s->nx + s->nz;
    s->nw = s->substeps * s->stages * s->ns;
    dd_shooting_list_kinks(s);
    const uint32_t given = s->nu + s->np + s->nk;
    s->n_in = s->ns + given + 4 + o->data.len;
    /* q = (x_k, controls of the interval, p, kinks of the interval, free times): nothing else reaches an interval */
    s->q_u = s->nx;
    s->q_p = s->q_u + s->nu * (t->mesh.control == DD_CONTROL_CONSTANT ? 1
                               : t->mesh.control == DD_CONTROL_LINEAR ? 2
                                                                      : s->substeps * s->stages);
    s->q_k = s->q_p + s->np;
    s->nq = s->q_k + s->n_slots;
    s->q_t0 = t->t0_at != NONE ? s->nq++ : NONE;
    s->q_tf = t->tf_at != NONE ? s->nq++ : NONE;
    /* whole vectors of four numbers: loops over q have no remainder */
    s->qs = (s->nq + 3) / 4 * 4;
    s->n_live = t->t0_at != NONE || t->tf_at != NONE ? s->n_in : s->ns + given; /* then there are no data */
}

static void list_columns(dd_shooting *s)
{
    const dd_transcription *t = s->t;
    s->columns = dd_pool_alloc_array(s->pool, (size_t)s->intervals * s->nq + 1, sizeof *s->columns);
    /* q -> variables of the program */
    for (uint32_t k = 0; k < s->intervals; k++) {
        uint32_t *at = s->columns + (size_t)k * s->nq;
        for (uint32_t i = 0; i < s->nx; i++) {
            *at++ = t->x_at[k] + i;
        }
        for (uint32_t i = 0; i < s->nu * (t->mesh.control == DD_CONTROL_POLYNOMIAL ? s->substeps * s->stages : 1);
             i++) {
            *at++ = t->u_at[k] + i;
        }
        for (uint32_t i = 0; i < s->nu && t->mesh.control == DD_CONTROL_LINEAR; i++) {
            *at++ = t->u_at[k + 1] + i;
        }
        for (uint32_t i = 0; i < s->np; i++) {
            *at++ = t->p_at + i;
        }
        for (uint32_t i = 0; i < s->n_slots; i++) {
            *at++ = s->kinks_at[(size_t)k * s->n_slots + i];
        }
        if (t->t0_at != NONE) {
            *at++ = t->t0_at;
        }
        if (t->tf_at != NONE) {
            *at++ = t->tf_at;
        }
    }
}

/* ---- rows ---- */

static bool bounded(const dd_decision *d)
{
    return isfinite(d->lower) || isfinite(d->upper);
}

/* States at this stage are those of no node, and of a solution. */
static bool has_state_rows(const dd_shooting *s, uint32_t m, uint32_t i)
{
    double c = s->tableau->c[i];
    bool at_node = c < SAME_NODE || (c > 1 - SAME_NODE && m + 1 == s->substeps);
    return s->tableau->collocation && !at_node;
}

bool dd_shooting_reaches_end(const dd_shooting *s)
{
    return s->tableau->collocation && s->tableau->c[s->stages - 1] > 1 - SAME_NODE;
}

static void list_stage_rows(dd_shooting *s)
{
    const dd_ocp_problem *o = s->t->o;
    uint32_t all = s->substeps * s->stages;
    /* rows in states hold at stages only where stages are values of the solution: collocation methods */
    for (uint32_t i = 0; i < o->path.len; i++) {
        dd_path_where where = dd_transcription_where(s->t, &o->path.data[i]);
        if (where == DD_WHERE_POINTS || (where == DD_WHERE_STATES && s->tableau->collocation)) {
            dd_vec_push(s->pool, &s->path, i);
        }
    }
    s->n_stage_outputs = s->path.len + s->n_kink_rows;
    s->path_row = dd_pool_alloc_array(s->pool, (size_t)all * s->n_stage_outputs + 1, sizeof *s->path_row);
    s->bounds = dd_pool_alloc_array(s->pool, all + 1, sizeof *s->bounds);
    /* the stage rows of an interval, numbered stage by stage */
    for (uint32_t g = 0; g < all; g++) {
        bool states = has_state_rows(s, g / s->stages, g % s->stages);
        uint32_t *rows = s->path_row + (size_t)g * s->n_stage_outputs;
        for (uint32_t i = 0; i < s->path.len; i++) {
            bool here = states || dd_transcription_where(s->t, &o->path.data[s->path.data[i]]) == DD_WHERE_POINTS;
            rows[i] = here ? s->n_rows++ : DD_NO_ROW;
        }
        dd_shooting_number_kink_rows(s, g, rows + s->path.len);
        for (uint32_t i = 0; i < s->nx && states; i++) {
            if (bounded(&o->x.data[i])) {
                dd_vec_push(s->pool, &s->bounds[g], ((dd_stage_bound){false, i, s->n_rows++}));
            }
        }
        /* z has no values at nodes, so its bounds are rows at every stage */
        for (uint32_t i = 0; i < s->nz; i++) {
            if (bounded(&o->z.data[i])) {
                dd_vec_push(s->pool, &s->bounds[g], ((dd_stage_bound){true, i, s->n_rows++}));
            }
        }
    }
}

static void add_stage_rows(dd_shooting *s, uint32_t k, uint32_t g)
{
    dd_transcription *t = s->t;
    const dd_ocp_problem *o = t->o;
    double part = dd_mesh_stage(&t->mesh, g);
    double theta = t->mesh.theta[k] + part * (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    for (uint32_t i = 0; i < s->path.len; i++) {
        const dd_ocp_row *r = &o->path.data[s->path.data[i]];
        if (s->path_row[(size_t)g * s->n_stage_outputs + i] != DD_NO_ROW) {
            dd_transcription_add_row(t, DD_ROW_PATH, s->path.data[i], k, g + 1, theta, r->lower, r->upper);
        }
    }
    dd_shooting_add_kink_rows(s, k, g, theta);
    for (uint32_t i = 0; i < s->bounds[g].len; i++) {
        const dd_stage_bound *b = &s->bounds[g].data[i];
        const dd_decision *d = b->algebraic ? &o->z.data[b->index] : &o->x.data[b->index];
        dd_transcription_add_row(t, b->algebraic ? DD_ROW_ALGEBRAIC_BOUND : DD_ROW_STATE_BOUND, b->index, k, g + 1,
                                 theta, d->lower / d->scale, d->upper / d->scale);
    }
}

static void add_rows(dd_shooting *s)
{
    dd_transcription *t = s->t;
    s->continuity_at = dd_pool_alloc_array(s->pool, s->intervals + 1, sizeof *s->continuity_at);
    s->stage_rows_at = dd_pool_alloc_array(s->pool, s->intervals + 1, sizeof *s->stage_rows_at);
    /* x_{k+1} - X_M = 0: x_{k+1} is linear here, -X_M is added by shooting_nlp.c */
    for (uint32_t k = 0; k < s->intervals; k++) {
        s->continuity_at[k] = t->tags.len;
        for (uint32_t i = 0; i < s->nx; i++) {
            uint32_t row = dd_transcription_add_row(t, DD_ROW_CONTINUITY, i, k, 0, t->mesh.theta[k + 1], 0, 0);
            dd_elements_add_linear(t->elements, row, t->x_at[k + 1] + i, 1);
        }
        s->stage_rows_at[k] = t->tags.len;
        for (uint32_t g = 0; g < s->substeps * s->stages; g++) {
            add_stage_rows(s, k, g);
        }
    }
}

/* ---- taps ---- */

static void mark_symbols(const dd_shooting *s, dd_expr e, dd_map *used)
{
    dd_expr_vec symbols = {0};
    if (e != DD_EXPR_NONE) {
        dd_symbols(s->t->o->dag, e, true, &symbols, s->pool);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_map_put(used, symbols.data[i], 1);
    }
    dd_vec_free(s->pool, &symbols);
}

/* Symbols that rows and cost at instants are made of. */
static dd_map used_symbols(const dd_shooting *s)
{
    const dd_ocp_problem *o = s->t->o;
    dd_map used = dd_map_new(s->pool);
    mark_symbols(s, o->mayer, &used);
    for (uint32_t i = 0; i < o->points.len; i++) {
        mark_symbols(s, o->points.data[i].e, &used);
    }
    return used;
}

static bool wants_z(const dd_instant *at, const dd_map *used)
{
    bool found = false;
    for (uint32_t k = 0; k < at->z.len && !found; k++) {
        found = dd_map_get(used, at->z.data[k]) != 0;
    }
    return found;
}

static bool at_node(const dd_shooting *s, double theta)
{
    bool found = false;
    for (uint32_t k = 0; k <= s->intervals && !found; k++) {
        found = fabs(theta - s->t->mesh.theta[k]) < SAME_NODE;
    }
    return found;
}

static uint32_t tap_variables(dd_shooting *s, dd_row_kind kind, const dd_decision_vec *list, const double *guess,
                              double theta, uint32_t k)
{
    uint32_t first = NONE;
    /* a free variable and the row  variable - value = 0 */
    for (uint32_t i = 0; i < list->len; i++) {
        uint32_t at = dd_elements_add_variable(s->t->elements, -INFINITY, INFINITY, guess[i] / list->data[i].scale);
        uint32_t row = dd_transcription_add_row(s->t, kind, i, k, 0, theta, 0, 0);
        dd_elements_add_linear(s->t->elements, row, at, 1);
        first = i == 0 ? at : first;
    }
    return first;
}

static void add_taps(dd_shooting *s, const dd_guess *guess)
{
    dd_ocp_problem *o = s->t->o;
    double *x = dd_pool_alloc_array(s->pool, s->nx + 1, sizeof *x), *z = dd_pool_alloc_array(s->pool, s->nz + 1, 8);
    double *u = dd_pool_alloc_array(s->pool, s->nu + 1, sizeof *u);
    dd_map used = used_symbols(s);
    /* at nodes x is a variable already; z is one nowhere */
    for (uint32_t i = 0; i < o->instants.len; i++) {
        const dd_instant *at = &o->instants.data[i];
        bool of_x = s->nx > 0 && !at_node(s, at->theta), of_z = s->nz > 0 && wants_z(at, &used);
        /* dense output of the step as weights of its stages */
        if (of_x || of_z) {
            dd_tap tap = {.x_at = NONE, .z_at = NONE, .row = s->t->tags.len};
            double tau;
            tap.interval = dd_mesh_interval(&s->t->mesh, at->theta, at->theta >= 1);
            tap.substep = dd_shooting_place(s, tap.interval, at->theta, &tau);
            dd_shooting_weights(s, tau, tap.x_weight, tap.z_weight);
            guess->at(guess->user, at->theta, at->theta >= 1, x, z, u);
            tap.x_at = of_x ? tap_variables(s, DD_ROW_CONTINUITY, &o->x, x, at->theta, tap.interval) : NONE;
            tap.z_at = of_z ? tap_variables(s, DD_ROW_TAP, &o->z, z, at->theta, tap.interval) : NONE;
            dd_vec_push(s->pool, &s->taps, tap);
        }
        dd_vec_push(s->pool, &s->instant_tap, of_x || of_z ? s->taps.len : 0);
    }
}

uint32_t dd_shooting_tap_x(const dd_shooting *s, uint32_t instant)
{
    uint32_t tap = instant < s->instant_tap.len ? s->instant_tap.data[instant] : 0;
    return tap != 0 ? s->taps.data[tap - 1].x_at : NONE;
}

uint32_t dd_shooting_tap_z(const dd_shooting *s, uint32_t instant)
{
    uint32_t tap = instant < s->instant_tap.len ? s->instant_tap.data[instant] : 0;
    return tap != 0 ? s->taps.data[tap - 1].z_at : NONE;
}

/* ---- levels and memory ---- */

static double *block(const dd_shooting *s, size_t rows, size_t columns)
{
    return dd_pool_alloc_array(s->pool, rows * columns + 1, sizeof(double));
}

static void make_levels(dd_shooting *s)
{
    /* an implicit method couples all stages of a step; otherwise they follow one after the other */
    bool together = s->tableau->structure == DD_TABLEAU_IMPLICIT;
    uint32_t per_step = together ? 1 : s->stages;
    s->n_levels = per_step * s->substeps;
    s->levels = dd_pool_alloc_array(s->pool, s->n_levels, sizeof *s->levels);
    for (uint32_t l = 0; l < s->n_levels; l++) {
        dd_level *level = &s->levels[l];
        level->substep = l / per_step;
        level->first = together ? 0 : l % per_step;
        level->n = together ? s->stages : 1;
        /* A_ii = 0 and no z: the stage is a formula */
        level->direct = !together && s->nz == 0 && s->tableau->A[(size_t)level->first * (s->stages + 1)] == 0;
        level->size = level->n * s->ns;
        level->lanes = level->n * s->intervals;
        level->ld = ((size_t)level->lanes + DD_LANE_BLOCK - 1) / DD_LANE_BLOCK * DD_LANE_BLOCK;
        level->in = block(s, s->n_in, level->ld);
        level->out = block(s, s->n_out, level->ld);
        level->first_out = block(s, s->jacobian->ptr[s->n_live], level->ld);
        level->weights = block(s, s->n_out, level->ld);
        level->second_out = block(s, s->hessian->ptr[s->n_live], level->ld);
        /* R_w of every interval has its own factors: sensitivities and adjoints need them */
        if (!level->direct) {
            s->implicit = true;
            level->lu = block(s, s->intervals, level->size * dd_level_ld(level->size));
            level->pivot = dd_pool_alloc_array(s->pool, (size_t)s->intervals * level->size + 1, sizeof(int));
        }
    }
}

static void make_work(dd_shooting *s)
{
    /* mu holds the multipliers of a level or a step in q, whichever is longer */
    size_t most = (size_t)s->stages * s->ns, wide = most > s->nq ? most : s->nq;
    size_t qs = s->qs;
    s->w = block(s, s->intervals, s->nw);
    s->w_start = block(s, s->intervals, s->nw);
    s->w_base = block(s, s->intervals, s->nw);
    s->ends = block(s, (size_t)s->intervals * (s->substeps + 1), s->nx);
    s->dw = block(s, (size_t)s->intervals * s->nw, qs);
    s->dends = block(s, (size_t)s->intervals * (s->substeps + 1) * s->nx, qs);
    s->rows = block(s, (size_t)s->intervals * (s->nx + s->n_rows), qs);
    s->cost = block(s, s->intervals, qs);
    s->given = block(s, (size_t)s->substeps * s->stages * (s->n_live - s->ns), qs);
    s->v = block(s, s->n_in, qs);
    s->hv = block(s, s->n_in, qs);
    s->rhs = block(s, most, s->nq + 1);
    s->block = block(s, wide, qs);
    s->adjoint_x = block(s, s->intervals, s->nx);
    s->adjoint_w = block(s, s->intervals, s->nw);
    s->products = block(s, s->intervals, s->nq * qs);
    s->stage_x = block(s, s->nx, 1);
    s->mu = block(s, wide, 1);
    s->done = dd_pool_alloc_array(s->pool, s->intervals + 1, 1);
}

/* K = 0 and the guess of z at the stages. */
static void guess_stages(dd_shooting *s, const dd_guess *guess)
{
    const dd_transcription *t = s->t;
    double *x = block(s, s->nx, 1), *z = block(s, s->nz, 1), *u = block(s, s->nu, 1);
    /* K = 0 means a step that stays where it is: finite wherever f is finite at the nodes */
    for (uint32_t k = 0; k < s->intervals && s->nz > 0; k++) {
        for (uint32_t g = 0; g < s->substeps * s->stages; g++) {
            double part = dd_mesh_stage(&t->mesh, g);
            double theta = t->mesh.theta[k] + part * (t->mesh.theta[k + 1] - t->mesh.theta[k]);
            guess->at(guess->user, theta, part >= 1, x, z, u);
            for (uint32_t i = 0; i < s->nz; i++) {
                s->w_start[(size_t)k * s->nw + (size_t)g * s->ns + s->nx + i] = z[i] / t->o->z.data[i].scale;
            }
        }
    }
    memcpy(s->w, s->w_start, (size_t)s->intervals * s->nw * sizeof *s->w);
}

static void make_program_work(const dd_shooting *s, dd_stage_program *p)
{
    dd_context *ctx = dd_pool_context(s->pool);
    uint32_t lanes = s->levels[0].lanes;
    dd_status status = dd_program_work_new(&p->work, ctx, p->program, lanes > 2 ? lanes : 2);
    if (status != DD_OK) {
        dd_raise(ctx, status, "%s", dd_status_text(status));
    }
    if (s->t->o->constants.len > 0) {
        dd_program_set_constants(p->work, s->t->o->constant_value);
    }
}

void dd_shooting_add(dd_transcription *t, const dd_guess *guess)
{
    dd_shooting *s = dd_pool_alloc(t->pool, sizeof *s);
    t->shooting = s;
    s->t = t;
    s->pool = t->pool;
    s->tableau = t->mesh.tableau;
    if (s->tableau->collocation) {
        dd_lagrange_rule_make(&s->rule, s->tableau->exact.c, s->tableau->stages);
    }
    s->gauss_newton = t->mesh.gauss_newton;
    /* sizes, then functions, then the program's rows and variables, memory last */
    measure(s);
    dd_shooting_add_kinks(s);
    list_columns(s);
    list_stage_rows(s);
    make_functions(s);
    list_curved(s);
    add_rows(s);
    add_taps(s, guess);
    make_levels(s);
    make_work(s);
    guess_stages(s, guess);
    dd_shooting_prepare(s);
    make_program_work(s, &s->values);
    make_program_work(s, &s->first);
    make_program_work(s, &s->second);
}

void dd_shooting_free(dd_shooting *s)
{
    if (s != NULL) {
        dd_program_work_free(s->values.work);
        dd_program_work_free(s->first.work);
        dd_program_work_free(s->second.work);
    }
}
