/* linearize_report.c - looking at a linear system: names, exact responses, JSON, text for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/json.h"
#include "base/utf8.h"
#include "la/expm.h"
#include "sim/linearize_impl.h"

dd_linsys_info dd_linsys_get_info(const dd_linsys *l)
{
    return l ? l->info : (dd_linsys_info){.status = DD_SIM_INVALID_MODEL, .reason = ""};
}

const char *dd_linsys_state_name(const dd_linsys *l, uint32_t i)
{
    return l && i < l->info.nx ? l->x_name[i] : "";
}

const char *dd_linsys_input_name(const dd_linsys *l, uint32_t i)
{
    return l && i < l->info.nu ? l->u_name[i] : "";
}

const char *dd_linsys_output_name(const dd_linsys *l, uint32_t i)
{
    return l && i < l->info.ny ? l->y_name[i] : "";
}

/* ---- responses ---- */

/* d/dt (dx, 1) = [A b; 0 0] (dx, 1) with b = r + B du. Column-major, order nx + 1. */
static void fill_augmented(const dd_linsys_info *s, double after, const double *du, double *a)
{
    const size_t n = s->nx, ld = n + 1;
    /* the constant b as a further column, so that one exponential has the whole response */
    for (size_t i = 0; i < n; i++) {
        double b = s->rate[i];
        for (size_t k = 0; k < n; k++) {
            a[k * ld + i] = after * s->A[i * n + k];
        }
        for (size_t k = 0; du && k < s->nu; k++) {
            b += s->B[i * s->nu + k] * du[k];
        }
        a[n * ld + i] = after * b;
    }
}

/* dx := e^(A t) dx + the effect of b */
static dd_status advance(dd_context *ctx, const dd_linsys_info *s, double after, const double *start, const double *du,
                         double *dx)
{
    const size_t n = s->nx, ld = n + 1;
    double *a = dd_mem_new_array(ctx, ld * ld, 2 * sizeof *a), *e = a ? a + ld * ld : NULL;
    if (!a) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    fill_augmented(s, after, du, a);
    dd_status st = dd_expm(ctx, (uint32_t)ld, a, e);
    for (size_t i = 0; i < n && st == DD_OK; i++) {
        double sum = e[n * ld + i];
        for (size_t k = 0; start && k < n; k++) {
            sum += e[k * ld + i] * start[k];
        }
        dx[i] = sum;
    }
    dd_mem_free(ctx, a, 2 * ld * ld * sizeof *a);
    return st == DD_OK ? st : dd_fail(ctx, st, "the response after %g is too large for a number", after);
}

dd_status dd_linsys_response(dd_linsys *l, double after, const double *dx, const double *du, double *x, double *y)
{
    if (!l) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_linsys_info *s = &l->info;
    if (s->status != DD_SIM_OK) {
        return dd_fail(l->ctx, DD_INVALID_ARGUMENT, "there is no linear system: %s", s->reason);
    }
    double *now = dd_mem_new_array(l->ctx, s->nx + 1, sizeof *now);
    if (!now) {
        return dd_fail(l->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    /* dx(after), then dy = C dx + D du */
    dd_status st = advance(l->ctx, s, after, dx, du, now);
    for (size_t i = 0; st == DD_OK && x && i < s->nx; i++) {
        x[i] = s->x[i] + now[i];
    }
    for (size_t i = 0; st == DD_OK && y && i < s->ny; i++) {
        y[i] = s->y[i];
        for (size_t k = 0; k < s->nx; k++) {
            y[i] += s->C[i * s->nx + k] * now[k];
        }
        for (size_t k = 0; du && k < s->nu; k++) {
            y[i] += s->D[i * s->nu + k] * du[k];
        }
    }
    dd_mem_free(l->ctx, now, (s->nx + 1) * sizeof *now);
    return st;
}

/* ---- JSON ---- */

void dd_lin_json_names(dd_json *j, const char *key, const char *const *names, uint32_t count)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < count; i++) {
        dd_json_string(j, names[i]);
    }
    dd_json_end_array(j);
}

void dd_lin_json_numbers(dd_json *j, const double *values, size_t count)
{
    dd_json_begin_array(j);
    for (size_t i = 0; i < count; i++) {
        dd_json_number(j, values[i] + 0.0); /* no -0 */
    }
    dd_json_end_array(j);
}

