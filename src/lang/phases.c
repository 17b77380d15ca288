/* phases.c - components of an optimization that are optimizations themselves: its phases. Which components are
 * phases, their times, and the order in which a class with phases becomes a flat model. */
#include "lang/phases.h"

#include <math.h>
#include <string.h>

static const char *const time_names[] = {"startTime", "finalTime"};

uint32_t dd_phase_current(const dd_flattener *fl)
{
    return fl->phases != NULL ? fl->phases->current : 0;
}

bool dd_phase_allowed(dd_flattener *fl, const dd_member *member, const dd_ast_class *class)
{
    const char *name = dd_class_full_name(fl->library, class, fl->pool);
    dd_span span = member->ast->type.span;
    /* only directly in an optimization, as a component without prefixes */
    if (fl->root == NULL || fl->root->class->kind != DD_CLASS_OPTIMIZATION || member->parent->is_package) {
        dd_error(fl->ctx, span,
                 "%s is an optimization: %s cannot be declared as one here, only in an `optimization`, as one of its "
                 "phases",
                 name, member->path);
        return false;
    }
    if (member->parent != fl->root) {
        dd_error(fl->ctx, span, "%s is an optimization: phases are declared in %s itself, not inside its components",
                 name, fl->m->name);
        return false;
    }
    if (member->ast->variability != DD_AST_VARIABLE || member->ast->is_input || member->ast->is_output) {
        dd_error(fl->ctx, member->ast->span, "%s is a phase: it is declared without `parameter`, `input` or `output`",
                 member->path);
        return false;
    }
    return true;
}

/* ---- which class has phases ---- */

static bool is_phase(dd_flattener *fl, const dd_member *member)
{
    enum { MOST = 100 };
    uint32_t rest;
    /* short classes are replaced by their definition */
    dd_element found = dd_lookup_path(fl->library, member->owner, &member->ast->type.name, &rest);
    for (int i = 0; i < MOST && found.kind == DD_ELEMENT_CLASS && found.class->is_short; i++) {
        found = dd_lookup_short(fl->library, found.class);
    }
    return found.kind == DD_ELEMENT_CLASS && rest == member->ast->type.name.n &&
           found.class->kind == DD_CLASS_OPTIMIZATION;
}

static bool has_data(const dd_flattener *fl, const dd_ast_class *class, dd_span *span)
{
    /* Daedal(data = ..) of the class itself */
    for (const dd_ast_mod *mod = class->annotation; mod != NULL; mod = mod->next) {
        bool ours = strcmp(dd_names_get(fl->m->names, mod->name), "Daedal") == 0;
        for (const dd_ast_mod *item = ours ? mod->nested : NULL; item != NULL; item = item->next) {
            if (strcmp(dd_names_get(fl->m->names, item->name), "data") == 0) {
                *span = item->span;
                return true;
            }
        }
    }
    return false;
}

static void refuse_data(dd_flattener *fl, const dd_ast_class *class)
{
    dd_span span;
    if (has_data(fl, class, &span)) {
        dd_error(fl->ctx, span, "measured data in an optimization with phases are not supported yet");
    }
}

/* The class around phases has no times itself. */
static void check_outer_header(dd_flattener *fl, const char *example)
{
    /* times belong to the phases; a declaration with such a name would hide them */
    for (int i = 0; i < 2; i++) {
        const dd_ast_mod *mod = dd_flat_header_item(fl, fl->class, time_names[i]);
        const dd_member *taken =
            dd_instance_find(fl->root, dd_names_intern(fl->m->names, time_names[i], strlen(time_names[i])));
        if (mod != NULL) {
            dd_error(fl->ctx, mod->span, "%s has phases, each with its own %s: set it there, %s(%s = ..)", fl->m->name,
                     time_names[i], example, time_names[i]);
        } else if (taken != NULL) {
            dd_error(fl->ctx, taken->ast->span, "%s is the name of a time of an optimization: choose another name",
                     time_names[i]);
        }
    }
}

bool dd_phases_find(dd_flattener *fl)
{
    /* one phase is enough: from here on the class is read with phases */
    for (uint32_t i = 0; i < fl->root->n_members; i++) {
        if (is_phase(fl, fl->root->members[i])) {
            fl->phases = dd_pool_alloc(fl->pool, sizeof *fl->phases);
            check_outer_header(fl, fl->root->members[i]->path);
            refuse_data(fl, fl->class);
            return true;
        }
    }
    return false;
}

