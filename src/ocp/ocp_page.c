/* ocp_page.c - an optimization as a page with plots, and a picture of chosen variables. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/ocp_curves.h"
#include "ocp/ocp_page_more.h"
#include "ocp/phases.h"
#include "ocp/reading.h"
#include "ocp/statistics.h"
#include "report/written.h"

enum { MOST_FIGURES = 60, MOST_VALUES = 24, MOST_WORST = 8 };

typedef struct page_work {
    dd_ocp *p;
    dd_pool *pool;
    dd_ocp_outputs *path; /* NULL: no path rows */
    dd_page page;
    dd_figure_vec figures;
    DD_VEC(dd_page_row) summary, parameters, values, worst;
    dd_page_table tables[6], rest[2]; /* rest: constants and copies, which have no figures */
    dd_string_vec messages;
    uint32_t left_out, n_final;
    uint32_t idle; /* costates and multipliers that are zero throughout */
} page_work;

#define ADD(w, list, name, ...)                                                                                        \
    dd_vec_push((w)->pool, &(w)->list, ((dd_page_row){name, dd_pool_printf((w)->pool, __VA_ARGS__)}))

/* ---- tables ---- */

static void add_accuracy(page_work *w)
{
    /* residuals of the optimality conditions, then accuracy of the mesh */
    const dd_ocp_info *info = &w->p->info;
    ADD(w, summary, "violation of rows", "%.2g", info->violation);
    ADD(w, summary, "dual infeasibility", "%.2g", info->dual_infeasibility);
    ADD(w, summary, "complementarity", "%.2g", info->complementarity);
    if (!isnan(info->estimated_error)) {
        ADD(w, summary, "estimated error of an interval", "%.2g", info->estimated_error);
    }
    if (!isnan(info->objective_change)) {
        ADD(w, summary, "change of the objective by the last mesh", "%.2g", info->objective_change);
    }
    if (!isnan(info->simulation_difference)) {
        ADD(w, summary, "difference to a simulation", "%.2g", info->simulation_difference);
    }
}

static void add_summary(page_work *w)
{
    const dd_ocp_info *info = &w->p->info;
    ADD(w, summary, "status", "%s", dd_ocp_status_name(info->status));
    if (dd_ocp_has_trajectory(w->p)) {
        ADD(w, summary, "objective", "%.10g", info->objective);
        ADD(w, summary, "time", "%.10g to %.10g", info->start_time, info->final_time);
        ADD(w, summary, "iterations", "%u", info->iterations);
        add_accuracy(w);
        ADD(w, summary, "intervals", "%u", info->intervals);
        ADD(w, summary, "meshes", "%u", info->meshes);
        ADD(w, summary, "variables", "%u", info->variables);
        ADD(w, summary, "equalities, inequalities", "%u, %u", info->equalities, info->inequalities);
    }
    ADD(w, summary, "seconds", "%.3g, %.2g of it setting up", info->seconds_total, info->seconds_setup);
}

static void add_values(page_work *w)
{
    const dd_ocp_problem *o = w->p->problem;
    dd_reading r = dd_reading_new(w->p, w->pool);
    const struct dd_statistics *s = w->p->statistics;
    /* a parameter with its standard deviation where there is one */
    for (uint32_t i = 0; i < o->p.len; i++) {
        const char *name = dd_model_var_name_dup(o->model, o->p.data[i].var, w->pool);
        if (s != NULL && isfinite(s->deviation[i])) {
            ADD(w, parameters, name, "%.8g \xC2\xB1 %.6g", r.params[i], dd_rounded_digits(s->deviation[i], 2));
        } else {
            ADD(w, parameters, name, "%.8g", r.params[i]);
        }
    }
    const dd_final_values end = dd_ocp_final_values(w->p, MOST_VALUES, w->pool);
    w->n_final = end.len;
    for (uint32_t i = 0; i < end.len && i < MOST_VALUES; i++) {
        ADD(w, values, end.data[i].name, "%.6g", end.data[i].value);
    }
}

/* ---- worst violations ---- */

typedef struct violated {
    uint32_t row;
    double by;
} violated;

