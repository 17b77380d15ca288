/* diagnose_worst.c - which rows and bounds a point violates most: those of one name are one entry, with its window of
 * time. */
#include <math.h>

#include "ocp/columns.h"
#include "ocp/diagnose.h"
#include "ocp/precheck.h"

enum { MOST_WORST = 8, LISTS = 4 };
#define IN_WINDOW 1e-2 /* of the largest violation of a name: rows that are violated too */
#define VIOLATED 10    /* times the tolerance of the solver: rows that are named */

/* Rows of one kind and index, or bounds of one decision, one after the other in time. */
typedef struct bundle {
    dd_violation v;
    uint32_t row; /* where it is largest */
} bundle;

typedef struct survey {
    dd_ocp *p;
    dd_pool *pool;
    bundle *bundles;
    uint32_t n, bounds, times; /* all of them; the first of bounds of decisions, and of times: two each */
    const dd_decision_vec *lists[LISTS];
    const dd_column *columns;
} survey;

static survey new_survey(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    survey s = {.p = p, .pool = dd_pool_child(p->pool), .lists = {&o->x, &o->z, &o->u, &o->p}};
    /* one bundle per differential equation, start value, tap, algebraic equation, path and point row; two per
     * bound */
    s.bounds = 2 * o->x.len + o->z.len + o->g.len + o->path.len + o->points.len;
    s.times = s.bounds + 2 * (o->x.len + o->z.len + o->u.len + o->p.len);
    s.n = s.times + 4;
    s.bundles = dd_pool_alloc_array(s.pool, s.n, sizeof *s.bundles);
    s.columns = dd_ocp_columns(p->transcription, s.pool);
    return s;
}

static uint32_t bound_bundle(const survey *s, int list, uint32_t index, bool upper)
{
    uint32_t at = s->bounds;
    for (int k = 0; k < list; k++) {
        at += 2 * s->lists[k]->len;
    }
    return at + 2 * index + upper;
}

static bundle *row_bundle(const survey *s, const dd_row_tag *tag, bool upper)
{
    const dd_ocp_problem *o = s->p->problem;
    uint32_t nx = o->x.len, nz = o->z.len;
    /* defects and continuity of a state are one entry */
    uint32_t first[] = {[DD_ROW_DYNAMICS] = 0,
                        [DD_ROW_CONTINUITY] = 0,
                        [DD_ROW_START] = nx,
                        [DD_ROW_TAP] = 2 * nx,
                        [DD_ROW_ALGEBRAIC] = 2 * nx + nz,
                        [DD_ROW_PATH] = 2 * nx + nz + o->g.len,
                        [DD_ROW_POINT] = 2 * nx + nz + o->g.len + o->path.len,
                        [DD_ROW_CONSISTENCY] = 2 * nx + nz + o->g.len + o->path.len};
    switch (tag->kind) {
    case DD_ROW_STATE_BOUND:
        return &s->bundles[bound_bundle(s, 0, tag->index, upper)];
    case DD_ROW_ALGEBRAIC_BOUND:
        return &s->bundles[bound_bundle(s, 1, tag->index, upper)];
    default:
        return &s->bundles[first[tag->kind] + tag->index];
    }
}

static bundle *variable_bundle(const survey *s, const dd_column *c, bool upper)
{
    static const int list_of[] = {
        [DD_COLUMN_STATE] = 0, [DD_COLUMN_ALGEBRAIC] = 1, [DD_COLUMN_CONTROL] = 2, [DD_COLUMN_PARAMETER] = 3};
    switch (c->kind) {
    case DD_COLUMN_OTHER:
        return NULL;
    case DD_COLUMN_START_TIME:
    case DD_COLUMN_FINAL_TIME:
        return &s->bundles[s->times + 2 * (c->kind == DD_COLUMN_FINAL_TIME) + upper];
    default:
        return &s->bundles[bound_bundle(s, list_of[c->kind], c->index, upper)];
    }
}

/* Rows in the user's units are compared by the change that a unit of a scaled variable makes. */
static double *row_sizes(const survey *s)
{
    const dd_transcription *t = s->p->transcription;
    const dd_nlp *nlp = t->nlp;
    double *values = dd_pool_alloc_array(s->pool, nlp->jacobian_nnz + 1, sizeof *values);
    double *size = dd_pool_alloc_array(s->pool, nlp->m + 1, sizeof *size);
    /* largest entry of each row of the Jacobian */
    nlp->jacobian(nlp->user, s->p->result.x, true, values);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        dd_row_kind kind = t->tags.data[nlp->jacobian_row[k]].kind;
        bool unscaled = kind == DD_ROW_PATH || kind == DD_ROW_POINT || kind == DD_ROW_ALGEBRAIC;
        if (unscaled && isfinite(values[k])) {
            size[nlp->jacobian_row[k]] = fmax(size[nlp->jacobian_row[k]], fabs(values[k]));
        }
    }
    return size;
}