bool dd_phase_report_time(dd_flattener *fl, const char *name, dd_span span)
{
    /* only where the name is written in the class around the phases */
    bool time = strcmp(name, time_names[0]) == 0 || strcmp(name, time_names[1]) == 0;
    if (!time || fl->phases == NULL || fl->place.instance != fl->root) {
        return false;
    }
    for (uint32_t i = 0; i < fl->root->n_members; i++) {
        if (is_phase(fl, fl->root->members[i])) {
            dd_error(fl->ctx, span, "%s has phases, each with its own %s: write %s.%s", fl->m->name, name,
                     fl->root->members[i]->path, name);
            return true;
        }
    }
    return false;
}

/* ---- times ---- */

/* The strongest modification of a time from outside. */
static const dd_mod *outer_mod(const dd_flattener *fl, const dd_instance *in, const char *name)
{
    for (const dd_mod *mod = in->mods; mod != NULL; mod = mod->next) {
        if (strcmp(dd_names_get(fl->m->names, mod->ast->name), name) == 0) {
            return mod;
        }
    }
    return NULL;
}

/* A plain value from outside, finalTime = 5, takes `free` and the bounds of the class back. */
static const dd_ast_mod *header_time(dd_flattener *fl, const dd_instance *in, const char *name)
{
    const dd_ast_mod *item = dd_flat_header_item(fl, in->class, name);
    const dd_mod *outer = outer_mod(fl, in, name);
    /* finalTime = 5 from outside: a fixed time, so attributes of the class no longer hold */
    if (item == NULL || outer == NULL || outer->ast->value == DD_FORM_NONE || outer->ast->nested != NULL) {
        return item;
    }
    dd_ast_mod *plain = dd_pool_alloc(fl->pool, sizeof *plain);
    *plain = *item;
    plain->nested = NULL;
    return plain;
}

void dd_flat_declare_phase_times(dd_flattener *fl, dd_instance *in)
{
    /* the header of the phase's class, as for a class without phases */
    dd_flat_check_header(fl, in->class);
    refuse_data(fl, in->class);
    const dd_ast_mod *final = header_time(fl, in, time_names[1]);
    if (final == NULL && outer_mod(fl, in, time_names[1]) == NULL) {
        dd_error(fl->ctx, in->of->ast->span,
                 "the phase %s has no final time: give it one, %s(finalTime = 10) or %s(finalTime(free = true, ..))",
                 in->path, in->of->path, in->of->path);
        in->broken = true;
    }
    /* startTime defaults to 0 unless it is set from outside; finalTime has no default */
    for (int i = 0; i < 2; i++) {
        const dd_ast_mod *item = header_time(fl, in, time_names[i]);
        const dd_mod *outer = outer_mod(fl, in, time_names[i]);
        dd_span span = outer != NULL ? outer->ast->span : item != NULL ? item->span : in->of->ast->span;
        dd_flat_declare_time(fl, in, time_names[i], item, span, i == 0 && outer == NULL ? 0 : NAN);
    }
}

/* ---- all of it ---- */

static uint32_t time_var(dd_flattener *fl, const dd_instance *in, const char *name)
{
    /* a scalar parameter that was declared without errors */
    const dd_member *member = dd_instance_find(in, dd_names_intern(fl->m->names, name, strlen(name)));
    const dd_flat_decl *decl =
        member != NULL && member->is_leaf && member->decl != DD_NO_INDEX ? fl->decls.data[member->decl] : NULL;
    bool good =
        decl != NULL && !decl->broken && decl->array != DD_NO_INDEX && fl->m->arrays.data[decl->array].ndim == 0;
    return good ? fl->m->arrays.data[decl->array].first : DD_NO_INDEX;
}

/* The phases in the order of their declarations. */
static bool list_phases(dd_flattener *fl)
{
    bool ok = true;
    /* each element of an array of phases is a phase */
    for (uint32_t i = 0; i < fl->root->n_members; i++) {
        const dd_member *member = fl->root->members[i];
        bool phase = !member->is_leaf && member->class != NULL && member->class->kind == DD_CLASS_OPTIMIZATION;
        if (!phase || member->removed) {
            continue;
        }
        for (uint32_t k = 0; k < member->count && !member->broken; k++) {
            dd_flat_phase p = {.in = member->elements[k]};
            p.start_var = time_var(fl, p.in, time_names[0]);
            p.final_var = time_var(fl, p.in, time_names[1]);
            ok = ok && p.start_var != DD_NO_INDEX && p.final_var != DD_NO_INDEX;
            dd_vec_push(fl->pool, &fl->phases->list, p);
        }
        ok = ok && !member->broken;
    }
    if (ok && fl->phases->list.len == 0) {
        dd_error(fl->ctx, fl->class->span, "%s has no phase left: their conditions are false or their number is 0",
                 fl->m->name);
        ok = false;
    }
    return ok;
}

