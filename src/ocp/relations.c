/* relations.c - looks through the equations, the cost and the constraints for relations outside noEvent. */
#include "ocp/relations.h"

#include <string.h>

#include "base/context.h"

enum { PLACES = 6 }; /* named at most */

static bool varies(dd_dag *dag, dd_expr e, dd_pool *pool)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(dag, e, true, &symbols, pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        found = dd_op_of(dag, symbols.data[i]) != DD_OP_PARAM;
    }
    dd_vec_free(pool, &symbols);
    return found;
}

/* Is there a condition of an `if`, outside noEvent, that changes in time? */
static bool has_relation(dd_dag *dag, dd_expr e, dd_map *seen, dd_pool *pool)
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
        found = condition != DD_EXPR_NONE && dd_op_of(dag, condition) != DD_OP_NOEVENT && varies(dag, condition, pool);
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

static void look(search *s, dd_expr e, const char *place)
{
    dd_map seen = dd_map_new(s->scratch);
    /* equations of one array have one place */
    if (e == DD_EXPR_NONE || !has_relation(s->o->dag, e, &seen, s->scratch) ||
        (s->last != NULL && strcmp(s->last, place) == 0)) {
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
        look(&s, m->rows.data[i].residual, dd_model_place(m, m->groups.data[m->rows.data[i].group].span, scratch));
    }
    for (uint32_t i = 0; i < opt->constraints.len; i++) {
        const dd_constraint *c = &opt->constraints.data[i];
        look(&s, dd_sub(o->dag, c->lhs, c->rhs), dd_model_place(m, c->span, scratch));
    }
    look(&s, opt->integrand, "objectiveIntegrand");
    if (s.count > PLACES) {
        dd_text_printf(&s.places, " and %u more places", s.count - PLACES);
    }
    if (s.count > 0) {
        const char *words = dd_pool_printf(
            o->pool, "relations in `if` are treated as noEvent, no mesh point is put where they change: %s",
            dd_text_str(&s.places));
        dd_vec_push(o->pool, &o->messages, words);
    }
    dd_pool_free(scratch);
}