/* Rows of one equation are one entry, where it is violated most. */
static void note_violation(const dd_transcription *t, violated *list, uint32_t *n, uint32_t row, double by)
{
    const dd_row_tag *tag = &t->tags.data[row];
    uint32_t at = 0;
    /* the entry of the same equation, if there is one */
    for (; at < *n; at++) {
        const dd_row_tag *other = &t->tags.data[list[at].row];
        if (other->kind == tag->kind && other->index == tag->index) {
            break;
        }
    }
    /* new: replaces the least when the list is full */
    if (at == *n) {
        if (*n == MOST_WORST && by <= list[*n - 1].by) {
            return;
        }
        *n += *n < MOST_WORST ? 1 : 0;
        at = *n - 1;
    } else if (by <= list[at].by) {
        return;
    }
    /* up to its place in the order */
    for (; at > 0 && list[at - 1].by < by; at--) {
        list[at] = list[at - 1];
    }
    list[at] = (violated){row, by};
}

static void add_worst(page_work *w)
{
    const dd_transcription *t = w->p->transcription;
    const dd_nlp *nlp = t->nlp;
    double *c = dd_pool_alloc_array(w->pool, nlp->m + 1, sizeof *c);
    violated list[MOST_WORST];
    uint32_t n = 0;
    /* rows are computed again: the report shows the point, not the solver's word */
    nlp->constraints(nlp->user, w->p->result.x, true, c);
    for (uint32_t i = 0; i < nlp->m; i++) {
        const double by = fmax(nlp->c_lower[i] - c[i], c[i] - nlp->c_upper[i]);
        if (by > w->p->options.tolerance) {
            note_violation(t, list, &n, i, by);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_text name = dd_text_new(w->pool);
        dd_transcription_row_name(t, list[i].row, &name);
        dd_text_printf(&name, " at time %.5g",
                       dd_transcription_time(t, w->p->result.x, t->tags.data[list[i].row].theta));
        ADD(w, worst, dd_text_str(&name), "%.3g", list[i].by);
    }
}

/* ---- figures ---- */

/* Is a line zero throughout, as the multiplier of a row that is never active is? */
static bool is_idle(const dd_plot *plot, uint32_t k)
{
    const double zero = 1e-8; /* an interior-point solver leaves them a little above it */
    for (uint64_t i = 0; i < plot->count; i++) {
        if (fabs(plot->lines[k].y[i * plot->stride]) > zero) {
            return false;
        }
    }
    return true;
}

/* Costates and multipliers: figures of idle ones are taken out again, and counted. */
static void drop_idle(page_work *w, uint32_t first)
{
    uint32_t kept = first;
    const char *heading = w->figures.len > first ? w->figures.data[first].heading : NULL;
    for (uint32_t i = first; i < w->figures.len; i++) {
        const dd_plot *plot = &w->figures.data[i].plot;
        uint32_t active = 0;
        for (uint32_t k = 0; k < plot->n_lines; k++) {
            active += is_idle(plot, k) ? 0 : 1;
        }
        w->idle += plot->n_lines - active;
        if (active > 0) {
            w->figures.data[kept] = w->figures.data[i];
            w->figures.data[kept].heading = kept == first ? heading : NULL;
            kept++;
        }
    }
    w->figures.len = kept;
}

/* Costates say something about a solution, where there is something to control; what --show asks for is shown alone. */
static bool shows_costates(const dd_ocp *p)
{
    const bool solved = p->info.status == DD_OCP_OPTIMAL || p->info.status == DD_OCP_INACCURATE;
    return solved && p->problem->u.len > 0 && p->show.count == 0;
}

static void add_trajectories(page_work *w)
{
    static const char *const headings[DD_GROUPS] = {"States",           "Controls", "Algebraic variables",
                                                    "Path constraints", "Costates", "Multipliers"};
    if (w->p->problem->path.len > 0) {
        w->path = dd_ocp_outputs_path(w->p->problem, w->pool);
    }
    dd_ocp_curves c = dd_ocp_curves_new(w->p, w->path, shows_costates(w->p), w->pool);
    if (w->p->show.count == 0) {
        w->left_out = dd_curves_leave_out(&c.curves, c.first[DD_GROUP_ALGEBRAIC], c.first[DD_GROUP_ALGEBRAIC + 1],
                                          w->rest, w->pool);
    }
    dd_page_figure map;
    if (w->p->show.count == 0 && dd_curves_map(&c.curves, &map, w->pool)) {
        map.heading = "Path";
        dd_vec_push(w->pool, &w->figures, map);
    }
    dd_panels_figures(&c.curves, w->p->show.items, w->p->show.count, &w->figures, w->pool);
    /* one figure per array, grouped; beyond the limit they are counted */
    for (uint32_t g = 0; g < DD_GROUPS && w->p->show.count == 0; g++) {
        const uint32_t first = w->figures.len;
        w->left_out +=
            dd_curves_figures(&c.curves, c.first[g], c.first[g + 1], headings[g], MOST_FIGURES, &w->figures, w->pool);
        if (g == DD_GROUP_COSTATES || g == DD_GROUP_MULTIPLIERS) {
            drop_idle(w, first);
        }
    }
}

/* One line over an axis that several figures share. */
typedef struct axis {
    const double *x; /* n */
    uint32_t n;
    const char *name;
} axis;

/* A line over it; doc: a sentence below the title. */
typedef struct drawn {
    const char *title, *doc;
    const double *y; /* n, with a stride of one */
    bool log;
} drawn;

/* heading: NULL where the figure belongs to the heading before. */
static void add_figure(page_work *w, const char *heading, const axis *over, const drawn *d)
{
    dd_plot_line *line = dd_pool_alloc(w->pool, sizeof *line);
    *line = (dd_plot_line){.name = d->title, .y = d->y};
    const dd_plot plot = {
        .x = over->x, .count = over->n, .stride = 1, .lines = line, .n_lines = 1, .x_name = over->name, .log = d->log};
    const dd_page_figure f = {
        .heading = heading, .title = d->title, .doc = d->doc, .unit = "", .note = "", .plot = plot};
    dd_vec_push(w->pool, &w->figures, f);
}

static void add_mesh(page_work *w)
{
    const dd_ocp *p = w->p;
    const dd_mesh *mesh = &p->transcription->mesh;
    const uint32_t n = 2 * mesh->n;
    double *x = dd_pool_alloc_array(w->pool, n + 1, sizeof *x), *width = dd_pool_alloc_array(w->pool, n + 1, sizeof *x);
    double *error = dd_pool_alloc_array(w->pool, n + 1, sizeof *x),
           *degree = dd_pool_alloc_array(w->pool, n + 1, sizeof *x);
    const double alike = 1e-9; /* of the width: intervals that differ by less are equal but for rounding */
    bool varies = false, uneven = false;
    /* two points per interval make steps */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = i / 2;
        x[i] = dd_transcription_time(p->transcription, p->result.x, mesh->theta[k + i % 2]);
        width[i] = (mesh->theta[k + 1] - mesh->theta[k]) * (dd_transcription_time(p->transcription, p->result.x, 1) -
                                                            dd_transcription_time(p->transcription, p->result.x, 0));
        error[i] = p->error_known ? p->error.size[k] : NAN;
        degree[i] = mesh->degree[k];
        varies = varies || mesh->degree[k] != mesh->degree[0];
        uneven = uneven || fabs(width[i] - width[0]) > alike * width[0];
    }
    /* phases share an axis from 0 to 1 */
    const axis over = {x, n, dd_ocp_phase_count(p->problem) > 0 ? "part of the phase" : "time"};
    const char *heading = "Mesh"; /* of the first figure; equal widths are none, the table has their number */
    if (uneven) {
        add_figure(w, heading, &over, &(drawn){"width of the intervals", "", width, true});
        heading = NULL;
    }
    if (p->error_known && isfinite(p->info.estimated_error)) {
        add_figure(w, heading, &over,
                   &(drawn){"estimated error", "of the state at the end of each interval", error, true});
        heading = NULL;
    }
    if (varies) {
        add_figure(w, heading, &over, &(drawn){"degree", "collocation points of each interval", degree, false});
    }
}