void dd_lin_json_matrix(dd_json *j, const char *key, const double *a, size_t rows, size_t columns)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (size_t i = 0; i < rows; i++) {
        dd_lin_json_numbers(j, a + i * columns, columns);
    }
    dd_json_end_array(j);
}

void dd_lin_json_eigenvalues(dd_json *j, const char *key, const double *re, const double *im, uint32_t n)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        const double pair[2] = {re[i], im[i]};
        dd_lin_json_numbers(j, pair, 2);
    }
    dd_json_end_array(j);
}

static void add_point(dd_json *j, const dd_linsys_info *s)
{
    const struct {
        const char *key;
        const double *values;
        uint32_t count;
    } parts[] = {{"x0", s->x, s->nx}, {"u0", s->u, s->nu}, {"y0", s->y, s->ny}, {"rate", s->rate, s->nx}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        dd_json_key(j, parts[i].key);
        dd_lin_json_numbers(j, parts[i].values, parts[i].count);
    }
}

static void write_json(dd_json *j, const dd_linsys *l)
{
    const dd_linsys_info *s = &l->info;
    dd_json_begin_object(j);
    dd_json_key(j, "status");
    dd_json_string(j, dd_sim_status_name(s->status));
    if (s->status != DD_SIM_OK) {
        dd_json_key(j, "reason");
        dd_json_string(j, s->reason);
    }
    /* the point and, where there is a system, names, matrices and eigenvalues */
    dd_json_key(j, "model");
    dd_json_string(j, l->sim->system->model->name);
    dd_json_key(j, "t");
    dd_json_number(j, s->t);
    if (s->status == DD_SIM_OK) {
        dd_lin_json_names(j, "x", l->x_name, s->nx);
        dd_lin_json_names(j, "u", l->u_name, s->nu);
        dd_lin_json_names(j, "y", l->y_name, s->ny);
        dd_lin_json_matrix(j, "A", s->A, s->nx, s->nx);
        dd_lin_json_matrix(j, "B", s->B, s->nx, s->nu);
        dd_lin_json_matrix(j, "C", s->C, s->ny, s->nx);
        dd_lin_json_matrix(j, "D", s->D, s->ny, s->nu);
        dd_lin_json_eigenvalues(j, "eigenvalues", s->eigen_re, s->eigen_im, s->nx);
        add_point(j, s);
    }
    dd_json_end_object(j);
}

typedef struct text_call {
    dd_linsys *l;
    bool colour;
    const char *out;
} text_call;

static void json_body(void *arg)
{
    text_call *call = arg;
    dd_text text = dd_text_new(call->l->pool);
    dd_json j = dd_json_new(&text);
    write_json(&j, call->l);
    call->out = dd_text_str(&text);
}

dd_status dd_linsys_json(const char **out, dd_linsys *l)
{
    if (!l || !out) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.l = l, .out = ""};
    dd_status st = dd_protect(l->ctx, json_body, &call);
    *out = call.out;
    return st;
}

/* ---- text ---- */

enum { WIDEST = 8, MOST_ROWS = 40, MOST_EIGENVALUES = 40 };

static int width_of(const char *text)
{
    return (int)dd_utf8_columns(text);
}

/* Right-aligned in `width` columns, whatever the bytes. */
static void add_cell(dd_text *out, const char *text, int width)
{
    dd_text_printf(out, "  %*s%s", width > width_of(text) ? width - width_of(text) : 0, "", text);
}

/* For people: what rounding left of a zero is 0. */
static double rounded(double value, double most)
{
    return fabs(value) > 1e-14 * most ? value : 0.0;
}