/* The common time of all phases, from 0 to 1. */
static uint32_t common_time(dd_flattener *fl, const char *name, double value)
{
    /* startTime = 0 and finalTime = 1 of the flat model */
    uint32_t array = dd_model_add_array(fl->m, name, NULL, 0, DD_KIND_PARAMETER, DD_TYPE_REAL, fl->class->span);
    dd_array *a = &fl->m->arrays.data[array];
    dd_variable *v = &fl->m->vars.data[a->first];
    a->binding = dd_form_number(fl->m->forms, value, fl->class->span);
    v->binding = dd_num(fl->m->dag, value);
    v->value = value;
    v->has_value = true;
    return a->first;
}

static void declare_common_times(dd_flattener *fl)
{
    dd_optimization *o = fl->m->optimization;
    o->start_var = common_time(fl, time_names[0], 0);
    o->final_var = common_time(fl, time_names[1], 1);
    o->start = (dd_time_bound){.value = dd_num(fl->m->dag, 0)};
    o->final = (dd_time_bound){.value = dd_num(fl->m->dag, 1)};
}

static dd_span integrand_span(const dd_flattener *fl, const dd_ast_class *class)
{
    const dd_ast_mod *mod = dd_flat_header_item(fl, class, "objectiveIntegrand");
    return mod != NULL ? mod->span : class->span;
}

/* Objective and constraints of one class, as written in one phase (0: in the class around them). */
static void read_class(dd_flattener *fl, uint32_t phase, dd_instance *in)
{
    size_t before = dd_context_error_count(fl->ctx);
    dd_ast_class *class = in->class;
    dd_ast_equation *list = class->equations[DD_AST_CONSTRAINTS];
    /* names are those of the phase while its class is read; the class itself is read last, as phase 0 */
    fl->phases->current = phase;
    fl->place = (dd_place){in, class};
    dd_expr integrand = dd_flat_objectives(fl, class);
    if (integrand != DD_EXPR_NONE) {
        dd_phases_add_integrand(fl, integrand, integrand_span(fl, class), phase);
    }
    /* one class may serve several phases: its constraints are copied before they are resolved */
    if (phase == 0) {
        dd_flat_constraints(fl, list);
    } else {
        dd_ast_equation *copy = dd_flat_copy_list(fl, list);
        dd_flat_constraints(fl, copy);
        dd_flat_note_failures(list, copy);
    }
    if (dd_context_error_count(fl->ctx) > before) {
        dd_instance_note(fl, in);
    }
    fl->phases->current = 0;
    fl->place = (dd_place){fl->root, fl->class};
}

/* Names and times for the report. */
static void describe_phases(dd_flattener *fl)
{
    dd_optimization *o = fl->m->optimization;
    /* names and times for reports, and the phase of every variable */
    for (uint32_t i = 0; i < fl->phases->list.len; i++) {
        const dd_flat_phase *p = &fl->phases->list.data[i];
        dd_phase phase = {.name = dd_pool_strdup(fl->m->pool, p->in->path),
                          .start_var = p->start_var,
                          .final_var = p->final_var,
                          .start = p->start,
                          .length = p->length,
                          .span = p->in->of->ast->span};
        dd_vec_push(fl->m->pool, &o->phases, phase);
    }
    uint32_t *of = dd_pool_alloc_array(fl->m->pool, fl->phases->of.len + 1, sizeof *of);
    memcpy(of, fl->phases->of.data, fl->phases->of.len * sizeof *of);
    o->phase_of = of;
    o->n_phase_of = fl->phases->of.len;
}

void dd_flat_phases(dd_flattener *fl)
{
    size_t before = dd_context_error_count(fl->ctx);
    /* times, then first-order form in the time of each phase */
    if (!list_phases(fl) || !dd_phases_times(fl)) {
        return;
    }
    if (dd_context_error_count(fl->ctx) > 0 || !dd_phases_first_order(fl)) {
        return; /* the equations are not complete */
    }
    declare_common_times(fl);
    /* objectives and constraints of the phases, then those that link them */
    for (uint32_t i = 0; i < fl->phases->list.len; i++) {
        read_class(fl, i + 1, fl->phases->list.data[i].in);
    }
    read_class(fl, 0, fl->root);
    /* everything is known: into the common time */
    if (dd_context_error_count(fl->ctx) == before) {
        dd_phases_points(fl);
        dd_phases_stack(fl);
        describe_phases(fl);
    }
}