static void add_convergence(page_work *w)
{
    const dd_history *h = w->p->history;
    const uint32_t n = h != NULL ? h->len : 0;
    double *x = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *x);
    double *y = dd_pool_alloc_array(w->pool, 4 * (size_t)n + 4, sizeof *y);
    double *marks = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *marks);
    uint32_t n_marks = 0;
    if (n < 2) {
        return;
    }
    /* one line each for objective, violation, dual infeasibility and barrier */
    for (uint32_t i = 0; i < n; i++) {
        const dd_ocp_iteration *it = &h->rows[i].it;
        const double values[] = {it->objective, it->violation, it->dual_infeasibility, it->barrier};
        x[i] = (double)h->rows[i].index;
        for (uint32_t k = 0; k < 4; k++) {
            y[k * n + i] = values[k];
        }
        /* a mark where another solve begins */
        if (i > 0 && it->solve != h->rows[i - 1].it.solve) {
            marks[n_marks++] = x[i];
        }
    }
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, 3, sizeof *lines);
    lines[0] = (dd_plot_line){.name = "violation", .y = y + n};
    lines[1] = (dd_plot_line){.name = "dual infeasibility", .y = y + 2 * n};
    lines[2] = (dd_plot_line){.name = "barrier", .y = y + 3 * n};
    /* the objective alone: its scale is linear; residuals share a logarithmic one */
    add_figure(w, "Convergence", &(axis){x, n, "iteration"}, &(drawn){"objective", "", y, false});
    dd_page_figure *first = &w->figures.data[w->figures.len - 1];
    first->plot.marks = marks;
    first->plot.n_marks = n_marks;
    first->plot.mark_name = "another solve";
    first->plot.x_whole = true;
    dd_page_figure f = *first;
    f.heading = NULL;
    f.title = "residuals";
    f.plot.lines = lines;
    f.plot.n_lines = 3;
    f.plot.log = true;
    dd_vec_push(w->pool, &w->figures, f);
}

