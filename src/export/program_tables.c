/* program_tables.c - the sizes and tables of a generated controller or solver. */
#include <math.h>
#include <string.h>

#include "export/program.h"
#include "ocp/data.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t control_kind(const dd_program_export *px)
{
    return px->t->mesh.control == DD_CONTROL_CONSTANT ? 0 : px->t->mesh.control == DD_CONTROL_LINEAR ? 1 : 2;
}

/* The largest sections. */
static dd_section most(const dd_sections *s)
{
    dd_section m = {0};
    for (uint32_t k = 0; k < s->n; k++) {
        const dd_section *c = &s->section[k];
        m.nd = larger(m.nd, c->nd);
        m.nl = larger(m.nl, c->nl);
        m.ne = larger(m.ne, c->ne);
        m.nf = larger(m.nf, c->nf + c->nn);
        m.length = larger(m.length, c->nd + c->ne + c->nl);
        m.ni = larger(m.ni, c->nd + c->nl + c->ni);
        m.nj = larger(m.nj, c->nj);
        m.nh = larger(m.nh, c->nh);
    }
    return m;
}

void dd_program_put_sizes(const dd_program_export *px, dd_text *out, const dd_size_entry *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dd_text_printf(out, "#define %s_%s %u", px->x->name, list[i].name, list[i].value);
        dd_text_printf(out, list[i].what[0] ? " /* %s */\n" : "%s\n", list[i].what);
    }
}

void dd_program_put_number(const dd_program_export *px, dd_text *out, const char *name, double value, const char *what)
{
    dd_text_printf(out, "#define %s_%s %s /* %s */\n", px->x->name, name, dd_c_number(px->pool, value), what);
}

static uint32_t reference_count(const dd_program_export *px)
{
    return px->control != NULL && px->control->reference.rows != NULL ? px->control->reference.names.len : 0;
}

static void controller_sizes(const dd_program_export *px, dd_text *out)
{
    const dd_control *c = px->control;
    const uint32_t references = reference_count(px);
    const dd_size_entry list[] = {
        {"NY", c->estimator->measured.len, "measurements"},
        {"NC", px->n_rows, "rows of the estimator"},
        {"NNZ_MEASURED", px->h->ptr[px->h->ncols], ""},
        {"NNZ_ROWS", px->rows->ptr[px->rows->ncols], ""},
        {"PER_SAMPLE", c->per_sample, "intervals in a sample period"},
        {"REFERENCES", references, "parameters with set-points in a table"},
        {"REFERENCE_ROWS", references > 0 ? (uint32_t)c->reference.rows->count : 0, ""},
        {"PREVIEW", c->options.preview, "set-points are known over the horizon"},
        {"RTI", px->rti, "one linearisation and one quadratic program per sample"},
        {"DELAYED", c->options.delay > 0, "inputs are applied after a delay, over which the state is predicted"},
        {"QP", px->qp, "quadratic programs find the active bounds"},
        {"FREE", px->s->free, "controls of the quadratic program"},
        {"COLUMNS", px->o->x.len + 1 + px->s->free, ""},
        {"QP_ROWS", px->qp_rows, ""},
        {"MHE", px->mhe != NULL, "the state is estimated from a window of samples"},
        {"ESTIMATED", px->estimated.len, "parameters that are estimated"},
        {"LATE", c->options.mode == DD_MODE_RTI, "estimated parameters enter the plan of the next sample"},
    };
    dd_program_put_sizes(px, out, list, sizeof list / sizeof *list);
    dd_program_put_number(px, out, "PERIOD", c->options.sample_period, "seconds between samples");
    dd_program_put_number(px, out, "DELAY", c->options.delay, "seconds from a measurement to its inputs");
    dd_program_put_number(px, out, "FIRST_TIME", c->first, "of the first sample");
    dd_program_put_number(px, out, "GUESSED_LENGTH", c->problem->tf_value - c->problem->t0_value,
                          "of the horizon, in the class");
}

