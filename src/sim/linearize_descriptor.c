/* linearize_descriptor.c - E, A, B, C, D of the equations as written, F(w', w, u) = 0, at a point of the solution:
 *
 *     E = dF/dw',  A = -dF/dw,  B = -dF/du
 *
 * The point is that of the reduced system (linearize_point.c), so w' is known where rows contain it. Rows are brought
 * to the symbols of the reduced equations before they are evaluated. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/weierstrass.h"
#include "sim/linearize_impl.h"

#define NOISE (64 * DBL_EPSILON) /* of a value that is computed from terms of size 1 */

enum { MOST_UNKNOWNS = 5000 }; /* of dense matrices: 200 MB each */

struct dd_descriptor {
    dd_linsys *l;
    dd_descriptor_info info;
    const char **w_name, **u_name, **y_name;
    double *E, *A, *B;
    dd_weierstrass structure;
};

/* ---- matrices ---- */

typedef struct entries {
    dd_expr_vec value; /* partial derivatives, to be evaluated together */
    DD_VEC(double *) at;
    dd_index_vec negative;
} entries;

static void add_entry(dd_lin_work *k, entries *list, dd_expr partial, double *at, bool negative)
{
    dd_vec_push(k->scratch, &list->value, partial);
    dd_vec_push(k->scratch, &list->at, at);
    dd_vec_push(k->scratch, &list->negative, negative);
}

/* Which input a variable is; DD_NO_INDEX: none. */
static uint32_t input_place(const dd_lin_work *k, uint32_t var)
{
    for (uint32_t i = 0; i < k->inputs.len; i++) {
        if (k->inputs.data[i] == var) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

static void refuse_input_rate(dd_lin_work *k, uint32_t row, uint32_t var)
{
    dd_lin_refuse(
        k, DD_SIM_INVALID_MODEL,
        dd_pool_printf(k->l->pool,
                       "%s contains a derivative of the input %s, which E w' = A w + B u cannot represent: make "
                       "%s a variable of the model and its highest derivative the input",
                       dd_system_row_words(k->s, &k->s->original.data[row], k->l->pool),
                       dd_model_var_name_dup(k->s->model, var, k->l->pool),
                       dd_model_var_name_dup(k->s->model, var, k->l->pool)));
}

/* The partial derivatives of one row, each with its place in a matrix. */
static void differentiate_row(dd_lin_work *k, dd_descriptor *d, uint32_t row, entries *list)
{
    const dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    const size_t n = d->info.n;
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(dag, s->original.data[row].residual, false, &symbols, &partials, k->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t var = dd_symbol_id(dag, symbols.data[i]), order = dd_symbol_order(dag, symbols.data[i]);
        const uint32_t col = s->column[var], input = input_place(k, var);
        if (col != DD_NO_INDEX) {
            add_entry(k, list, partials.data[i], (order == 1 ? d->E : d->A) + row * n + col, order == 0);
        } else if (input != DD_NO_INDEX && order == 0) {
            add_entry(k, list, partials.data[i], d->B + (size_t)row * d->info.nu + input, true);
        } else if (input != DD_NO_INDEX) {
            refuse_input_rate(k, row, var);
        }
    }
    dd_vec_free(k->scratch, &symbols);
    dd_vec_free(k->scratch, &partials);
}

static void evaluate(dd_lin_work *k, entries *list)
{
    const uint32_t n = list->value.len;
    double *value = dd_pool_alloc_array(k->scratch, 2 * (size_t)n + 2, sizeof *value);
    const dd_numeric_place at = {k->taylor, k->stride, k->l->at};
    dd_equations_resolve_all(k->s, k->q->equations, list->value.data, n);
    dd_numeric_values(k->s, list->value.data, n, &at, value, value + n + 1, k->scratch);
    for (uint32_t i = 0; i < n; i++) {
        /* sin(x)^2 + cos(x)^2 - 1 is zero, and its value noise, which balancing would raise to 1 */
        const double noise = NOISE * value[n + 1 + i];
        *list->at.data[i] = fabs(value[i]) <= noise ? 0.0 : list->negative.data[i] ? -value[i] : value[i];
        if (!isfinite(value[i])) {
            dd_lin_refuse(
                k, DD_SIM_NONFINITE,
                dd_pool_printf(k->l->pool, "the derivatives of the equations are not finite at time %.10g", k->t));
        }
    }
}

/* Names and values of the point; outputs are unknowns. */
static void allocate(dd_lin_work *k, dd_descriptor *d)
{
    dd_descriptor_info *info = &d->info;
    dd_pool *pool = k->l->pool;
    const size_t n = info->n = k->s->declared, nu = info->nu = k->inputs.len, ny = info->ny = k->outputs.len;
    /* matrices, then the point with its names */
    info->E = d->E = dd_pool_alloc_array(pool, n * n + 1, sizeof(double));
    info->A = d->A = dd_pool_alloc_array(pool, n * n + 1, sizeof(double));
    info->B = d->B = dd_pool_alloc_array(pool, n * nu + 1, sizeof(double));
    double *C = dd_pool_alloc_array(pool, ny * n + 1, sizeof *C), *w = dd_pool_alloc_array(pool, n + 1, sizeof *w);
    info->D = dd_pool_alloc_array(pool, ny * nu + 1, sizeof(double));
    double *u = dd_pool_alloc_array(pool, nu + 1, sizeof *u);
    d->w_name = dd_pool_alloc_array(pool, n + 1, sizeof *d->w_name);
    d->u_name = dd_pool_alloc_array(pool, nu + 1, sizeof *d->u_name);
    d->y_name = dd_pool_alloc_array(pool, ny + 1, sizeof *d->y_name);
    for (uint32_t i = 0; i < n; i++) {
        d->w_name[i] = dd_system_column_name(k->s, i, pool);
        w[i] = k->taylor[(size_t)i * k->stride];
    }
    for (uint32_t i = 0; i < nu; i++) {
        d->u_name[i] = dd_model_var_name_dup(k->s->model, k->inputs.data[i], pool);
        u[i] = k->l->at.inputs[(size_t)k->inputs.data[i] * k->l->at.input_stride];
    }
    for (uint32_t i = 0; i < ny; i++) {
        d->y_name[i] = d->w_name[k->outputs.data[i]];
        C[i * n + k->outputs.data[i]] = 1;
    }
    info->C = C;
    info->w = w;
    info->u = u;
}

/* ---- structure ---- */

/* By columns, as LAPACK takes matrices. */
static double *by_columns(dd_lin_work *k, const double *a, size_t n)
{
    double *t = dd_pool_alloc_array(k->scratch, n * n + 1, sizeof *t);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            t[j * n + i] = a[i * n + j];
        }
    }
    return t;
}

