/* relations.c - looks through the equations, the cost and the constraints for relations outside noEvent. */
#include "ocp/relations.h"

#include <string.h>

#include "base/context.h"
#include "expr/walk.h"
#include "ocp/problem_impl.h"

enum { PLACES = 6 }; /* named at most */

/* Does it change where the mesh has no node? clock: it has nodes where functions of time alone switch. */
static bool varies(dd_dag *dag, dd_expr e, bool clock, dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(dag, e, true, &symbols, pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        const dd_op op = dd_op_of(dag, symbols.data[i]);
        found = op != DD_OP_PARAM && !(clock && op == DD_OP_TIME);
    }
    dd_vec_free(pool, &symbols);
    return found;
}

/* Is there a condition of an `if`, outside noEvent, that changes in time? */
static bool has_relation(dd_dag *dag, dd_expr e, bool clock, dd_map *seen, dd_pool *pool)
{
    dd_expr_vec todo = {0};
    bool found = false;
    dd_vec_push(pool, &todo, e);
    /* every node once; noEvent is left alone with all that is in it */
    while (todo.len > 0 && !found) {
        dd_expr at = todo.data[--todo.len];
        dd_op op = dd_op_of(dag, at);
        if (dd_op_arity(op) == 0 || op == DD_OP_NOEVENT || dd_map_get(seen, at) != 0) {
            continue;
        }
        dd_map_put(seen, at, 1);
        dd_expr condition = op == DD_OP_IF ? dd_arg(dag, at, 0) : DD_EXPR_NONE;
        found = condition != DD_EXPR_NONE && dd_op_of(dag, condition) != DD_OP_NOEVENT &&
                varies(dag, condition, clock, pool);
        for (uint32_t i = 0; i < dd_arg_count(dag, at); i++) {
            dd_vec_push(pool, &todo, dd_arg(dag, at, i));
        }
    }
    dd_vec_free(pool, &todo);
    return found;
}

typedef struct search {
    dd_ocp_problem *o;
    dd_pool *scratch;
    dd_text places;
    const char *last;
    uint32_t count;
} search;

/* span: of the place; NULL: it has the name. */
static void look(search *s, dd_expr e, const dd_span *span, const char *name)
{
    /* most expressions have nothing of the kind: a look is enough */
    if (e == DD_EXPR_NONE || !dd_has_switch(s->o->dag, &e, 1)) {
        return;
    }
    dd_map seen = dd_map_new(s->scratch);
    if (!has_relation(s->o->dag, e, s->o->clock_met, &seen, s->scratch)) {
        return;
    }
    /* equations of one array have one place */
    const char *place = span != NULL ? dd_model_place(s->o->model, *span, s->scratch) : name;
    if (s->last != NULL && strcmp(s->last, place) == 0) {
        return;
    }
    s->last = place;
    if (s->count < PLACES) {
        dd_text_printf(&s->places, "%s%s", s->count > 0 ? ", " : "", place);
    }
    s->count++;
}

void dd_ocp_note_relations(dd_ocp_problem *o)
{
    const dd_model *m = o->model;
    const dd_optimization *opt = m->optimization;
    dd_pool *scratch = dd_pool_child(o->pool);
    search s = {.o = o, .scratch = scratch, .places = dd_text_new(o->pool)};
    /* equations, constraints, cost */
    for (uint32_t i = 0; i < m->rows.len; i++) {
        look(&s, m->rows.data[i].residual, &m->groups.data[m->rows.data[i].group].span, NULL);
    }
    for (uint32_t i = 0; i < opt->constraints.len; i++) {
        const dd_constraint *c = &opt->constraints.data[i];
        look(&s, dd_sub(o->dag, c->lhs, c->rhs), &c->span, NULL);
    }
    look(&s, opt->integrand, NULL, "objectiveIntegrand");
    if (s.count > PLACES) {
        dd_text_printf(&s.places, " and %u more places", s.count - PLACES);
    }
    if (s.count > 0) {
        const char *words = dd_pool_printf(
            o->pool, "relations in `if` are treated as noEvent, no mesh point is put where they change: %s",
            dd_text_str(&s.places));
        dd_vec_push(o->pool, &o->messages, words);
        o->relations = dd_text_str(&s.places);
    }
    dd_pool_free(scratch);
}

/* abs, min, max or sign of something decided. */
static bool is_sharp(const dd_ocp_problem *o, dd_expr e)
{
    dd_walk walk = dd_walk_new(o->dag, &e, 1, 0);
    bool found = false;
    for (uint32_t i = 0; i < walk.n && !found; i++) {
        const dd_op op = dd_op_of(o->dag, walk.nodes[i]);
        const bool kink = op == DD_OP_ABS || op == DD_OP_MIN || op == DD_OP_MAX || op == DD_OP_SIGN;
        found = kink && (dd_ocp_contains_any(o, walk.nodes[i], &o->x) || dd_ocp_contains_any(o, walk.nodes[i], &o->z) ||
                         dd_ocp_contains_any(o, walk.nodes[i], &o->u) || dd_ocp_contains_any(o, walk.nodes[i], &o->p));
    }
    dd_walk_free(o->dag, &walk);
    return found;
}

const char *dd_ocp_sharp_words(const dd_ocp_problem *o)
{
    bool equations = false, cost = false;
    /* equations, and what is left of the integrand when its kinks are replaced */
    for (uint32_t i = 0; i < o->f.len && !equations; i++) {
        equations = is_sharp(o, o->f.data[i]);
    }
    for (uint32_t i = 0; i < o->g.len && !equations; i++) {
        equations = is_sharp(o, o->g.data[i]);
    }
    if (o->integrand != DD_EXPR_NONE) {
        cost = is_sharp(o, o->integrand_lifted.kinks.len > 0 ? o->integrand_lifted.e : o->integrand);
    }
    const char *kinks = equations ? "abs, min, max or sign in the equations of the model"
                        : cost    ? "abs, min, max or sign in objectiveIntegrand"
                                  : "";
    /* both, one of them, or nothing to say */
    if (o->relations == NULL && kinks[0] == '\0') {
        return "";
    }
    return dd_pool_printf(
        o->pool,
        "; a cause may be %s%s%s%s, without a derivative where it switches: round it off, or divide the "
        "horizon there into phases",
        o->relations != NULL ? "the relations at " : "", o->relations != NULL ? o->relations : "",
        o->relations != NULL && kinks[0] != '\0' ? " and " : "", kinks);
}
