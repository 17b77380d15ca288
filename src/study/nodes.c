/* nodes.c - interpolation by polynomials: the nodes decide whether higher degrees help.
 *
 * Interpolants are evaluated by the barycentric formula; the Lebesgue constant is the largest value of
 * sum_j |l_j(x)|, the factor by which errors of the values are amplified at most. Both maxima are looked for between
 * neighbouring nodes, on a grid that is refined around its largest value. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "daedal/model.h"
#include "eval/tape.h"
#include "lang/lang.h"
#include "methods/collocation.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {
    {"nodes", NULL, 0}, {"degree", NULL, 4}, {"error", NULL, 3}, {"lebesgue", "Lebesgue constant", 6}};
enum { N_COLUMNS = sizeof columns / sizeof *columns, MOST_DEGREE = 200, SAMPLES = 400 };

typedef struct interpolation {
    uint32_t n; /* degree + 1 nodes */
    double x[MOST_DEGREE + 1], weight[MOST_DEGREE + 1], y[MOST_DEGREE + 1];
} interpolation;

typedef struct nodes_study {
    dd_study *study;
    dd_tape *tape; /* the function of x */
    interpolation *p;
} nodes_study;

/* ---- nodes on [-1, 1] ---- */

typedef void (*node_family)(uint32_t n, double *x);

static void equispaced(uint32_t n, double *x)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = n > 1 ? -1 + 2.0 * i / (n - 1) : 0;
    }
}

/* zeros of the Chebyshev polynomial T_n */
static void chebyshev(uint32_t n, double *x)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = sin(M_PI * (2.0 * i + 1 - n) / (2.0 * n)); /* symmetric to the last bit */
    }
}

/* extrema of T_{n-1}: the Gauss-Lobatto points, with both ends */
static void chebyshev_lobatto(uint32_t n, double *x)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = n > 1 ? sin(M_PI * (2.0 * i + 1 - n) / (2.0 * (n - 1))) : 0;
    }
}

/* zeros of the Legendre polynomial P_n */
static void gauss(uint32_t n, double *x)
{
    dd_quad c[DD_COLLOCATION_MOST];
    dd_collocation_nodes(DD_NODES_GAUSS, n, c);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = (double)(2 * c[i] - 1);
    }
}

static const struct {
    const char *name;
    node_family fill;
    uint32_t most; /* nodes */
} families[] = {{"equispaced", equispaced, MOST_DEGREE + 1},
                {"chebyshev", chebyshev, MOST_DEGREE + 1},
                {"chebyshev-lobatto", chebyshev_lobatto, MOST_DEGREE + 1},
                {"gauss", gauss, DD_COLLOCATION_MOST}};
enum { N_FAMILIES = sizeof families / sizeof *families };