static void analyse(dd_lin_work *k, dd_descriptor *d)
{
    dd_descriptor_info *info = &d->info;
    dd_weierstrass *w = &d->structure;
    info->differential_index = k->l->sim->system->index;
    info->analysed = info->n <= DD_WEIERSTRASS_MOST;
    if (!info->analysed) {
        return;
    }
    const dd_status st =
        dd_weierstrass_find(w, k->l->ctx, info->n, by_columns(k, d->E, info->n), by_columns(k, d->A, info->n));
    dd_system_must(k->s, st, "structure of the pencil");
    info->regular = w->regular;
    info->decided = w->decided;
    info->doubtful = w->doubtful;
    if (w->regular) {
        info->n_finite = w->finite;
        info->n_infinite = info->n - w->finite;
        info->eigen_re = w->re;
        info->eigen_im = w->im;
        info->n_blocks = w->n_blocks;
        info->block = w->block;
        info->nilpotency = w->index;
    }
}

static void descriptor_work(dd_lin_work *k)
{
    dd_descriptor *d = k->user;
    dd_lin_choose_system(k);
    if (!dd_lin_refused(k) && k->s->declared > MOST_UNKNOWNS) {
        dd_raise(k->l->ctx, DD_LIMIT, "the matrices of %u unknowns are too large: at most %u", k->s->declared,
                 MOST_UNKNOWNS);
    }
    if (!dd_lin_refused(k)) {
        dd_lin_find_point(k);
    }
    if (dd_lin_refused(k)) {
        return;
    }
    /* all partial derivatives as formulas, their values in one evaluation, then the pencil */
    dd_lin_find_outputs(k);
    allocate(k, d);
    entries list = {0};
    for (uint32_t i = 0; i < k->s->original.len && !dd_lin_refused(k); i++) {
        dd_check_stop(k->l->ctx);
        differentiate_row(k, d, i, &list);
    }
    if (!dd_lin_refused(k)) {
        evaluate(k, &list);
    }
    if (!dd_lin_refused(k)) {
        analyse(k, d);
    }
}

/* ---- public calls ---- */

