/* method.c - the public face of methods. */
#include "methods/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "methods/tableau_file.h"

/* ---- creation ---- */

typedef struct {
    dd_context *ctx;
    const char *name, *path; /* one of them */
    dd_method *method;
    dd_status status;
} creation;

static void create_body(void *arg)
{
    creation *c = arg;
    dd_method *m = c->method;
    /* multistep formulas are named bdf-1 to bdf-6; everything else is a tableau */
    const uint32_t steps = c->name ? dd_bdf_steps(c->name) : 0;
    if (steps > 0) {
        c->status = dd_bdf_init(&m->bdf, steps);
        m->row_sums_ok = true;
        snprintf(m->name, sizeof m->name, "bdf-%u", steps);
        return;
    }
    c->status = c->name ? dd_tableau_new(&m->tableau, c->ctx, c->name) : dd_tableau_read(&m->tableau, c->ctx, c->path);
    if (c->status != DD_OK) {
        return;
    }
    snprintf(m->name, sizeof m->name, "%s", m->tableau->name);
    /* properties are computed once, here: the getters only read */
    m->row_sums_ok = dd_order_row_sums(m->tableau);
    m->stability = dd_pool_alloc(m->pool, sizeof *m->stability);
    c->status = dd_stability_find(m->stability, c->ctx, m->tableau);
}

static dd_status create(dd_method **out, creation *c)
{
    *out = NULL;
    dd_method *m = dd_mem_new_array(c->ctx, 1, sizeof *m);
    if (!m) {
        return dd_fail(c->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    m->ctx = c->ctx;
    m->pool = dd_pool_new(c->ctx);
    /* allocations from the pool raise; whatever exists by then is freed below */
    c->method = m;
    dd_status st = m->pool ? dd_protect(c->ctx, create_body, c) : dd_fail(c->ctx, DD_OUT_OF_MEMORY, NULL);
    st = st == DD_OK ? c->status : st;
    if (st != DD_OK) {
        dd_method_free(m);
        return st;
    }
    *out = m;
    return DD_OK;
}

dd_status dd_method_new(dd_method **out, dd_context *ctx, const char *name)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ctx || !name) {
        return DD_INVALID_ARGUMENT;
    }
    creation c = {.ctx = ctx, .name = name};
    return create(out, &c);
}

dd_status dd_method_read(dd_method **out, dd_context *ctx, const char *path)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ctx || !path) {
        return DD_INVALID_ARGUMENT;
    }
    creation c = {.ctx = ctx, .path = path};
    return create(out, &c);
}

void dd_method_free(dd_method *method)
{
    if (method) {
        dd_tableau_free(method->tableau);
        dd_pool_free(method->pool);
        dd_mem_free(method->ctx, method, sizeof *method);
    }
}

/* ---- properties ---- */

const char *dd_method_name(const dd_method *m)
{
    return m ? m->name : "";
}

dd_method_kind dd_method_kind_of(const dd_method *m)
{
    if (!m || !m->tableau) {
        return DD_METHOD_MULTISTEP;
    }
    return m->tableau->structure == DD_TABLEAU_EXPLICIT ? DD_METHOD_EXPLICIT : DD_METHOD_IMPLICIT;
}

const char *dd_method_kind_name(dd_method_kind kind)
{
    static const char *const names[] = {"explicit", "implicit", "multistep"};
    return kind <= DD_METHOD_MULTISTEP ? names[kind] : "unknown";
}

uint32_t dd_method_stages(const dd_method *m)
{
    if (!m) {
        return 0;
    }
    return m->tableau ? m->tableau->stages : 1;
}

uint32_t dd_method_order(const dd_method *m)
{
    if (!m) {
        return 0;
    }
    return m->tableau ? m->tableau->order : m->bdf.steps;
}

uint32_t dd_method_embedded_order(const dd_method *m)
{
    if (!m) {
        return 0;
    }
    return m->tableau ? m->tableau->embedded_order : 0;
}

bool dd_method_row_sums_ok(const dd_method *m)
{
    return m && m->row_sums_ok;
}

bool dd_method_a_stable(const dd_method *m)
{
    if (!m) {
        return false;
    }
    return m->tableau ? m->stability->a_stable : m->bdf.angle >= 90;
}

bool dd_method_l_stable(const dd_method *m)
{
    if (!m) {
        return false;
    }
    return m->tableau ? m->stability->l_stable : m->bdf.angle >= 90; /* all roots go to 0 for z -> infinity */
}

const double *dd_method_A(const dd_method *m)
{
    return m && m->tableau ? m->tableau->A : NULL;
}

const double *dd_method_b(const dd_method *m)
{
    return m && m->tableau ? m->tableau->b : NULL;
}

const double *dd_method_c(const dd_method *m)
{
    return m && m->tableau ? m->tableau->c : NULL;
}