/* ---- all together ---- */

static void add_words(page_work *w)
{
    const dd_ocp *p = w->p;
    const dd_model *m = p->system->model;
    const bool good = p->info.status == DD_OCP_OPTIMAL;
    /* title and verdict */
    w->page.head.title = m->name;
    w->page.head.doc = m->doc != NULL ? m->doc : "";
    w->page.head.subtitle = dd_ocp_has_trajectory(p)
                                ? dd_pool_printf(w->pool, "%s; objective %.8g, from time %.6g to %.6g, %u intervals",
                                                 dd_ocp_status_name(p->info.status), p->info.objective,
                                                 p->info.start_time, p->info.final_time, p->info.intervals)
                                : "no trajectory";
    w->page.head.failure = good ? ""
                                : dd_pool_printf(w->pool, "%s%s%s", dd_ocp_status_name(p->info.status),
                                                 p->info.reason[0] != '\0' ? ": " : "", p->info.reason);
    w->page.head.note = p->info.note;
    /* messages: rows that were left out, notes, other optima */
    for (uint32_t i = 0; p->problem != NULL && i < p->problem->redundant.len; i++) {
        dd_vec_push(w->pool, &w->messages, dd_pool_printf(w->pool, "left out: %s", p->problem->redundant.data[i]));
    }
    for (uint32_t i = 0; p->problem != NULL && i < p->problem->messages.len; i++) {
        dd_vec_push(w->pool, &w->messages, p->problem->messages.data[i]);
    }
    for (uint32_t i = 0; p->optima.len > 1 && i < p->optima.len; i++) {
        dd_vec_push(w->pool, &w->messages,
                    dd_pool_printf(w->pool, "optimum %u: objective %.10g, found %u times", i + 1,
                                   p->optima.data[i].objective, p->optima.data[i].count));
    }
    w->page.messages = w->messages.data;
    w->page.n_messages = w->messages.len;
}