/* Eight lanes, where the processor has them, if few of them stay empty and the factors of an interval leave room in a first
 * cache of 32 kB; else four. (Pendulum, 40 intervals of 21 unknowns: 0.21 and 0.23 ms; crane, 20 intervals: 0.18 and 0.16;
 * delta robot, 45 unknowns: 0.44 and 0.42.) */
static uint32_t most_lanes(const dd_program_export *px)
{
    enum { WIDE = 8, UNKNOWNS = 24, EMPTY = 10 };
    const dd_sections *s = px->s;
    uint32_t filled = 0;
    for (uint32_t i = 0; i + 1 < s->runs.len; i++) {
        filled += (s->runs.data[i + 1] - s->runs.data[i] + WIDE - 1) / WIDE * WIDE;
    }
    return most(s).nd <= UNKNOWNS && EMPTY * filled <= (EMPTY + 1) * s->n ? WIDE : WIDE / 2;
}

/* The number of batches, which follows from that of lanes: runs of equal length together. */
static void batch_count(const dd_program_export *px, dd_text *out)
{
    const dd_id_vec *runs = &px->s->runs;
    const char *n = px->x->name, *plus = "";
    dd_text_printf(out, "#define %s_BATCHES (", n);
    for (uint32_t i = 0; i + 1 < runs->len; i++) {
        const uint32_t length = runs->data[i + 1] - runs->data[i];
        uint32_t times = 0;
        bool first = true;
        for (uint32_t k = 0; k + 1 < runs->len; k++) {
            const bool same = runs->data[k + 1] - runs->data[k] == length;
            times += same ? 1 : 0;
            first = first && !(same && k < i);
        }
        if (first) {
            dd_text_printf(out, "%s%u * ((%u + %s_LANES) / %s_LANES)", plus, times, length - 1, n, n);
            plus = " + ";
        }
    }
    dd_text_add(out, ") /* of intervals that are worked on together */\n");
}

void dd_program_sizes(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const dd_section m = most(s);
    const dd_ocp_problem *o = px->o;
    const uint32_t width = (m.ne + 1 + 3) / 4 * 4;
    uint32_t degree = 1;
    for (uint32_t k = 0; k < s->n; k++) {
        degree = larger(degree, px->t->mesh.degree[k]);
    }
    const dd_size_entry list[] = {
        {"NX", o->x.len, "states"},
        {"NZ", o->z.len, "algebraic variables"},
        {"NU", o->u.len, "inputs"},
        {"NP", px->x->p.len, "parameters"},
        {"INTERVALS", s->n, "of the horizon"},
        {"DEGREE_MOST", degree, "collocation points of an interval"},
        {"CONTROL", control_kind(px), "0: constant on intervals, 1: linear, 2: polynomial"},
        {"NV", px->t->nlp->n, "variables of the program"},
        {"NR", s->rows, "its rows"},
        {"NM", s->shared, "of these shared: boundary conditions and the like"},
        {"NW", s->node, "variables of a node"},
        {"NB", s->border, "variables of all intervals: parameters, times"},
        {"NJ_MOST", m.nj, "entries of the Jacobian, the most of an interval"},
        {"NH_MOST", m.nh, "of the Hessian"},
        {"OWN_ROWS", m.ni, "rows that meet no other interval"},
        {"RUNS", s->runs.len - 1, "of intervals that are alike"},
        {"LANES_MOST", most_lanes(px), "intervals that are worked on together, where the processor can"},
        {"ND", m.nd, "the most of an interval: variables that its rows determine,"},
        {"NL", m.nl, "states of the next node,"},
        {"NE", m.ne, "variables in which the others are expressed,"},
        {"NF", m.nf, "free variables"},
        {"WIDTH", width, "of rows in these and 1: a multiple of four"},
        {"STRIDE", width + larger(s->shared, 1), ""},
        {"LOCAL", m.length, ""},
        {"FULL", m.ne + s->shared, ""},
        {"REST", s->node + s->border + s->shared, ""},
        {"SLOTS", s->slot_base[s->n] + s->wide.slot_input.len, "inputs with constant parts"},
        {"WIDE_SLOTS", s->slot_base[s->n], ""},
        {"WIDE", s->wide.points, "functions of values at several times"},
        {"INPUTS", larger(s->inputs, 1), "the most of a function"},
        {"OUTPUTS", larger(s->outputs, 1), ""},
        {"ENTRIES", larger(s->entries, 1), ""},
        {"COST", DD_SECTION_COST, ""},
        {"FILTER", 64, "pairs"},
        {"ITERATIONS", px->iterations, "at most"},
        {"START_GIVEN", o->start_known, ""},
        {"SOFT", px->soft.count, "groups of bounds that may give way"},
        {"FREE_END", px->control != NULL && px->control->free_end, "the horizon shrinks: its end is decided"},
        {"DECIDED", o->p.len, "parameters that are decided"},
        {"T0_AT", px->t->t0_at != UINT32_MAX ? px->t->t0_at : px->t->nlp->n, "variables of free times; NV: not free"},
        {"TF_AT", px->t->tf_at != UINT32_MAX ? px->t->tf_at : px->t->nlp->n, ""},
    };
    /* numbers and, for controllers, what only these have */
    dd_program_put_sizes(px, out, list, sizeof list / sizeof *list);
    batch_count(px, out);
    dd_program_put_number(px, out, "TOLERANCE", px->tolerance, "of the optimality conditions");
    dd_program_put_number(px, out, "START_TIME", px->t0, "of the exported plan");
    dd_program_put_number(px, out, "FINAL_TIME", px->tf, "");
    if (px->control != NULL) {
        controller_sizes(px, out);
    } else if (px->mhe != NULL) {
        dd_program_window_sizes(px, out);
        return; /* what follows is the controller's too */
    }
    dd_text_printf(out, "#define %s_EXPORT 0x%08xu /* of the sources that belong to this header */\n", px->x->name,
                   px->x->fingerprint);
    dd_text_printf(out, "#define %s_ROOM(n) ((n) > 0 ? (n) : 1)\n", px->x->name);
}

