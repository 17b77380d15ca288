/* elaborate_logic.c - relations, and/or/not, and if-expressions. A condition that parameters decide picks its
 * branch here, and the other branch is never read: it cannot cause a subscript out of range or a division by zero. */
#include "lang/elaborate_private.h"

static const char *const relation_names[] = {"`<`", "`<=`", "`>`", "`>=`", "`==`", "`<>`"};

static bool scalar_operand(dd_el *el, dd_form f, const char *operation, dd_ev *out)
{
    return dd_el_form(el, f, out) && (out->ndim == 0 || dd_el_fail(el, f, "%s compares scalars, but %s %s", operation,
                                                                   dd_el_text(el, f), dd_el_has(el, out)));
}

static dd_expr compare(dd_dag *dag, dd_form_rel relation, dd_expr a, dd_expr b)
{
    switch (relation) {
    case DD_REL_LT:
        return dd_binary(dag, DD_OP_LT, a, b);
    case DD_REL_LE:
        return dd_binary(dag, DD_OP_LE, a, b);
    case DD_REL_GT:
        return dd_binary(dag, DD_OP_LT, b, a);
    case DD_REL_GE:
        return dd_binary(dag, DD_OP_LE, b, a);
    case DD_REL_EQ:
        return dd_binary(dag, DD_OP_EQ, a, b);
    default:
        return dd_binary(dag, DD_OP_NE, a, b);
    }
}

bool dd_el_relation(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form_rel relation = (dd_form_rel)dd_form_get(el->forms, f)->sub;
    dd_form x = dd_form_arg(el->forms, f, 0), y = dd_form_arg(el->forms, f, 1);
    const char *name = relation_names[relation];
    /* Booleans can be equal or unequal; only numbers are ordered */
    bool equality = relation == DD_REL_EQ || relation == DD_REL_NE;
    dd_ev a, b;
    if (!scalar_operand(el, x, name, &a) || !scalar_operand(el, y, name, &b)) {
        return false;
    }
    if (equality && (a.type == DD_TYPE_BOOLEAN) != (b.type == DD_TYPE_BOOLEAN)) {
        return dd_el_fail(el, f, "%s compares a Boolean with a number: %s", name, dd_el_text(el, f));
    }
    if (!equality && (!dd_el_numeric(el, x, &a, name) || !dd_el_numeric(el, y, &b, name))) {
        return false;
    }
    dd_ev_set(out, dd_el_jump(el, compare(el->dag, relation, a.one, b.one)), DD_TYPE_BOOLEAN);
    return true;
}

static bool truth_operand(dd_el *el, dd_form f, const char *operation, dd_ev *out)
{
    if (!dd_el_form(el, f, out) || !dd_el_boolean_typed(el, f, out, operation)) {
        return false;
    }
    return out->ndim == 0 ||
           dd_el_fail(el, f, "%s needs scalars, but %s %s", operation, dd_el_text(el, f), dd_el_has(el, out));
}

bool dd_el_and_or(dd_el *el, dd_form f, dd_ev *out)
{
    /* and: start at true, decided by false. or: the other way round */
    bool is_and = dd_form_get(el->forms, f)->op == DD_FORM_AND;
    dd_expr result = dd_num(el->dag, is_and), decided = dd_num(el->dag, !is_and);
    uint32_t n = dd_form_get(el->forms, f)->nargs;
    for (uint32_t i = 0; i < n; i++) {
        dd_ev v;
        if (!truth_operand(el, dd_form_arg(el->forms, f, i), is_and ? "`and`" : "`or`", &v)) {
            return false;
        }
        result = dd_binary(el->dag, is_and ? DD_OP_AND : DD_OP_OR, result, v.one);
        if (result == decided) {
            break; /* `i > 1 and x[i - 1] > 0`: the rest is not read */
        }
    }
    dd_ev_set(out, result, DD_TYPE_BOOLEAN);
    return true;
}

bool dd_el_not(dd_el *el, dd_form f, dd_ev *out)
{
    if (!truth_operand(el, dd_form_arg(el->forms, f, 0), "`not`", out)) {
        return false;
    }
    out->one = dd_unary(el->dag, DD_OP_NOT, out->one);
    return true;
}

/* ---- if ---- */

/* One `if c then v`: the condition and the value, in order. */
typedef struct arm {
    dd_expr condition;
    dd_form form;
    dd_ev value;
    dd_guard guard;
} arm;