int dd_study_node_family(const char *name)
{
    for (int k = 0; k < N_FAMILIES; k++) {
        if (strcmp(families[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* ---- interpolants ---- */

static double value(nodes_study *w, double x)
{
    double y;
    dd_tape_eval(w->tape, &x, &y);
    return y;
}

static void fit_nodes(nodes_study *w, int family, uint32_t degree)
{
    interpolation *p = w->p;
    p->n = degree + 1;
    families[family].fill(p->n, p->x);
    for (uint32_t j = 0; j < p->n; j++) {
        /* factors of 2: products of distances on [-1, 1] shrink like 2^-n */
        double product = 1;
        for (uint32_t k = 0; k < p->n; k++) {
            product *= k == j ? 1 : 2 * (p->x[j] - p->x[k]);
        }
        p->weight[j] = 1 / product;
        p->y[j] = value(w, p->x[j]);
    }
}

/* The interpolant at x, and the sum of |l_j(x)|. */
static double interpolate(const interpolation *p, double x, double *lebesgue)
{
    double above = 0, below = 0, size = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        if (x == p->x[j]) {
            *lebesgue = 1;
            return p->y[j];
        }
        const double term = p->weight[j] / (x - p->x[j]);
        above += term * p->y[j];
        below += term;
        size += fabs(term);
    }
    *lebesgue = size / fabs(below);
    return above / below;
}

typedef struct maxima {
    double error, lebesgue;
} maxima;

static maxima at(nodes_study *w, double x)
{
    maxima m;
    const double y = interpolate(w->p, x, &m.lebesgue);
    m.error = fabs(y - value(w, x));
    return m;
}

/* The largest of one of both between a and b: a grid, then smaller ones around its best point. */
static double largest(nodes_study *w, double a, double b, bool of_lebesgue)
{
    enum { POINTS = 16, ROUNDS = 12 };
    double best = 0, where = a;
    for (int round = 0; round < ROUNDS; round++) {
        const double step = (b - a) / POINTS;
        for (int i = 0; i <= POINTS; i++) {
            const maxima m = at(w, a + i * step);
            const double here = of_lebesgue ? m.lebesgue : m.error;
            if (here > best) {
                best = here;
                where = a + i * step;
            }
        }
        a = fmax(a, where - step);
        b = fmin(b, where + step);
    }
    return best;
}

static maxima find_maxima(nodes_study *w)
{
    const interpolation *p = w->p;
    maxima most = {0};
    /* between neighbours, and between the outer nodes and the ends */
    for (uint32_t j = 0; j <= p->n; j++) {
        const double a = j > 0 ? p->x[j - 1] : -1, b = j < p->n ? p->x[j] : 1;
        if (b > a) {
            most.error = fmax(most.error, largest(w, a, b, false));
            most.lebesgue = fmax(most.lebesgue, largest(w, a, b, true));
        }
        dd_check_stop(w->study->ctx);
    }
    return most;
}

/* ---- the function ---- */

static void free_model(void *model)
{
    dd_model_free(model);
}

static void read_function(nodes_study *w)
{
    dd_study *study = w->study;
    const char *text = study->options.function ? study->options.function : "1/(1 + 25*x^2)";
    dd_model *model;
    dd_expr x = DD_EXPR_NONE, *rows;
    uint32_t count;
    const char *option = dd_pool_printf(study->pool, "option %s", dd_option_word(study->ctx, "--function"));
    /* an expression in the scope of a model whose only variable is x */
    dd_status st = dd_model_new(&model, study->ctx, "Function");
    if (st == DD_OK) {
        dd_pool_keep(study->pool, model, free_model);
        st = dd_model_add_variable(model, "x", 0, NULL, &x);
    }
    if (st != DD_OK) {
        dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
    }
    if (!dd_lang_read_relation(model, study->pool, option, text, &rows, &count) || count != 1 || strchr(text, '=')) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: expected a formula of x, not \"%s\"",
                 dd_option_word(study->ctx, "--function"), text);
    }
    dd_expr_vec symbols = {0};
    dd_symbols(model->dag, rows[0], true, &symbols, study->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (symbols.data[i] != x) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: \"%s\" contains more than x",
                     dd_option_word(study->ctx, "--function"), text);
        }
    }
    w->tape = dd_tape_new(study->pool, model->dag, &x, 1, rows, 1);
    study->headline = dd_pool_printf(study->pool, "polynomials through values of %s on [-1, 1]", text);
}

/* ---- the study ---- */

static dd_number_vec find_degrees(dd_study *study)
{
    const char *option = dd_option_word(study->ctx, "--degrees");
    const dd_number_vec list = dd_study_numbers(
        study->pool, option, study->options.degrees ? study->options.degrees : "2,4,6,8,10,12,14,16,18,20", true);
    for (uint32_t i = 0; i < list.len; i++) {
        if (list.data[i] > MOST_DEGREE) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: %g is above %d, the highest degree", option,
                     list.data[i], MOST_DEGREE);
        }
    }
    return list;
}