/* ---- tables ---- */

/* Places in lists are numbers of 16 bits. Sections check the program; the lists of its elimination may be longer. */
static void need_short(const dd_program_export *px, const uint32_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] > UINT16_MAX) {
            dd_context *ctx = px->s->ctx;
            dd_raise(ctx, DD_LIMIT,
                     "an interval of the program is too large for generated code: it needs lists of more than %d "
                     "entries; take a lower degree (%s) or a smaller model",
                     UINT16_MAX, dd_option_word(ctx, "--degree"));
        }
    }
}

void dd_program_put_ids(const dd_program_export *px, dd_text *out, const char *name, const uint32_t *values, uint32_t n)
{
    need_short(px, values, n);
    dd_export_int_table(out, dd_pool_printf(px->pool, "static const %s_id %s_%s", px->x->name, px->x->name, name),
                        values, n);
}

void dd_program_put_ints(const dd_program_export *px, dd_text *out, const char *name, const uint32_t *values,
                         uint32_t n)
{
    dd_export_int_table(out, dd_pool_printf(px->pool, "static const int %s_%s", px->x->name, name), values, n);
}

static void numbers(const dd_program_export *px, dd_text *out, const char *name, const double *values, uint32_t n)
{
    dd_export_double_table(px->x, out, name, values, n);
}

static void slot_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const uint32_t all = s->slot_base[s->n] + s->wide.slot_input.len;
    dd_id_vec data = {0};
    dd_text_printf(out, "static const double %s_slot[%u][3] = {", px->x->name, all > 0 ? all : 1);
    uint32_t at = 0;
    for (uint32_t k = 0; k <= s->n; k++) {
        const dd_section *c = k < s->n ? &s->section[k] : &s->wide;
        for (uint32_t i = 0; i < c->slot_input.len; i++, at++) {
            dd_text_printf(out, "%s{%s, %s, %s}",
                           at == 0       ? ""
                           : at % 3 == 0 ? ",\n    "
                                         : ", ",
                           dd_c_number(px->pool, c->slots.data[3 * i]), dd_c_number(px->pool, c->slots.data[3 * i + 1]),
                           dd_c_number(px->pool, c->slots.data[3 * i + 2]));
            dd_vec_push(px->pool, &data, c->slot_data.data[i]);
        }
    }
    dd_text_add(out, all > 0 ? "};\n" : "{0.0, 0.0, 0.0}};\n");
    dd_program_put_ids(px, out, "slot_data", data.data, data.len);
}