const double *dd_method_bhat(const dd_method *m)
{
    return m && m->tableau ? m->tableau->bhat : NULL;
}

double dd_method_factor(const dd_method *m, double re, double im)
{
    if (!m) {
        return NAN;
    }
    return m->tableau ? dd_stability_factor(m->stability, re, im) : dd_bdf_factor(&m->bdf, re, im);
}

double dd_method_evaluations(const dd_method *m, double tol)
{
    if (!m || !(tol > 0 && tol < 1)) {
        return NAN;
    }
    if (dd_method_order(m) == 0) {
        return HUGE_VAL; /* it does not converge */
    }
    /* err = h^p over a unit of time: 1/h steps of s evaluations reach tol at h = tol^(1/p) */
    const double bound = dd_method_stages(m) * pow(tol, -1.0 / dd_method_order(m));
    return ceil(bound * (1 - 1e-12)); /* 10^-6, order 3 and one stage are 100, not 101 for rounding */
}

/* ---- texts ---- */

typedef struct {
    dd_context *ctx;
    dd_pool *pool;
    const dd_method *method; /* one of the two */
    const dd_method_list *list;
    double tol;
    uint32_t digits;
    const char *result;
    void (*write)(dd_text *out, const void *call);
} writing;

static void write_body(void *arg)
{
    writing *w = arg;
    dd_text text = dd_text_new(w->pool);
    w->write(&text, w);
    w->result = dd_text_str(&text);
}

static dd_status write(const char **out, writing *w)
{
    *out = "";
    const dd_status st = dd_protect(w->ctx, write_body, w);
    if (st == DD_OK) {
        *out = w->result;
    }
    return st;
}

static void write_json(dd_text *out, const void *call)
{
    const writing *w = call;
    dd_json j = dd_json_new(out);
    dd_method_write_json(&j, w->method, true, w->tol);
}

static void write_text(dd_text *out, const void *call)
{
    const writing *w = call;
    dd_method_write_text(out, w->method, w->tol, w->digits);
}

dd_status dd_method_json(const char **out, dd_method *method, double tol)
{
    if (!out || !method) {
        return DD_INVALID_ARGUMENT;
    }
    writing w = {.ctx = method->ctx, .pool = method->pool, .method = method, .tol = tol, .write = write_json};
    return write(out, &w);
}

dd_status dd_method_text(const char **out, dd_method *method, double tol, uint32_t digits)
{
    if (!out || !method) {
        return DD_INVALID_ARGUMENT;
    }
    writing w = {
        .ctx = method->ctx, .pool = method->pool, .method = method, .tol = tol, .digits = digits, .write = write_text};
    return write(out, &w);
}

/* ---- the picture ---- */

static double region_value(const void *user, double re, double im)
{
    const double value = dd_method_factor(user, re, im);
    return value >= 0 ? value : HUGE_VAL; /* inf/inf far outside */
}

/* how far from the origin the boundary can be expected: poles and zeros lie at about the number of stages */
static double reach_of(const dd_method *m)
{
    static const double multistep[] = {3, 6, 10, 16, 26, 44};
    return m->tableau ? 2.5 * m->tableau->stages + 3 : multistep[m->bdf.steps - 1];
}

dd_region dd_method_region(const dd_method *m)
{
    return (dd_region){.label = m->tableau ? "|R(z)| at most 1" : "all roots at most 1",
                       .reach = reach_of(m),
                       .value = region_value,
                       .user = m};
}

static void write_plot(dd_text *out, const void *call)
{
    const writing *w = call;
    const dd_method *m = w->method;
    dd_text title = dd_text_new(out->pool), subtitle = dd_text_new(out->pool);
    dd_text_printf(&title, "Stability region of %s", m->name);
    dd_text_printf(&subtitle, "order %u, %s%s", dd_method_order(m), dd_method_kind_name(dd_method_kind_of(m)),
                   dd_method_l_stable(m)   ? ", L-stable"
                   : dd_method_a_stable(m) ? ", A-stable"
                                           : "");
    dd_region region = dd_method_region(m);
    region.title = dd_text_str(&title);
    region.subtitle = dd_text_str(&subtitle);
    dd_region_svg(out, &region);
}

dd_status dd_method_plot(dd_method *method, const char *path)
{
    if (!method || !path) {
        return DD_INVALID_ARGUMENT;
    }
    const char *text;
    writing w = {.ctx = method->ctx, .pool = method->pool, .method = method, .write = write_plot};
    const dd_status st = write(&text, &w);
    return st == DD_OK ? dd_file_write(method->ctx, path, text, strlen(text)) : st;
}

/* ---- the list ---- */

