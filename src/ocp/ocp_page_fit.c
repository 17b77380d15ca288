/* ocp_page_fit.c - a fit on the page of an optimization: residuals over time and their distribution, parameters with
 * their intervals and correlations. */
#include <math.h>
#include <string.h>

#include "ocp/ocp_page_more.h"
#include "ocp/reading.h"
#include "ocp/residuals.h"
#include "ocp/statistics.h"

enum { MOST_PARAMETERS = 20 };

/* ---- intervals ---- */

/* The part of Student's distribution with n degrees of freedom between -t and t (Abramowitz and Stegun, 26.7.3 and 4). */
static double student_part(double t, uint32_t n)
{
    const double theta = atan(t / sqrt(n)), s = sin(theta), c = cos(theta);
    double term = n % 2 == 1 ? c : 1, sum = n > 1 ? term : 0;
    for (uint32_t k = n % 2 == 1 ? 3 : 2; k < n; k += 2) {
        term *= c * c * (k - 1) / k;
        sum += term;
    }
    return n % 2 == 1 ? 2 / M_PI * (theta + s * sum) : s * sum;
}

double dd_student_95(uint32_t n)
{
    enum { MANY = 2000 };
    const double z = 1.959963984540054; /* of the normal distribution */
    if (n == 0 || n > MANY) {
        return n == 0 ? (double)NAN : z + (z * z * z + z) / (4.0 * n);
    }
    /* bisection: the part grows with t, and 12.8 is enough for n = 1 */
    double low = z, high = 13;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(student_part(middle, n) < 0.95 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static void add_intervals(dd_page_writer *page, dd_ocp *p, const char *const *names, uint32_t n, dd_pool *pool)
{
    static const char *const headings[] = {"parameter", "value", "standard deviation", "from", "to"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const struct dd_statistics *s = p->statistics;
    const dd_reading r = dd_reading_new(p, pool);
    /* the size of the errors is estimated from the residuals (Student's t), unless the data gave it (normal) */
    const uint32_t free_of = s->residuals > s->estimated ? s->residuals - s->estimated : 0;
    const double t = s->given ? dd_student_95(UINT32_MAX) : dd_student_95(free_of);
    const char **cells = dd_pool_alloc_array(pool, (size_t)n * COLUMNS + 1, sizeof *cells);
    for (uint32_t i = 0; i < n; i++) {
        const char **row = cells + (size_t)i * COLUMNS;
        const double value = r.params[i], off = t * s->deviation[i];
        const bool known = isfinite(off);
        row[0] = names[i];
        row[1] = dd_pool_printf(pool, "%.6g", value);
        row[2] = known ? dd_pool_printf(pool, "%.6g", dd_rounded_digits(s->deviation[i], 2)) : "at a bound";
        row[3] = known ? dd_pool_printf(pool, "%.6g", value - off) : "";
        row[4] = known ? dd_pool_printf(pool, "%.6g", value + off) : "";
    }
    const char *note =
        s->given
            ? dd_pool_printf(pool, "%u residuals with errors of the given size; %.3g standard deviations to each side",
                             s->residuals, t)
            : dd_pool_printf(pool,
                             "%u residuals, %u estimated: Student's t with %u degrees of freedom, %.3g standard "
                             "deviations to each side",
                             s->residuals, s->estimated, free_of, t);
    dd_page_add_grid(page, &(dd_page_grid){"95 % intervals", note, headings, cells, COLUMNS, n, 1});
}

static void add_correlations(dd_page_writer *page, const dd_ocp *p, const char *const *names, uint32_t n, dd_pool *pool)
{
    const uint32_t all = p->problem->p.len, width = n + 1;
    const char **headings = dd_pool_alloc_array(pool, width, sizeof *headings);
    const char **cells = dd_pool_alloc_array(pool, (size_t)n * width + 1, sizeof *cells);
    headings[0] = "";
    for (uint32_t i = 0; i < n; i++) {
        headings[1 + i] = names[i];
        cells[(size_t)i * width] = names[i];
        for (uint32_t j = 0; j < n; j++) {
            const double value = p->statistics->correlation[(size_t)i * all + j];
            cells[(size_t)i * width + 1 + j] = isfinite(value) ? dd_pool_printf(pool, "%.2f", value) : "";
        }
    }
    dd_page_add_grid(page, &(dd_page_grid){"Correlations", "", headings, cells, width, n, 1});
}

/* ---- residuals ---- */

/* Those of one variable and column: a line of dots. */
static dd_plot_line residual_line(const dd_ocp *p, const dd_residual *r, uint32_t n, dd_pool *pool)
{
    double *x = dd_pool_alloc_array(pool, n, sizeof *x), *y = dd_pool_alloc_array(pool, n, sizeof *y);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = r[i].t;
        y[i] = r[i].value;
    }
    const char *name = r->of != DD_NO_INDEX ? dd_model_var_name_dup(p->problem->model, r->of, pool)
                       : r->data != NULL    ? r->data
                                            : "others";
    return (dd_plot_line){.name = name, .x = x, .y = y, .count = n, .style = DD_LINE_POINTS};
}

static void add_over_time(dd_page_writer *page, const dd_ocp *p, const dd_residual_vec *list, dd_pool *pool)
{
    static const double zero = 0;
    DD_VEC(dd_plot_line) lines = {0};
    uint32_t groups = 0;
    /* a line per variable and column; those beyond the colours are counted */
    for (uint32_t i = 0, n; i < list->len; i += n) {
        n = dd_residuals_alike(list, i);
        if (groups++ < DD_PLOT_COLOURS) {
            dd_vec_push(pool, &lines, residual_line(p, &list->data[i], n, pool));
        }
    }
    if (lines.len == 0) {
        return;
    }
    const dd_plot plot = {.x = lines.data[0].x,
                          .count = lines.data[0].count,
                          .stride = 1,
                          .lines = lines.data,
                          .n_lines = lines.len,
                          .x_name = "time",
                          .x_end = p->info.final_time,
                          .levels = &zero,
                          .n_levels = 1};
    dd_page_add_figure(
        page, &(dd_page_figure){
                  .title = "residuals",
                  .doc = "a trend or waves mean that the model cannot follow the measurements",
                  .unit = "",
                  .note = groups > lines.len ? dd_pool_printf(pool, "%u of %u variables shown", lines.len, groups) : "",
                  .plot = plot});
}

/* Counts of residuals in bins of equal width about zero, and what a normal distribution of their size would give. */
static void add_distribution(dd_page_writer *page, const dd_residual_vec *list, dd_pool *pool)
{
    enum { FEWEST_BINS = 5, MOST_BINS = 41, FINER = 4 };
    double most = 0, sum = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        most = fmax(most, fabs(list->data[i].value));
        sum += list->data[i].value * list->data[i].value;
    }
    const double size = sqrt(sum / list->len); /* root mean square */
    if (!(size > 0)) {
        return;
    }
    /* as many bins as the root of their number, an odd one, so that zero is inside of a bin */
    uint32_t n = (uint32_t)fmin(fmax(sqrt(list->len), FEWEST_BINS), MOST_BINS) | 1;
    const double width = 2 * most / n;
    double *x = dd_pool_alloc_array(pool, n, sizeof *x), *count = dd_pool_alloc_array(pool, n, sizeof *count);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = -most + (i + 0.5) * width;
        count[i] = 0;
    }
    for (uint32_t i = 0; i < list->len; i++) {
        count[(uint32_t)fmin(n - 1, (list->data[i].value + most) / width)]++;
    }
    const uint32_t points = FINER * n + 1;
    double *at = dd_pool_alloc_array(pool, points, sizeof *at), *normal = dd_pool_alloc_array(pool, points, sizeof *at);
    for (uint32_t i = 0; i < points; i++) {
        at[i] = -most + 2 * most * i / (points - 1);
        normal[i] = list->len * width / (size * sqrt(2 * M_PI)) * exp(-0.5 * (at[i] / size) * (at[i] / size));
    }
    const dd_plot_line lines[] = {{.name = "residuals", .y = count, .style = DD_LINE_BARS},
                                  {.name = "normal distribution", .x = at, .y = normal, .count = points}};
    dd_plot_line *kept = dd_pool_alloc_array(pool, 2, sizeof *kept);
    memcpy(kept, lines, sizeof lines);
    dd_page_add_figure(
        page, &(dd_page_figure){
                  .title = "distribution of the residuals",
                  .doc = dd_pool_printf(pool, "%u residuals, root mean square %.3g", list->len, size),
                  .unit = "",
                  .note = "",
                  .plot = {.x = x, .count = n, .stride = 1, .lines = kept, .n_lines = 2, .x_name = "residual"}});
}

void dd_ocp_page_fit(dd_page_writer *page, dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    const dd_residual_vec residuals = dd_ocp_residuals(p, pool);
    const uint32_t n = o->p.len < MOST_PARAMETERS ? o->p.len : MOST_PARAMETERS;
    if (residuals.len == 0 && (p->statistics == NULL || n == 0)) {
        return;
    }
    dd_page_section(page, "Fit");
    if (residuals.len > 0) {
        add_over_time(page, p, &residuals, pool);
        add_distribution(page, &residuals, pool);
    }
    if (p->statistics == NULL || n == 0) {
        return;
    }
    const char **names = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = dd_model_var_name_dup(o->model, o->p.data[i].var, pool);
    }
    add_intervals(page, p, names, n, pool);
    if (n > 1) {
        add_correlations(page, p, names, n, pool);
    }
}