static bool same_kind(dd_el *el, dd_form f, const arm *a, const arm *b)
{
    /* equal shapes, no mixture of records, truth values and numbers */
    if (!dd_ev_same_shape(&a->value, &b->value)) {
        return dd_el_unequal(el, f, "`if`", a->form, &a->value, b->form, &b->value);
    }
    if (a->value.type == DD_EV_RECORD) {
        return dd_el_fail(el, f, "the branches of `if` mix records and numbers");
    }
    if ((a->value.type == DD_TYPE_BOOLEAN) != (b->value.type == DD_TYPE_BOOLEAN)) {
        return dd_el_fail(el, f, "the branches of `if` mix Booleans and numbers: %s and %s", dd_el_text(el, a->form),
                          dd_el_text(el, b->form));
    }
    return true;
}

static bool combine_records(dd_el *el, dd_form f, const arm *arms, uint32_t n, dd_ev *out)
{
    /* from the last branch backwards: else is what remains when no condition holds */
    *out = arms[n - 1].value;
    for (uint32_t i = n - 1; i-- > 0;) {
        dd_ev below = *out;
        if (!dd_ev_choose(el, arms[i].condition, &arms[i].value, &below, out)) {
            return dd_el_fail(el, f, "the branches of `if` are different records, or their fields differ in size");
        }
    }
    return true;
}

/* out = if c1 then v1 else if c2 then v2 ... else v[n-1], element by element */
static bool combine_arms(dd_el *el, dd_form f, const arm *arms, uint32_t n, dd_ev *out)
{
    /* records choose field by field */
    if (arms[n - 1].value.type == DD_EV_RECORD) {
        return combine_records(el, f, arms, n, out);
    }
    dd_base_type type = (dd_base_type)arms[n - 1].value.type;
    /* the types are checked against the last branch; one Real makes the result Real */
    for (uint32_t i = 0; i + 1 < n; i++) {
        if (!same_kind(el, f, &arms[i], &arms[n - 1])) {
            return false;
        }
        type = arms[i].value.type == DD_TYPE_REAL ? DD_TYPE_REAL : type;
    }
    dd_ev_like(el, out, &arms[n - 1].value);
    out->type = (uint8_t)type;
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    /* nested conditional expressions per element, the first condition outermost */
    for (uint32_t k = 0; k < out->size; k++) {
        dd_expr e = dd_ev_elems(&arms[n - 1].value)[k];
        for (uint32_t i = n - 1; i-- > 0;) {
            e = dd_if(el->dag, arms[i].condition, dd_ev_elems(&arms[i].value)[k], e);
        }
        elems[k] = e;
    }
    return true;
}

/* The branches that can be taken, in order; *count of them. */
static bool read_arms(dd_el *el, dd_form f, arm *arms, uint32_t *count)
{
    const uint32_t n = dd_form_get(el->forms, f)->nargs;
    /* pairs (condition, value); the last value has no condition */
    for (uint32_t i = 0; i < n; i += 2) {
        arm *next = &arms[*count];
        bool last = i + 1 == n, known = last, value = true;
        dd_ev condition;
        if (!last) {
            dd_form c = dd_form_arg(el->forms, f, i);
            if (!truth_operand(el, c, "a condition", &condition) ||
                !dd_el_truth(el, c, condition.one, &known, &value)) {
                return false;
            }
            next->condition = condition.one;
        }
        /* parameters say no: this branch is skipped unread */
        if (known && !value) {
            continue;
        }
        /* assertions in there hold under this condition; those in later branches under its negation */
        if (!known) {
            next->guard = (dd_guard){el->guard, next->condition, false};
            el->guard = &next->guard;
        }
        next->form = dd_form_arg(el->forms, f, last ? i : i + 1);
        if (!dd_el_any(el, next->form, &next->value)) {
            return false;
        }
        next->guard.negated = true;
        (*count)++;
        /* parameters say yes: no later branch can be reached */
        if (known) {
            break;
        }
    }
    return true;
}

bool dd_el_if(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_guard *around = el->guard;
    uint32_t count = 0;
    arm *arms = dd_pool_alloc_array(el->scratch, dd_form_get(el->forms, f)->nargs / 2 + 1, sizeof *arms);
    const bool ok = read_arms(el, f, arms, &count);
    el->guard = around;
    if (!ok) {
        return false;
    }
    /* only one branch is left: no conditional expression is needed */
    if (count == 1) {
        *out = arms[0].value;
        return true;
    }
    return combine_arms(el, f, arms, count, out);
}