void dd_study_nodes(dd_study *study)
{
    nodes_study w = {.study = study, .p = dd_pool_alloc(study->pool, sizeof *w.p)};
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    read_function(&w);
    const dd_number_vec degrees = find_degrees(study);
    study->planned = study->methods.len * degrees.len;
    /* every family at every degree; a degree that a family does not reach is a note */
    for (uint32_t i = 0; i < study->methods.len; i++) {
        const int family = dd_study_node_family(study->methods.data[i]);
        for (uint32_t k = 0; k < degrees.len; k++) {
            const uint32_t degree = (uint32_t)degrees.data[k];
            if (degree + 1 > families[family].most) {
                dd_study_note(study, "%s: degree %u left out, %u is the highest", families[family].name, degree,
                              families[family].most - 1);
                continue;
            }
            dd_study_begin_run(study, families[family].name);
            fit_nodes(&w, family, degree);
            const maxima most = find_maxima(&w);
            dd_grid_word(&study->points, families[family].name);
            dd_grid_number(&study->points, degree);
            dd_grid_number(&study->points, most.error);
            dd_grid_number(&study->points, most.lebesgue);
            study->info.runs++;
        }
    }
}

/* ---- plots ---- */

/* The function and an interpolant at each family of nodes, of one degree. */
static void add_curves(nodes_study *w, uint32_t degree)
{
    dd_study *study = w->study;
    dd_pool *pool = study->pool;
    const uint32_t n = study->methods.len;
    double *x = dd_pool_alloc_array(pool, SAMPLES + 1, sizeof *x),
           *y = dd_pool_alloc_array(pool, SAMPLES + 1, sizeof *y);
    double low = INFINITY, high = -INFINITY, unused;
    dd_plot_line *lines = dd_pool_alloc_array(pool, n + 1, sizeof *lines);
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        x[i] = -1 + 2.0 * i / SAMPLES;
        y[i] = value(w, x[i]);
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    lines[0] = (dd_plot_line){.name = "the function", .y = y};
    /* oscillations far beyond the function are cut off: they would flatten everything else */
    const double room = 1.0 * (high - low);
    uint32_t count = 1;
    for (uint32_t k = 0; k < n; k++) {
        const int family = dd_study_node_family(study->methods.data[k]);
        if (degree + 1 > families[family].most) {
            continue;
        }
        double *values = dd_pool_alloc_array(pool, SAMPLES + 1, sizeof *values);
        fit_nodes(w, family, degree);
        for (uint32_t i = 0; i <= SAMPLES; i++) {
            const double at_x = interpolate(w->p, x[i], &unused);
            values[i] = at_x > high + room || at_x < low - room ? NAN : at_x;
        }
        lines[count++] = (dd_plot_line){.name = study->methods.data[k], .y = values};
    }
    const dd_plot plot = {.x = x,
                          .count = SAMPLES + 1,
                          .stride = 1,
                          .lines = lines,
                          .n_lines = count,
                          .x_name = "x",
                          .caption = dd_pool_printf(pool, "interpolants of degree %u", degree)};
    dd_vec_push(pool, &study->plots, plot);
}

void dd_study_nodes_plots(dd_study *study)
{
    nodes_study w = {.study = study, .p = dd_pool_alloc(study->pool, sizeof *w.p)};
    const dd_grid *g = &study->points;
    if (dd_grid_rows(g) == 0) {
        return;
    }
    read_function(&w);
    /* the curves of a middle and of the highest degree, then error and Lebesgue constant over the degree */
    const dd_number_vec degrees = find_degrees(study);
    if (degrees.len > 2) {
        add_curves(&w, (uint32_t)degrees.data[degrees.len / 2]);
    }
    add_curves(&w, (uint32_t)degrees.data[degrees.len - 1]);
    static const char *const captions[] = {"largest error on [-1, 1]", "Lebesgue constant"};
    for (uint32_t k = 0; k < 2; k++) {
        const dd_line_spec spec = {.x = 1,
                                   .y = 2 + k,
                                   .name = 0,
                                   .group = UINT32_MAX,
                                   .x_name = "degree",
                                   .caption = captions[k],
                                   .log_y = true,
                                   .style = DD_LINE_MARKED};
        dd_study_add_lines(study, &spec);
    }
}