/* Data as functions of time: the columns one after the other. */
static void data_tables(const dd_program_export *px, dd_text *out)
{
    dd_real_vec time = {0}, value = {0};
    dd_id_vec begin = {0};
    for (uint32_t i = 0; i < px->o->data.len; i++) {
        const dd_table *rows = px->o->data.data[i].column->rows;
        dd_vec_push(px->pool, &begin, time.len);
        for (uint64_t r = 0; r < rows->count; r++) {
            dd_vec_push(px->pool, &time, dd_table_time(rows, r));
            dd_vec_push(px->pool, &value, dd_table_row(rows, r)[1]);
        }
    }
    dd_vec_push(px->pool, &begin, time.len);
    dd_program_put_ints(px, out, "data_begin", begin.data, begin.len);
    numbers(px, out, "data_time", time.data, time.len);
    numbers(px, out, "data_value", value.data, value.len);
}

static void decision_table(const dd_program_export *px, dd_text *out, const char *name, const dd_decision_vec *list,
                           const double *unit)
{
    double *values = dd_pool_alloc_array(px->pool, (size_t)list->len + 1, sizeof *values);
    for (uint32_t i = 0; i < list->len; i++) {
        values[i] = list->data[i].scale * unit[i];
    }
    numbers(px, out, name, values, list->len);
}

static void mesh_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const dd_transcription *t = px->t;
    dd_real_vec tau = {0};
    dd_id_vec at = {0}, point = {0};
    for (uint32_t k = 0; k < s->n; k++) {
        /* nodes of equal degrees are the same, and so are the places of their variables, between which those of kinks are */
        uint32_t same = 0;
        while (same < k && t->mesh.degree[same] != t->mesh.degree[k]) {
            same++;
        }
        dd_vec_push(px->pool, &at, same < k ? at.data[same] : tau.len);
        for (uint32_t j = 1; same == k && j <= t->mesh.degree[k]; j++) {
            dd_vec_push(px->pool, &tau, t->tau[t->mesh.degree[k]][j]);
            dd_vec_push(px->pool, &point, dd_transcription_x(t, k, j, 0) - s->base[k]);
        }
    }
    if (px->ocp != NULL) { /* a window is not read between its points */
        numbers(px, out, "theta", t->mesh.theta, s->n + 1);
        dd_program_put_ints(px, out, "degree", t->mesh.degree, s->n);
        dd_program_put_ints(px, out, "tau_at", at.data, at.len);
        dd_program_put_ids(px, out, "point_from", point.data, point.len);
    }
    numbers(px, out, "tau", tau.data, tau.len);
    dd_program_put_ints(px, out, "base", s->base, s->n + 1);
    dd_program_put_ints(px, out, "row_base", s->row_base, s->n + 1);
    dd_program_put_ints(px, out, "jac_base", s->jac_base, s->n + 1);
    dd_program_put_ints(px, out, "hes_base", s->hes_base, s->n + 1);
    dd_program_put_ints(px, out, "slot_base", s->slot_base, s->n + 1);
    dd_program_put_ints(px, out, "shared_active", s->active, s->n);
    dd_program_put_ints(px, out, "class_of", s->class_of, s->n);
    dd_program_put_ints(px, out, "run", s->runs.data, s->runs.len);
}

