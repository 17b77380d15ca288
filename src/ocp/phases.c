/* phases.c - times of phases, and their reports. */
#include "ocp/phases.h"

#include <math.h>
#include <string.h>

#include "expr/value.h"

uint32_t dd_ocp_phase_count(const dd_ocp_problem *o)
{
    return o->model->optimization->phases.len;
}

/* ---- times ---- */

typedef struct parameters {
    const dd_ocp_problem *o;
    const double *p;
} parameters;

static double value_of(void *user, dd_expr symbol)
{
    const parameters *v = user;
    /* decided parameters from the solution, all others from the model */
    for (uint32_t i = 0; v->p != NULL && i < v->o->p.len; i++) {
        if (v->o->p.data[i].symbol == symbol) {
            return v->p[i];
        }
    }
    return v->o->system->parameter[dd_symbol_id(v->o->dag, symbol)];
}

void dd_ocp_phase_times(const dd_ocp_problem *o, uint32_t phase, const double *p, double *start, double *final)
{
    const dd_phase *ph = &o->model->optimization->phases.data[phase];
    /* start and length are expressions in parameters */
    parameters values = {o, p};
    dd_pool *scratch = dd_pool_child(o->pool);
    *start = dd_value_of(o->dag, ph->start, value_of, &values, scratch);
    *final = *start + dd_value_of(o->dag, ph->length, value_of, &values, scratch);
    dd_pool_free(scratch);
}

void dd_ocp_phase_span(const dd_ocp_problem *o, const double *p, double *start, double *final)
{
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double a, b;
        dd_ocp_phase_times(o, i, p, &a, &b);
        *start = i == 0 ? a : fmin(a, *start);
        *final = i == 0 ? b : fmax(b, *final);
    }
}

/* ---- words ---- */

void dd_ocp_phases_json(dd_json *j, const dd_ocp_problem *o, const double *p)
{
    if (dd_ocp_phase_count(o) == 0) {
        return;
    }
    dd_json_key(j, "phases");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double start, final;
        dd_ocp_phase_times(o, i, p, &start, &final);
        dd_json_begin_object(j);
        dd_json_key(j, "name");
        dd_json_string(j, o->model->optimization->phases.data[i].name);
        dd_json_key(j, "startTime");
        dd_json_number(j, start);
        dd_json_key(j, "finalTime");
        dd_json_number(j, final);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

void dd_ocp_phases_text(dd_text *text, const dd_ocp_problem *o, const double *p)
{
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double start, final;
        dd_ocp_phase_times(o, i, p, &start, &final);
        dd_text_printf(text, "  phase %u, %s: from time %.10g to %.10g\n", i + 1,
                       o->model->optimization->phases.data[i].name, start, final);
    }
}

const char *dd_ocp_phase_reason(const dd_ocp_problem *o, const char *reason)
{
    /* a time with a phase beside it is that of the phase (dd_reading_when) */
    bool times = (strstr(reason, " at time ") != NULL || strstr(reason, " from time ") != NULL) &&
                 strstr(reason, " in phase ") == NULL;
    return !times || dd_ocp_phase_count(o) == 0
               ? reason
               : dd_pool_printf(o->pool, "%s (times are parts of a phase: 0 its start, 1 its end)", reason);
}

/* ---- columns ---- */