static dd_status fill_list(dd_method_list *list, uint32_t tableaux)
{
    /* tableaux in the order of their table, then the multistep formulas */
    for (uint32_t i = 0; i < tableaux + DD_BDF_STEPS; i++) {
        char name[16];
        snprintf(name, sizeof name, "bdf-%u", i < tableaux ? 0 : i - tableaux + 1);
        const dd_status st = dd_method_new(&list->methods[i], list->ctx, i < tableaux ? dd_tableau_listed(i) : name);
        if (st != DD_OK) {
            return st;
        }
        list->count++;
        /* computing all stability functions takes a while */
        if (dd_poll_stop(list->ctx) != DD_OK) {
            return dd_poll_stop(list->ctx);
        }
    }
    return DD_OK;
}

static uint32_t count_listed(void)
{
    uint32_t count = 0;
    while (dd_tableau_listed(count)) {
        count++;
    }
    return count;
}

dd_status dd_method_list_new(dd_method_list **out, dd_context *ctx)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ctx) {
        return DD_INVALID_ARGUMENT;
    }
    const uint32_t tableaux = count_listed();
    *out = NULL;
    dd_method_list *list = dd_mem_new_array(ctx, 1, sizeof *list);
    if (!list) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    list->ctx = ctx;
    list->pool = dd_pool_new(ctx);
    list->methods = dd_mem_new_array(ctx, tableaux + DD_BDF_STEPS, sizeof(dd_method *));
    const bool room = list->pool && list->methods;
    const dd_status st = room ? fill_list(list, tableaux) : dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    if (st != DD_OK) {
        dd_method_list_free(list);
        return st;
    }
    *out = list;
    return DD_OK;
}

void dd_method_list_free(dd_method_list *list)
{
    if (!list) {
        return;
    }
    if (list->methods) {
        for (uint32_t i = 0; i < list->count; i++) {
            dd_method_free(list->methods[i]);
        }
        dd_mem_free(list->ctx, list->methods, (count_listed() + DD_BDF_STEPS) * sizeof(dd_method *));
    }
    dd_pool_free(list->pool);
    dd_mem_free(list->ctx, list, sizeof *list);
}

uint32_t dd_method_list_count(const dd_method_list *list)
{
    return list ? list->count : 0;
}

const dd_method *dd_method_list_get(const dd_method_list *list, uint32_t i)
{
    return i < dd_method_list_count(list) ? list->methods[i] : NULL;
}

const dd_method *dd_method_list_suggest(const dd_method_list *list, dd_method_kind kind, double tol)
{
    const dd_method *best = NULL;
    for (uint32_t i = 0; i < dd_method_list_count(list); i++) {
        const dd_method *m = list->methods[i];
        /* a method is suggested only where it can do the job: an error estimate if nonstiff, L-stability if stiff */
        const bool fits = kind == DD_METHOD_EXPLICIT ? dd_method_embedded_order(m) > 0 : dd_method_l_stable(m);
        if (dd_method_kind_of(m) == kind && fits &&
            (!best || dd_method_evaluations(m, tol) < dd_method_evaluations(best, tol))) {
            best = m;
        }
    }
    return best;
}

static void write_suggestion(dd_json *j, const dd_method_list *list, const char *key, dd_method_kind kind, double tol)
{
    const dd_method *best = dd_method_list_suggest(list, kind, tol);
    dd_json_key(j, key);
    if (best) {
        dd_json_string(j, best->name);
    } else {
        dd_json_null(j);
    }
}

static void write_list_json(dd_text *out, const void *call)
{
    const writing *w = call;
    dd_json j = dd_json_new(out);
    dd_json_begin_object(&j);
    dd_json_key(&j, "methods");
    dd_json_begin_array(&j);
    for (uint32_t i = 0; i < w->list->count; i++) {
        dd_method_write_json(&j, w->list->methods[i], false, w->tol);
    }
    dd_json_end_array(&j);
    if (w->tol > 0) {
        /* the cheapest method of either kind for this tolerance */
        dd_json_key(&j, "suggestion");
        dd_json_begin_object(&j);
        write_suggestion(&j, w->list, "nonstiff", DD_METHOD_EXPLICIT, w->tol);
        write_suggestion(&j, w->list, "stiff", DD_METHOD_IMPLICIT, w->tol);
        dd_json_end_object(&j);
    }
    dd_json_end_object(&j);
}

static void write_list_text(dd_text *out, const void *call)
{
    const writing *w = call;
    dd_method_list_write_text(out, w->list, w->tol);
}

dd_status dd_method_list_json(const char **out, dd_method_list *list, double tol)
{
    if (!out || !list) {
        return DD_INVALID_ARGUMENT;
    }
    writing w = {.ctx = list->ctx, .pool = list->pool, .list = list, .tol = tol, .write = write_list_json};
    return write(out, &w);
}

dd_status dd_method_list_text(const char **out, dd_method_list *list, double tol)
{
    if (!out || !list) {
        return DD_INVALID_ARGUMENT;
    }
    writing w = {.ctx = list->ctx, .pool = list->pool, .list = list, .tol = tol, .write = write_list_text};
    return write(out, &w);
}