/* From units of the row to those of the user. */
static double row_factor(const dd_ocp_problem *o, const dd_row_tag *tag)
{
    switch (tag->kind) {
    case DD_ROW_DYNAMICS:
    case DD_ROW_CONTINUITY:
    case DD_ROW_START:
    case DD_ROW_STATE_BOUND:
        return o->x.data[tag->index].scale;
    case DD_ROW_ALGEBRAIC_BOUND:
    case DD_ROW_TAP:
        return o->z.len > tag->index ? o->z.data[tag->index].scale : 1;
    case DD_ROW_ALGEBRAIC:
        return o->g_size[tag->index];
    default:
        return 1;
    }
}

/* The largest of a bundle (threshold 0), then its window. */
static void note(bundle *b, double relative, double by, double time, uint32_t row, double threshold)
{
    /* first pass: the largest; NaN is treated as infinite */
    if (threshold == 0 && (relative > b->v.violation || isnan(by))) {
        b->v.violation = isnan(by) ? INFINITY : relative;
        b->v.by = by;
        b->v.time = time;
        b->row = row;
    }
    /* second pass: every row that is at least a hundredth of it belongs to the window */
    if (threshold > 0 && relative > fmax(threshold, IN_WINDOW * b->v.violation)) {
        b->v.from = b->v.rows == 0 ? time : fmin(b->v.from, time);
        b->v.to = b->v.rows == 0 ? time : fmax(b->v.to, time);
        b->v.rows++;
    }
}

static void survey_rows(const survey *s, const double *c, const double *size, double threshold)
{
    const dd_transcription *t = s->p->transcription;
    for (uint32_t i = 0; i < t->nlp->m; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        if (tag->kind == DD_ROW_KINK) { /* no row of the user */
            continue;
        }
        bool upper = c[i] > t->nlp->c_upper[i];
        /* the side that is violated */
        double off = fmax(t->nlp->c_lower[i] - c[i], c[i] - t->nlp->c_upper[i]);
        note(row_bundle(s, tag, upper), off / fmax(1, size[i]), off * row_factor(s->p->problem, tag),
             dd_transcription_time(t, s->p->result.x, tag->theta), i, threshold);
    }
}

/* A point of an elastic solve may leave the bounds of its variables. */
static void survey_variables(const survey *s, double threshold)
{
    const dd_transcription *t = s->p->transcription;
    const double *y = s->p->result.x;
    for (uint32_t j = 0; j < t->nlp->n; j++) {
        const dd_column *c = &s->columns[j];
        bool upper = y[j] > t->nlp->x_upper[j];
        double bound = upper ? t->nlp->x_upper[j] : t->nlp->x_lower[j], off = upper ? y[j] - bound : bound - y[j];
        bundle *b = variable_bundle(s, c, upper);
        if (b != NULL && off > 0) {
            const dd_decision *d = dd_column_decision(s->p->problem, c);
            double theta = c->kind == DD_COLUMN_FINAL_TIME ? 1 : c->theta;
            note(b, off / fmax(1, fabs(bound)), off * (d != NULL ? d->scale : 1), dd_transcription_time(t, y, theta), j,
                 threshold);
        }
    }
}

static const char *name_of(const survey *s, const bundle *b)
{
    const dd_ocp_problem *o = s->p->problem;
    uint32_t at = (uint32_t)(b - s->bundles);
    /* bundles were numbered: times, bounds, rows */
    if (at >= s->times) {
        bool upper = (at - s->times) % 2 == 1, final = at - s->times >= 2;
        double bound = final ? (upper ? o->tf_upper : o->tf_lower) : (upper ? o->t0_upper : o->t0_lower);
        return dd_pool_printf(s->p->pool, "%s %s %g", final ? "finalTime" : "startTime", upper ? "<=" : ">=", bound);
    }
    for (int k = 0; k < LISTS && at >= s->bounds; k++) {
        uint32_t first = bound_bundle(s, k, 0, false);
        if (at < first + 2 * s->lists[k]->len) {
            return dd_ocp_bound_name(o, &s->lists[k]->data[(at - first) / 2], (at - first) % 2 == 1);
        }
    }
    dd_text name = dd_text_new(s->p->pool);
    dd_transcription_row_name(s->p->transcription, b->row, &name);
    return dd_text_str(&name);
}