/* The solution in the new order, to 14 digits: where solves begin. */
static void plan_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const dd_nlp *nlp = px->t->nlp;
    double *y = dd_pool_alloc_array(px->pool, (size_t)s->rows + 1, sizeof *y);
    double *x = dd_pool_alloc_array(px->pool, (size_t)nlp->n + 1, sizeof *x);
    dd_id_vec at = {0};
    dd_real_vec lower = {0}, upper = {0};
    /* the solution of the export in the units of the generated code; multipliers of bounds only where there are some */
    for (uint32_t i = 0; i < nlp->m; i++) {
        if (s->new_row[i] != DD_NO_INDEX) {
            y[s->new_row[i]] = px->result->lambda[i] / s->row_unit[i];
        }
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (px->result->z_lower[i] != 0 || px->result->z_upper[i] != 0) {
            dd_vec_push(px->pool, &at, i);
            dd_vec_push(px->pool, &lower, px->result->z_lower[i] * s->unit[i]);
            dd_vec_push(px->pool, &upper, px->result->z_upper[i] * s->unit[i]);
        }
        x[i] = px->result->x[i] / s->unit[i];
    }
    const struct {
        const char *name;
        const double *values;
        uint32_t n;
    } list[] = {{"plan_x", x, nlp->n},
                {"plan_y", y, s->rows},
                {"plan_zl", lower.data, lower.len},
                {"plan_zu", upper.data, upper.len}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        dd_text_printf(out, "static const double %s_%s[%u] = {", px->x->name, list[k].name, larger(list[k].n, 1));
        for (uint32_t i = 0; i < list[k].n; i++) {
            dd_text_printf(out, "%s%.14g", i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ", list[k].values[i]);
        }
        dd_text_add(out, list[k].n > 0 ? "};\n" : "0.0};\n");
    }
    dd_program_put_ids(px, out, "plan_z_at", at.data, at.len);
    dd_text_printf(out, "#define %s_PLAN_Z %u\n", px->x->name, at.len);
}

static void shared_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const dd_nlp *nlp = px->t->nlp;
    double *lower = dd_pool_alloc_array(px->pool, (size_t)s->shared + 1, sizeof *lower);
    double *upper = dd_pool_alloc_array(px->pool, (size_t)s->shared + 1, sizeof *upper);
    for (uint32_t i = 0; i < nlp->m; i++) {
        const uint32_t first = s->rows - s->shared;
        if (s->new_row[i] != DD_NO_INDEX && s->new_row[i] >= first) {
            lower[s->new_row[i] - first] = nlp->c_lower[i] * s->row_unit[i];
            upper[s->new_row[i] - first] = nlp->c_upper[i] * s->row_unit[i];
        }
    }
    numbers(px, out, "shared_lower", lower, s->shared);
    numbers(px, out, "shared_upper", upper, s->shared);
    numbers(px, out, "border_lower", nlp->x_lower + nlp->n - s->border, s->border);
    numbers(px, out, "border_upper", nlp->x_upper + nlp->n - s->border, s->border);
    dd_program_put_ints(px, out, "start_row", s->start_row, px->o->x.len);
}

/* Where every variable and row of the moved plan comes from: numbers moved as a plan would be. */
static void shift_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const uint32_t n = px->t->nlp->n, m = px->t->nlp->m;
    double *x = dd_pool_alloc_array(px->pool, (size_t)n + 1, sizeof *x),
           *y = dd_pool_alloc_array(px->pool, (size_t)m + 1, sizeof *y);
    double *zl = dd_pool_alloc_array(px->pool, (size_t)n + 1, sizeof *zl),
           *zu = dd_pool_alloc_array(px->pool, (size_t)n + 1, sizeof *zu);
    /* every number is its own index, so the moved plan says where it was */
    for (uint32_t i = 0; i < n; i++) {
        x[i] = i;
    }
    for (uint32_t i = 0; i < m; i++) {
        y[i] = i;
    }
    dd_transcription_shift(px->t, 1, x, y, zl, zu);
    /* variables keep their order, rows have that of the export */
    uint32_t *from = dd_pool_alloc_array(px->pool, (size_t)larger(n, s->rows) + 1, sizeof *from);
    for (uint32_t i = 0; i < n; i++) {
        from[i] = (uint32_t)x[i];
    }
    dd_program_put_ids(px, out, "shift_x", from, n);
    for (uint32_t i = 0; i < m; i++) {
        if (s->new_row[i] != DD_NO_INDEX) {
            const uint32_t of = s->new_row[(uint32_t)y[i]];
            from[s->new_row[i]] = of != DD_NO_INDEX ? of : s->new_row[i];
        }
    }
    dd_program_put_ids(px, out, "shift_y", from, s->rows);
}