static bool is_word(char c)
{
    return c == '_' || c == '.' || c == '\'' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* Where `phase.` appears in a name; NULL: nowhere. */
static const char *find_prefix(const char *begin, const char *from, const char *phase)
{
    /* a prefix ends with a dot and begins a word: `ascent.` is not in `reascent.x` */
    size_t n = strlen(phase);
    for (const char *at = from; (at = strstr(at, phase)) != NULL; at++) {
        if (at[n] == '.' && (at == begin || !is_word(at[-1]))) {
            return at;
        }
    }
    return NULL;
}

const char *dd_ocp_phase_local(const char *name, const char *phase, dd_pool *pool)
{
    const char *from = name, *at = find_prefix(name, name, phase);
    if (at == NULL) {
        return name;
    }
    dd_text text = dd_text_new(pool);
    /* every occurrence goes: names such as costate(ascent.x) have it inside */
    for (; at != NULL; at = find_prefix(name, from, phase)) {
        dd_text_printf(&text, "%.*s", (int)(at - from), from);
        from = at + strlen(phase) + 1;
    }
    dd_text_add(&text, from);
    return dd_text_str(&text);
}

uint32_t dd_ocp_phase_of(const dd_ocp_problem *o, const char *name, uint32_t var)
{
    const dd_optimization *opt = o->model->optimization;
    /* by its name, else as the model recorded it */
    for (uint32_t k = 0; k < opt->phases.len; k++) {
        if (find_prefix(name, name, opt->phases.data[k].name) != NULL) {
            return k + 1;
        }
    }
    return var < opt->n_phase_of ? opt->phase_of[var] : 0;
}

static void sort_by_start(const dd_ocp_problem *o, const double *p, dd_phase_columns *c, dd_pool *pool)
{
    uint32_t n = dd_ocp_phase_count(o);
    c->order = dd_pool_alloc_array(pool, n + 1, sizeof *c->order);
    c->start = dd_pool_alloc_array(pool, n + 1, sizeof *c->start);
    c->final = dd_pool_alloc_array(pool, n + 1, sizeof *c->final);
    /* insertion by start: phases are few */
    for (uint32_t i = 0; i < n; i++) {
        dd_ocp_phase_times(o, i, p, &c->start[i], &c->final[i]);
        uint32_t at = i;
        for (; at > 0 && c->start[c->order[at - 1]] > c->start[i]; at--) {
            c->order[at] = c->order[at - 1];
        }
        c->order[at] = i;
    }
}

dd_phase_columns dd_ocp_phase_columns(const dd_ocp_problem *o, const char *const *names, const uint32_t *var,
                                      uint32_t n, const double *p, dd_pool *pool)
{
    const dd_optimization *opt = o->model->optimization;
    dd_phase_columns c = {0};
    uint32_t phases = opt->phases.len;
    dd_names *known = dd_names_new(pool);
    dd_map column_of = dd_map_new(pool);
    uint32_t *column = dd_pool_alloc_array(pool, n + 1, sizeof *column);
    uint32_t *phase = dd_pool_alloc_array(pool, n + 1, sizeof *phase);
    c.name = dd_pool_alloc_array(pool, n + 1, sizeof *c.name);
    /* columns of different phases with the same local name are one column */
    for (uint32_t i = 0; i < n; i++) {
        phase[i] = dd_ocp_phase_of(o, names[i], var[i]);
        const char *name =
            phase[i] != 0 ? dd_ocp_phase_local(names[i], opt->phases.data[phase[i] - 1].name, pool) : names[i];
        uint32_t id = dd_names_intern(known, name, strlen(name));
        if (dd_map_get(&column_of, id) == 0) {
            c.name[c.n] = name;
            dd_map_put(&column_of, id, ++c.n);
        }
        column[i] = dd_map_get(&column_of, id) - 1;
    }
    /* source[phase][column]: the value written there, or none */
    c.source = dd_pool_alloc_array(pool, (size_t)phases * c.n + 1, sizeof *c.source);
    memset(c.source, 0xff, (size_t)phases * c.n * sizeof *c.source);
    /* variables of no phase are written in all */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < phases; k++) {
            if (phase[i] == 0 || phase[i] == k + 1) {
                c.source[k * c.n + column[i]] = i;
            }
        }
    }
    sort_by_start(o, p, &c, pool);
    return c;
}

void dd_ocp_phase_row(const dd_phase_columns *c, uint32_t phase, const double *from, double *to, bool *blank)
{
    const uint32_t *source = c->source + (size_t)phase * c->n;
    const double *value = from + 1, tau = from[0], start = c->start[phase], final = c->final[phase];
    /* tau = 1 exactly: no rounding at the joint of two phases */
    to[0] = tau == 1 ? final : start + tau * (final - start);
    to[1] = phase + 1;
    for (uint32_t i = 0; i < c->n; i++) {
        blank[2 + i] = source[i] == DD_NO_INDEX;
        if (!blank[2 + i]) { /* multipliers of rows at all times are densities: over the time of the phase */
            const bool density = strncmp(c->name[i], "multiplier(", 11) == 0;
            to[2 + i] = density ? value[source[i]] / (final - start) : value[source[i]];
        }
    }
}