static bundle *worst_of(const survey *s)
{
    bundle *worst = NULL;
    for (uint32_t i = 0; i < s->n; i++) {
        bool counts = s->bundles[i].v.violation > VIOLATED * s->p->options.tolerance;
        worst = counts && (worst == NULL || s->bundles[i].v.violation > worst->v.violation) ? &s->bundles[i] : worst;
    }
    return worst;
}

double dd_ocp_violation(dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    survey s = new_survey(p);
    double *c = dd_pool_alloc_array(s.pool, nlp->m + 1, sizeof *c), *size = row_sizes(&s), largest = 0;
    /* rows and bounds in scaled units */
    nlp->constraints(nlp->user, p->result.x, true, c);
    survey_rows(&s, c, size, 0);
    survey_variables(&s, 0);
    for (uint32_t i = 0; i < s.n; i++) {
        largest = fmax(largest, s.bundles[i].v.violation);
    }
    dd_pool_free(s.pool);
    return largest;
}

void dd_ocp_find_worst(dd_ocp *p, dd_diagnosis *out)
{
    const dd_nlp *nlp = p->transcription->nlp;
    survey s = new_survey(p);
    double *c = dd_pool_alloc_array(s.pool, nlp->m + 1, sizeof *c), *size = row_sizes(&s);
    nlp->constraints(nlp->user, p->result.x, true, c);
    /* the window needs the largest value: two passes */
    for (int pass = 0; pass < 2; pass++) {
        survey_rows(&s, c, size, pass * VIOLATED * p->options.tolerance);
        survey_variables(&s, pass * VIOLATED * p->options.tolerance);
    }
    out->worst.len = 0;
    /* from the worst down; taken entries are set to zero */
    for (bundle *b = worst_of(&s); b != NULL && out->worst.len < MOST_WORST; b = worst_of(&s)) {
        b->v.name = name_of(&s, b);
        if (b->v.rows == 0) {
            b->v.from = b->v.to = b->v.time;
            b->v.rows = 1;
        }
        dd_vec_push(p->pool, &out->worst, b->v);
        b->v.violation = 0;
    }
    dd_pool_free(s.pool);
}

/* ---- reports ---- */

static void json_relaxations(dd_json *j, const char *key, const dd_relaxation *list, uint32_t n)
{
    if (n == 0) {
        return;
    }
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        dd_json_begin_object(j);
        dd_json_put_string(j, "equation", list[i].name);
        dd_json_put_number(j, "by", list[i].by);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

void dd_diagnosis_json(const dd_diagnosis *d, dd_json *j)
{
    /* worst rows first, then the results of experiments; keys without entries are left out */
    dd_json_key(j, "worst");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < d->worst.len; i++) {
        const dd_violation *v = &d->worst.data[i];
        dd_json_begin_object(j);
        dd_json_put_string(j, "equation", v->name);
        dd_json_put_number(j, "time", v->time);
        dd_json_put_number(j, "violation", v->violation);
        dd_json_put_number(j, "by", v->by);
        dd_json_put_number(j, "from", v->from);
        dd_json_put_number(j, "to", v->to);
        dd_json_put_int(j, "rows", v->rows);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
    json_relaxations(j, "relax", d->relax.data, d->relax.len);
    json_relaxations(j, "relax_instead", d->instead.data, d->instead.len);
    if (d->conflict.len > 0) {
        dd_json_put_strings(j, "conflict", d->conflict.data, d->conflict.len);
    }
    if (d->runaway.len > 0) {
        dd_json_put_strings(j, "runaway", d->runaway.data, d->runaway.len);
    }
    if (d->dependent.len > 0) {
        dd_json_key(j, "dependent");
        dd_json_begin_array(j);
        for (uint32_t i = 0; i < d->dependent.len; i++) {
            dd_json_begin_object(j);
            dd_json_put_string(j, "equations", d->dependent.data[i].names);
            dd_json_put_number(j, "from", d->dependent.data[i].from);
            dd_json_put_number(j, "to", d->dependent.data[i].to);
            dd_json_end_object(j);
        }
        dd_json_end_array(j);
    }
}