static void reference_tables(const dd_program_export *px, dd_text *out)
{
    const dd_control *c = px->control;
    const uint32_t n = reference_count(px);
    dd_real_vec time = {0}, value = {0};
    dd_id_vec parameter = {0};
    for (uint64_t r = 0; n > 0 && r < c->reference.rows->count; r++) {
        dd_vec_push(px->pool, &time, dd_table_time(c->reference.rows, r));
        for (uint32_t i = 0; i < n; i++) {
            dd_vec_push(px->pool, &value, dd_table_row(c->reference.rows, r)[1 + i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < px->x->p.len; k++) {
            if (px->x->p.data[k].var == c->reference.names.data[i].var) {
                dd_vec_push(px->pool, &parameter, k);
            }
        }
    }
    numbers(px, out, "reference_time", time.data, time.len);
    numbers(px, out, "reference_value", value.data, value.len);
    dd_program_put_ints(px, out, "reference_parameter", parameter.data, parameter.len);
}

static void controller_tables(const dd_program_export *px, dd_text *out)
{
    const dd_control *c = px->control;
    const dd_sections *s = px->s;
    const dd_ocp_problem *o = px->o;
    double *lower = dd_pool_alloc_array(px->pool, (size_t)o->u.len + 1, sizeof *lower);
    double *upper = dd_pool_alloc_array(px->pool, (size_t)o->u.len + 1, sizeof *upper);
    for (uint32_t i = 0; i < o->u.len; i++) {
        lower[i] = o->u.data[i].lower;
        upper[i] = o->u.data[i].upper;
    }
    const dd_decision_vec *lists[] = {&c->problem->x, &c->problem->z};
    dd_real_vec size = {0};
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < lists[i]->len; k++) {
            dd_vec_push(px->pool, &size, lists[i]->data[k].scale);
        }
    }
    numbers(px, out, "w_size", size.data, size.len);
    numbers(px, out, "soft_unit", px->soft.unit, px->soft.count + 1);
    numbers(px, out, "u_lower", lower, o->u.len);
    numbers(px, out, "u_upper", upper, o->u.len);
    numbers(px, out, "sigma", c->estimator->sigma, c->estimator->measured.len);
    numbers(px, out, "first_w", px->first_w, o->x.len + o->z.len);
    numbers(px, out, "first_u", px->first_u, o->u.len);
    dd_program_put_ints(px, out, "measured_ptr", px->h->ptr, px->h->ncols + 1);
    dd_program_put_ints(px, out, "measured_row", px->h->idx, px->h->ptr[px->h->ncols]);
    dd_program_put_ints(px, out, "rows_ptr", px->rows->ptr, px->rows->ncols + 1);
    dd_program_put_ints(px, out, "rows_row", px->rows->idx, px->rows->ptr[px->rows->ncols]);
    reference_tables(px, out);
    /* free variables before those of interval k */
    uint32_t *before = dd_pool_alloc_array(px->pool, (size_t)s->n + 1, sizeof *before);
    before[0] = s->node - o->x.len;
    for (uint32_t k = 0; k + 1 < s->n; k++) {
        before[k + 1] = before[k] + s->section[k].nf + s->section[k].nn;
    }
    if (px->qp) {
        dd_program_put_ints(px, out, "free_base", before, s->n);
    }
}