dd_status dd_descriptor_new(dd_descriptor **out, dd_sim *sim)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !sim) {
        return DD_INVALID_ARGUMENT;
    }
    dd_descriptor *d = dd_mem_new_array(sim->ctx, 1, sizeof *d);
    if (!d) {
        return dd_fail(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    const dd_status st = dd_lin_make(&d->l, sim, descriptor_work, d);
    if (st != DD_OK) {
        dd_weierstrass_free(sim->ctx, &d->structure);
        dd_mem_free(sim->ctx, d, sizeof *d);
        return st;
    }
    /* the verdict is that of the holder; no half of an answer */
    const dd_linsys_info *held = &d->l->info;
    if (held->status != DD_SIM_OK) {
        d->info = (dd_descriptor_info){.differential_index = -1};
    }
    d->info.status = held->status;
    d->info.reason = held->reason;
    d->info.t = held->t;
    *out = d;
    return DD_OK;
}

void dd_descriptor_free(dd_descriptor *d)
{
    if (!d) {
        return;
    }
    dd_context *ctx = d->l->ctx;
    dd_weierstrass_free(ctx, &d->structure);
    dd_linsys_free(d->l);
    dd_mem_free(ctx, d, sizeof *d);
}

const dd_linsys *dd_descriptor_system(const dd_descriptor *d)
{
    return d->l;
}

dd_descriptor_info dd_descriptor_get_info(const dd_descriptor *d)
{
    return d ? d->info : (dd_descriptor_info){.status = DD_SIM_INVALID_MODEL, .reason = "", .differential_index = -1};
}

const char *dd_descriptor_unknown_name(const dd_descriptor *d, uint32_t i)
{
    return d && i < d->info.n ? d->w_name[i] : "";
}

const char *dd_descriptor_input_name(const dd_descriptor *d, uint32_t i)
{
    return d && i < d->info.nu ? d->u_name[i] : "";
}

const char *dd_descriptor_output_name(const dd_descriptor *d, uint32_t i)
{
    return d && i < d->info.ny ? d->y_name[i] : "";
}

/* ---- JSON ---- */

static void add_structure(dd_json *j, const dd_descriptor_info *s)
{
    dd_json_key(j, "regular");
    dd_json_bool(j, s->regular);
    dd_json_key(j, "decided");
    dd_json_bool(j, s->decided);
    dd_json_put_number(j, "rank_tolerance", DD_WEIERSTRASS_TOLERANCE);
    if (!s->decided) {
        dd_json_put_number(j, "doubtful", s->doubtful);
    }
    /* a singular pencil has no eigenvalues to speak of */
    if (s->regular) {
        dd_lin_json_eigenvalues(j, "finite_eigenvalues", s->eigen_re, s->eigen_im, s->n_finite);
        dd_json_put_int(j, "infinite_eigenvalues", s->n_infinite);
        dd_json_key(j, "jordan_blocks_at_infinity");
        dd_json_begin_array(j);
        for (uint32_t i = 0; i < s->n_blocks; i++) {
            dd_json_int(j, s->block[i]);
        }
        dd_json_end_array(j);
        dd_json_put_int(j, "nilpotency_index", s->nilpotency);
    }
    dd_json_key(j, "differential_index");
    if (s->differential_index < 0) {
        dd_json_null(j);
    } else {
        dd_json_int(j, s->differential_index);
    }
}

static void write_json(dd_json *j, const dd_descriptor *d)
{
    const dd_descriptor_info *s = &d->info;
    dd_json_begin_object(j);
    dd_json_put_string(j, "status", dd_sim_status_name(s->status));
    if (s->status != DD_SIM_OK) {
        dd_json_put_string(j, "reason", s->reason);
    }
    dd_json_put_string(j, "model", d->l->sim->system->model->name);
    dd_json_put_string(j, "form", "descriptor");
    dd_json_put_number(j, "t", s->t);
    /* names, matrices, point, structure */
    if (s->status == DD_SIM_OK) {
        dd_lin_json_names(j, "w", d->w_name, s->n);
        dd_lin_json_names(j, "u", d->u_name, s->nu);
        dd_lin_json_names(j, "y", d->y_name, s->ny);
        dd_lin_json_matrix(j, "E", s->E, s->n, s->n);
        dd_lin_json_matrix(j, "A", s->A, s->n, s->n);
        dd_lin_json_matrix(j, "B", s->B, s->n, s->nu);
        dd_lin_json_matrix(j, "C", s->C, s->ny, s->n);
        dd_lin_json_matrix(j, "D", s->D, s->ny, s->nu);
        dd_json_key(j, "w0");
        dd_lin_json_numbers(j, s->w, s->n);
        dd_json_key(j, "u0");
        dd_lin_json_numbers(j, s->u, s->nu);
        if (s->analysed) {
            add_structure(j, s);
        }
    }
    dd_json_end_object(j);
}

/* ---- text ---- */

static void add_sentences(dd_text *out, const dd_descriptor_info *s)
{
    if (!s->analysed) {
        dd_text_printf(out, "\n  more than %u unknowns: eigenvalues and blocks were not computed\n",
                       DD_WEIERSTRASS_MOST);
        return;
    }
    if (!s->regular && !s->decided) {
        dd_text_add(out, "\n  the pencil looks singular: det(s E - A) = 0 for all s\n");
    } else if (!s->regular) {
        dd_text_add(
            out, "\n  the pencil is singular: det(s E - A) = 0 for all s, the linear system has no unique solution\n");
    } else if (s->n_infinite == 0) {
        dd_text_add(out, "\n  no infinite eigenvalues: E is regular\n");
    } else {
        dd_text_printf(out, "\n  %u infinite eigenvalue%s in Jordan blocks of size ", s->n_infinite,
                       s->n_infinite == 1 ? "" : "s");
        /* sizes with their number: 3, 1 (4 times) */
        for (uint32_t i = 0, same; i < s->n_blocks; i += same) {
            for (same = 1; i + same < s->n_blocks && s->block[i + same] == s->block[i]; same++) {
            }
            dd_text_printf(out, "%s%u", i > 0 ? ", " : "", s->block[i]);
            if (same > 1) {
                dd_text_printf(out, " (%u times)", same);
            }
        }
        dd_text_printf(out, ": nilpotency index %u\n", s->nilpotency);
    }
    if (s->differential_index >= 0) {
        dd_text_printf(out, "  differential index of the model: %d\n", s->differential_index);
    }
    if (!s->decided) {
        dd_text_printf(
            out, "  not decided: a rank depends on whether %.2g, relative to the largest singular value, is zero\n",
            s->doubtful);
    }
}

typedef struct text_call {
    dd_descriptor *d;
    bool matrices, colour, json;
    const char *out;
} text_call;

static void add_matrices(dd_text *out, const text_call *c)
{
    const dd_descriptor *d = c->d;
    const dd_descriptor_info *s = &d->info;
    static const char equation[] = "equation";
    const char **row = dd_pool_alloc_array(out->pool, s->n + 1, sizeof *row);
    for (uint32_t i = 0; i < s->n; i++) {
        row[i] = dd_pool_printf(out->pool, "%s %u", equation, i + 1);
    }
    const dd_lin_table tables[] = {{"E", s->E, s->n, s->n, row, d->w_name},
                                   {"A", s->A, s->n, s->n, row, d->w_name},
                                   {"B", s->B, s->n, s->nu, row, d->u_name}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        dd_lin_print_matrix(out, c->colour, &tables[i]);
    }
}

static void write_text(dd_text *out, const text_call *c)
{
    const dd_descriptor_info *s = &c->d->info;
    const char *name = c->d->l->sim->system->model->name;
    if (s->status != DD_SIM_OK) {
        dd_text_printf(out, "%s: %s\n  %s\n", name, dd_sim_status_name(s->status), s->reason);
        return;
    }
    dd_text_printf(out, "%s at time %.10g: E w' = A w + B u with %u unknown%s, %u input%s\n", name, s->t, s->n,
                   s->n == 1 ? "" : "s", s->nu, s->nu == 1 ? "" : "s");
    if (c->matrices) {
        add_matrices(out, c);
    }
    if (s->n_finite > 0) {
        dd_lin_print_eigenvalues(out, "finite eigenvalues", s->eigen_re, s->eigen_im, s->n_finite);
    } else if (s->analysed && s->regular) {
        dd_text_add(out, "\n  no finite eigenvalues\n");
    }
    add_sentences(out, s);
}

static void text_body(void *arg)
{
    text_call *c = arg;
    dd_text out = dd_text_new(c->d->l->pool);
    if (c->json) {
        dd_json j = dd_json_new(&out);
        write_json(&j, c->d);
    } else {
        write_text(&out, c);
    }
    c->out = dd_text_str(&out);
}

static dd_status report(const char **out, text_call call)
{
    if (!call.d || !out) {
        return DD_INVALID_ARGUMENT;
    }
    call.out = "";
    dd_status st = dd_protect(call.d->l->ctx, text_body, &call);
    *out = call.out;
    return st;
}

dd_status dd_descriptor_json(const char **out, dd_descriptor *d)
{
    return report(out, (text_call){.d = d, .json = true});
}

dd_status dd_descriptor_text(const char **out, dd_descriptor *d, bool matrices, bool colour)
{
    return report(out, (text_call){.d = d, .matrices = matrices, .colour = colour});
}