static void add_tables(page_work *w)
{
    const uint32_t n = w->n_final;
    w->tables[0] = (dd_page_table){"Summary", "", w->summary.data, w->summary.len};
    w->tables[1] = (dd_page_table){"Largest violations", "", w->worst.data, w->worst.len};
    w->tables[2] = (dd_page_table){"Parameters", "", w->parameters.data, w->parameters.len};
    w->tables[3] = (dd_page_table){"Values at the end",
                                   n > MOST_VALUES ? dd_pool_printf(w->pool, "and %u more", n - MOST_VALUES) : "",
                                   w->values.data, w->values.len};
    w->page.tables = w->tables;
    w->tables[4] = w->rest[0];
    w->tables[5] = w->rest[1];
    w->page.n_tables = 6;
    w->page.figures = w->figures.data;
    w->page.n_figures = w->figures.len;
    dd_text note = dd_text_new(w->pool);
    if (w->left_out > 0) {
        dd_text_printf(&note, "%u more are not drawn; the trajectory has all. ", w->left_out);
    }
    if (w->idle > 0) {
        dd_text_printf(&note, "%u costates and multipliers are zero throughout and not drawn.", w->idle);
    }
    w->page.figures_note = dd_text_str(&note);
}

static void more_body(dd_page_writer *page, void *user)
{
    page_work *w = user;
    dd_ocp_page_more(page, w->p, w->pool);
}

static void page_body(void *user)
{
    dd_written *out = user;
    page_work work = {.p = out->user, .pool = out->pool}, *w = &work;
    /* words and numbers first; figures only with a trajectory */
    add_words(w);
    add_summary(w);
    if (dd_ocp_has_trajectory(w->p)) {
        add_values(w);
        add_trajectories(w);
        add_mesh(w);
        add_convergence(w);
        w->page.scene = dd_ocp_scene(w->p, w->pool);
        w->page.more = more_body;
        w->page.more_user = w;
    }
    if (dd_ocp_has_trajectory(w->p) && w->p->info.status != DD_OCP_OPTIMAL) {
        add_worst(w);
    }
    add_tables(w);
    dd_check_stop(w->p->ctx);
    out->text = dd_text_new(w->pool);
    dd_page_html(&out->text, &w->page);
}

static void picture_body(void *user)
{
    dd_written *out = user;
    dd_ocp *p = out->user;
    const dd_model *m = p->system->model;
    const dd_ocp_curves c = dd_ocp_curves_new(p, NULL, false, out->pool);
    dd_written_picture(out, &c.curves, m->name, m->doc);
}

static void check_body(void *user)
{
    dd_written *out = user;
    const dd_ocp *p = out->user;
    const dd_curves c = dd_ocp_curve_names(p->system, out->pool);
    dd_panels_check(&c, out->requests, out->n_requests, out->pool);
}

dd_status dd_ocp_show(dd_ocp *p, const char *const *requests, uint32_t count)
{
    const dd_status st = dd_ocp_check_plot(p, requests, count);
    if (st != DD_OK) {
        return st;
    }
    if (p->own == NULL && (p->own = dd_pool_new(p->ctx)) == NULL) {
        return dd_fail(p->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    return dd_requests_keep(p->ctx, p->own, &p->show, requests, count);
}

dd_status dd_ocp_write_report(dd_ocp *p, const char *path)
{
    if (p == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_written_make(&(dd_written){.ctx = p->ctx, .user = p, .path = path}, page_body);
}

dd_status dd_ocp_write_plot(dd_ocp *p, const char *path, const char *const *requests, uint32_t count)
{
    if (p == NULL || path == NULL || (count > 0 && requests == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    if (!dd_ocp_has_trajectory(p)) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to plot");
    }
    dd_written out = {.ctx = p->ctx, .user = p, .path = path, .requests = requests, .n_requests = count};
    return dd_written_make(&out, picture_body);
}

dd_status dd_ocp_check_plot(dd_ocp *p, const char *const *requests, uint32_t count)
{
    if (p == NULL || (count > 0 && requests == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    dd_written out = {.ctx = p->ctx, .user = p, .requests = requests, .n_requests = count};
    return count == 0 || p->options.multipliers ? DD_OK : dd_written_make(&out, check_body);
}