/* Decided parameters: places in p, sizes. */
static void decided_tables(const dd_program_export *px, dd_text *out)
{
    const dd_decision_vec *list = &px->o->p;
    uint32_t *at = dd_pool_alloc_array(px->pool, (size_t)list->len + 1, sizeof *at);
    double *size = dd_pool_alloc_array(px->pool, (size_t)list->len + 1, sizeof *size);
    for (uint32_t i = 0; i < list->len; i++) {
        size[i] = list->data[i].scale;
        for (uint32_t k = 0; k < px->x->p.len; k++) {
            at[i] = px->x->p.data[k].var == list->data[i].var ? k : at[i];
        }
    }
    dd_program_put_ints(px, out, "decided", at, list->len);
    numbers(px, out, "decided_size", size, list->len);
}

void dd_program_tables(const dd_program_export *px, dd_text *out)
{
    const dd_export_items *p = &px->x->p;
    double *values = dd_pool_alloc_array(px->pool, (size_t)p->len + px->o->x.len + 1, sizeof *values);
    uint32_t *inputs = dd_pool_alloc_array(px->pool, (size_t)px->s->families.len + 1, sizeof *inputs);
    /* names first, then the numbers that the program starts with */
    dd_text_printf(out, "typedef unsigned short %s_id;\n\n", px->x->name);
    if (px->ocp != NULL) {
        dd_export_name_table(px->x, out, "x", &px->states);
        dd_export_name_table(px->x, out, "u", &px->inputs);
        dd_export_name_table(px->x, out, "p", p);
    }
    if (px->control != NULL) {
        dd_export_name_table(px->x, out, "measured", &px->measured);
        dd_export_name_table(px->x, out, "soft", &px->soft.names);
    }
    if (px->control != NULL && px->mhe != NULL) {
        dd_export_name_table(px->x, out, "estimated", &px->estimated);
    }
    for (uint32_t i = 0; i < p->len; i++) {
        values[i] = p->data[i].start;
    }
    numbers(px, out, "p_start", values, p->len);
    for (uint32_t i = 0; i < px->o->x.len; i++) {
        values[i] = px->o->x_start != NULL ? px->o->x_start[i] : 0;
    }
    numbers(px, out, "x_start", values, px->o->x.len);
    /* units of the unknowns, and what each family of functions reads */
    decision_table(px, out, "x_size", &px->o->x, px->s->x_unit);
    decision_table(px, out, "z_size", &px->o->z, px->s->z_unit);
    decision_table(px, out, "u_size", &px->o->u, px->s->u_unit);
    for (uint32_t i = 0; i < px->s->families.len; i++) {
        inputs[i] = dd_elements_family(px->t->elements, px->s->families.data[i]).function->spec.n_in;
    }
    dd_program_put_ints(px, out, "family_inputs", inputs, px->s->families.len);
    const uint32_t nd = larger(most(px->s).nd, most(px->s).nl);
    uint32_t *ascending = dd_pool_alloc_array(px->pool, (size_t)nd + 1, sizeof *ascending);
    for (uint32_t i = 0; i < nd; i++) {
        ascending[i] = i;
    }
    dd_program_put_ids(px, out, "ascending", ascending, nd);
    /* the program itself, from the mesh to the sections that repeat */
    mesh_tables(px, out);
    shared_tables(px, out);
    slot_tables(px, out);
    data_tables(px, out);
    plan_tables(px, out);
    dd_program_put_ids(px, out, "soft_x", px->soft.variable, px->soft.count > 0 ? px->t->nlp->n : 0);
    dd_program_put_ids(px, out, "soft_row", px->soft.row, px->soft.count > 0 ? px->s->rows : 0);
    numbers(px, out, "soft_factor", px->soft.factor, px->soft.count > 0 ? px->soft.count + 1 : 0);
    if (px->control != NULL) {
        controller_tables(px, out);
    } else {
        decided_tables(px, out);
    }
    if (px->mhe != NULL || px->control != NULL) {
        shift_tables(px, out);
    }
    if (px->ocp == NULL) {
        dd_program_window_tables(px, out);
    }
    dd_text_add(out, "\n");
    dd_program_class_tables(px, out);
    dd_text_add(out, "\n");
}