static double largest(const double *a, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

void dd_lin_print_matrix(dd_text *out, bool colour, const dd_lin_table *t)
{
    const uint32_t rows = t->rows, columns = t->columns;
    const double *a = t->a;
    if (rows == 0 || columns == 0) {
        return;
    }
    /* large matrices are better read by programs */
    dd_text_printf(out, "\n  %s%s%s%s", colour ? "\033[1m" : "", t->title, colour ? "\033[0m" : "",
                   columns > WIDEST || rows > MOST_ROWS ? "" : "\n");
    if (columns > WIDEST || rows > MOST_ROWS) {
        dd_text_printf(out, ": %u x %u, see %s\n", rows, columns,
                       dd_option_phrase(dd_pool_context(out->pool), "--json", "the JSON"));
        return;
    }
    /* columns as wide as the longest name or number */
    const double most = largest(a, (size_t)rows * columns);
    int label = 0, width = 12;
    for (uint32_t i = 0; i < rows; i++) {
        label = width_of(t->row_names[i]) > label ? width_of(t->row_names[i]) : label;
    }
    for (uint32_t k = 0; k < columns; k++) {
        width = width_of(t->column_names[k]) > width ? width_of(t->column_names[k]) : width;
    }
    dd_text_printf(out, "  %*s", label, "");
    for (uint32_t k = 0; k < columns; k++) {
        add_cell(out, t->column_names[k], width);
    }
    dd_text_add(out, "\n");
    for (uint32_t i = 0; i < rows; i++) {
        dd_text_add(out, "  ");
        dd_text_printf(out, "%*s%s", label - width_of(t->row_names[i]), "", t->row_names[i]);
        for (uint32_t k = 0; k < columns; k++) {
            dd_text_printf(out, "  %*.6g", width, rounded(a[(size_t)i * columns + k], most));
        }
        dd_text_add(out, "\n");
    }
}

void dd_lin_print_eigenvalues(dd_text *out, const char *title, const double *eigen_re, const double *eigen_im,
                              uint32_t n)
{
    dd_text_printf(out, "\n  %s\n", title);
    const double most = fmax(largest(eigen_re, n), largest(eigen_im, n));
    for (uint32_t i = 0; i < n; i++) {
        if (i == MOST_EIGENVALUES) {
            dd_text_printf(out, "    and %u more, see %s\n", n - i,
                           dd_option_phrase(dd_pool_context(out->pool), "--json", "the JSON"));
            return;
        }
        /* conjugate pairs are one line */
        const double re = rounded(eigen_re[i], most), im = rounded(eigen_im[i], most);
        if (im == 0) {
            dd_text_printf(out, "    %.6g\n", re);
        } else if (im > 0) {
            dd_text_printf(out, "    %.6g +- %.6g i\n", re, im);
        }
    }
}

static void print_names(dd_text *out, const char *what, const char *const *names, const double *values, uint32_t count)
{
    if (count == 0) {
        return;
    }
    dd_text_printf(out, "  %-8s", what);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 12) {
            dd_text_printf(out, " and %u more", count - i);
            break;
        }
        dd_text_printf(out, "%s %s = %.6g", i == 0 ? "" : ",", names[i], values[i] + 0.0);
    }
    dd_text_add(out, "\n");
}

static void text_body(void *arg)
{
    text_call *c = arg;
    const dd_linsys *l = c->l;
    const dd_linsys_info *s = &l->info;
    dd_text out = dd_text_new(l->pool);
    const char *name = l->sim->system->model->name;
    if (s->status != DD_SIM_OK) {
        dd_text_printf(&out, "%s: %s\n  %s\n", name, dd_sim_status_name(s->status), s->reason);
        c->out = dd_text_str(&out);
        return;
    }
    dd_text_printf(&out, "%s at time %.10g: %u state%s, %u input%s, %u output%s\n", name, s->t, s->nx,
                   s->nx == 1 ? "" : "s", s->nu, s->nu == 1 ? "" : "s", s->ny, s->ny == 1 ? "" : "s");
    /* a point that is not at rest has a constant rate beside A x */
    print_names(&out, "states", l->x_name, s->x, s->nx);
    print_names(&out, "inputs", l->u_name, s->u, s->nu);
    const double most = largest(s->rate, s->nx);
    if (most > 1e-13 * fmax(1, largest(s->A, (size_t)s->nx * s->nx))) {
        dd_text_printf(&out, "  the point is not at rest: rates up to %.3g\n", most);
    }
    const dd_lin_table tables[] = {{"A", s->A, s->nx, s->nx, l->x_name, l->x_name},
                                   {"B", s->B, s->nx, s->nu, l->x_name, l->u_name},
                                   {"C", s->C, s->ny, s->nx, l->y_name, l->x_name},
                                   {"D", s->D, s->ny, s->nu, l->y_name, l->u_name}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        dd_lin_print_matrix(&out, c->colour, &tables[i]);
    }
    dd_lin_print_eigenvalues(&out, "eigenvalues", s->eigen_re, s->eigen_im, s->nx);
    c->out = dd_text_str(&out);
}

dd_status dd_linsys_text(const char **out, dd_linsys *l, bool colour)
{
    if (!l || !out) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.l = l, .colour = colour, .out = ""};
    dd_status st = dd_protect(l->ctx, text_body, &call);
    *out = call.out;
    return st;
}
