/* reverse.c - gradients by reverse accumulation.
 *
 *   contributions to the adjoint of each node are chained and summed once, when the node's turn comes (from the root to
 *   the leaves, that is by falling index), so the cost of a sum of 10^6 terms is linear in it.
 *
 * Selections. d/dx of `if c then f(x) else g(x)` must be `if c then f' else g'`, never f' times 0 or 1: f' may be
 * infinite where c is false. So each contribution carries a guard, the chain of decisions under which it applies:
 *
 *   guard 0: always      guard g: guards[g].parent and (condition is true | false)      pairs (2k, 2k+1) true, false
 *
 * Contributions under both sides of a pair join into one selection under the parent; a contribution under a single
 * side is propagated under that guard, and becomes `if c then a else 0` at the symbol.
 */
#include "expr/dag_impl.h"

#include "base/hash.h"
#include "expr/sort.h"
#include "expr/walk.h"

#define MOST_GROUPS 8 /* guards at one node before they are turned into selections: bounds the work */

typedef struct entry {
    dd_expr value;
    uint32_t guard, next; /* next: place + 1 of the next contribution to the same node */
} entry;

typedef struct guard {
    uint32_t parent;
    dd_expr condition;
} guard;

typedef struct group {
    uint32_t guard;
    dd_expr value;
} group;

typedef struct reverse {
    dd_dag *dag;
    dd_walk walk;
    uint8_t *active; /* depends on a wanted symbol */
    uint32_t *head;  /* first contribution of each place, + 1 */
    DD_VEC(entry) entries;
    DD_VEC(guard) guards;
    dd_map guard_of;        /* (parent, condition) -> first of the pair */
    DD_VEC(uint64_t) order; /* guard << 32 | value: contributions of the node at hand */
    DD_VEC(group) groups;
    dd_expr_vec scratch;
} reverse;

static bool is_constant_op(dd_op op)
{
    return op == DD_OP_NUM || op == DD_OP_SIGN || op == DD_OP_FLOOR || op == DD_OP_CEIL || dd_op_is_condition(op);
}

static bool place_is_active(const reverse *r, dd_expr e)
{
    uint32_t place = dd_walk_place(r->dag, &r->walk, e);
    return place != DD_NO_PLACE && r->active[place];
}

static void contribute(reverse *r, dd_expr to, dd_expr value, uint32_t under)
{
    if (value == r->dag->zero) {
        return;
    }
    uint32_t place = dd_walk_place(r->dag, &r->walk, to);
    dd_vec_push(r->dag->pool, &r->entries, (entry){value, under, r->head[place]});
    r->head[place] = r->entries.len;
}

/* ---- guards ---- */

/* The guard "under, and condition"; + 1 is "under, and not condition". */
static uint32_t guard_pair(reverse *r, uint32_t under, dd_expr condition)
{
    /* guards 0 and 1 mean "always", so that pairs start at even numbers */
    if (r->guards.len == 0) {
        r->guard_of = dd_map_new(r->dag->pool);
        dd_vec_push(r->dag->pool, &r->guards, (guard){0, DD_EXPR_NONE});
        dd_vec_push(r->dag->pool, &r->guards, (guard){0, DD_EXPR_NONE}); /* so that pairs start at even places */
    }
    uint64_t key = (uint64_t)under << 32 | condition;
    /* one pair per condition and surrounding guard */
    uint32_t found = dd_map_get(&r->guard_of, key);
    if (found == 0) {
        found = r->guards.len;
        dd_vec_push(r->dag->pool, &r->guards, (guard){under, condition});
        dd_vec_push(r->dag->pool, &r->guards, (guard){under, condition});
        dd_map_put(&r->guard_of, key, found);
    }
    return found;
}

/* `value` under guard g as a value under its parent. */
static dd_expr selected(reverse *r, uint32_t g, dd_expr value)
{
    dd_expr c = r->guards.data[g].condition, zero = r->dag->zero;
    return (g & 1) == 0 ? dd_if(r->dag, c, value, zero) : dd_if(r->dag, c, zero, value);
}

/* Sums the contributions of equal guard in r->order (sorted) into groups of rising guard. */
static void sum_by_guard(reverse *r)
{
    dd_sort_u64(r->order.data, r->order.len);
    r->groups.len = 0;
    /* runs of equal guard */
    for (uint32_t i = 0, end; i < r->order.len; i = end) {
        uint32_t g = (uint32_t)(r->order.data[i] >> 32);
        r->scratch.len = 0;
        for (end = i; end < r->order.len && r->order.data[end] >> 32 == g; end++) {
            dd_vec_push(r->dag->pool, &r->scratch, (dd_expr)r->order.data[end]);
        }
        dd_expr sum = dd_sum(r->dag, r->scratch.data, r->scratch.len);
        dd_vec_push(r->dag->pool, &r->groups, (group){g, sum});
    }
}

/* Moves a value into the group of a guard, keeping them in order. */
static void add_to_group(reverse *r, uint32_t g, dd_expr value)
{
    /* insertion keeps the order of guards */
    uint32_t at = r->groups.len;
    while (at > 0 && r->groups.data[at - 1].guard > g) {
        at--;
    }
    if (at > 0 && r->groups.data[at - 1].guard == g) {
        r->groups.data[at - 1].value = dd_add(r->dag, r->groups.data[at - 1].value, value);
        return;
    }
    dd_vec_push(r->dag->pool, &r->groups, (group){0, 0});
    for (uint32_t i = r->groups.len - 1; i > at; i--) {
        r->groups.data[i] = r->groups.data[i - 1];
    }
    r->groups.data[at] = (group){g, value};
}

/* Joins both sides of a pair into a selection under the parent; with everything, also single sides. Parents have
 * smaller numbers than their children, so one pass from the largest guard down is enough. */
static void join_guards(reverse *r, bool everything)
{
    DD_VEC(group) kept = {0};
    r->scratch.len = 0;
    while (r->groups.len > 0) {
        /* the largest guard first: its parent comes later */
        group last = r->groups.data[--r->groups.len];
        if (last.guard == 0) {
            dd_vec_push(r->dag->pool, &r->scratch, last.value);
            continue;
        }
        /* both sides of one condition: a selection under the parent */
        uint32_t parent = r->guards.data[last.guard].parent;
        group *before = r->groups.len > 0 ? &r->groups.data[r->groups.len - 1] : NULL;
        dd_expr value;
        if ((last.guard & 1) == 1 && before != NULL && before->guard == last.guard - 1) {
            value = dd_if(r->dag, r->guards.data[last.guard].condition, before->value, last.value);
            r->groups.len--;
        } else if (everything) {
            value = selected(r, last.guard, last.value);
        } else {
            dd_vec_push(r->dag->pool, &kept, last);
            continue;
        }
        /* a value that always applies is summed at the end, others wait under their guard */
        if (parent == 0) {
            dd_vec_push(r->dag->pool, &r->scratch, value);
        } else {
            add_to_group(r, parent, value);
        }
    }
    /* groups in rising order again */
    if (r->scratch.len > 0) {
        dd_expr always = dd_sum(r->dag, r->scratch.data, r->scratch.len);
        dd_vec_push(r->dag->pool, &r->groups, (group){0, always});
    }
    for (uint32_t i = kept.len; i-- > 0;) {
        dd_vec_push(r->dag->pool, &r->groups, kept.data[i]);
    }
    dd_vec_free(r->dag->pool, &kept);
}

/* The adjoint of the node at this place, as r->groups. */
static void gather(reverse *r, uint32_t place, bool is_symbol)
{
    r->order.len = 0;
    bool guarded = false;
    /* contributions with their guards; the same value twice stays twice */
    for (uint32_t i = r->head[place]; i != 0; i = r->entries.data[i - 1].next) {
        entry c = r->entries.data[i - 1];
        dd_vec_push(r->dag->pool, &r->order, (uint64_t)c.guard << 32 | c.value);
        guarded = guarded || c.guard != 0;
    }
    sum_by_guard(r);
    if (guarded) {
        /* a symbol's partial must be one expression: everything is joined */
        join_guards(r, is_symbol);
        if (r->groups.len > MOST_GROUPS) {
            join_guards(r, true);
        }
    }
}

/* ---- propagation ---- */

static void propagate_product(reverse *r, const dd_args_copy *factors, dd_expr adjoint, uint32_t under)
{
    /* the product with factor i replaced by the adjoint */
    for (uint32_t i = 0; i < factors->n; i++) {
        if (place_is_active(r, factors->data[i])) {
            dd_expr factor = factors->data[i];
            factors->data[i] = adjoint;
            dd_expr value = dd_product(r->dag, factors->data, factors->n);
            factors->data[i] = factor;
            contribute(r, factor, value, under);
        }
    }
}

static void propagate_select(reverse *r, dd_op op, const dd_args_copy *args, dd_expr adjoint, uint32_t under)
{
    dd_expr condition = args->data[0];
    uint32_t first = op == DD_OP_IF ? 1 : 0;
    /* min: a <= b, max: b <= a; the sides are the arguments */
    if (op == DD_OP_MIN || op == DD_OP_MAX) {
        condition = dd_binary(r->dag, DD_OP_LE, args->data[op == DD_OP_MAX], args->data[op == DD_OP_MIN]);
    }
    if (dd_is_op(r->dag, condition, DD_OP_NUM)) { /* both arguments differ, so this is a folded comparison */
        contribute(r, args->data[first + (condition == r->dag->zero)], adjoint, under);
        return;
    }
    /* each side under its own guard */
    uint32_t pair = guard_pair(r, under, condition);
    for (uint32_t side = 0; side < 2; side++) {
        if (place_is_active(r, args->data[first + side])) {
            contribute(r, args->data[first + side], adjoint, pair + side);
        }
    }
}

/* homotopy is linear in both arguments: homotopy(a, 0) + homotopy(0, b) */
static void propagate_homotopy(reverse *r, const dd_args_copy *args, dd_expr adjoint, uint32_t under)
{
    if (place_is_active(r, args->data[0])) {
        contribute(r, args->data[0], dd_binary(r->dag, DD_OP_HOMOTOPY, adjoint, r->dag->zero), under);
    }
    if (place_is_active(r, args->data[1])) {
        contribute(r, args->data[1], dd_binary(r->dag, DD_OP_HOMOTOPY, r->dag->zero, adjoint), under);
    }
}

static void propagate(reverse *r, dd_expr e, const dd_args_copy *args, dd_expr adjoint, uint32_t under)
{
    dd_op op = dd_op_at(r->dag, e);
    /* operations with their own rule */
    switch (op) {
    case DD_OP_MUL:
        propagate_product(r, args, adjoint, under);
        return;
    case DD_OP_IF:
    case DD_OP_MIN:
    case DD_OP_MAX:
        propagate_select(r, op, args, adjoint, under);
        return;
    case DD_OP_HOMOTOPY:
        propagate_homotopy(r, args, adjoint, under);
        return;
    default:
        break;
    }
    /* adjoint times local partial; a sum passes the adjoint on */
    uint32_t derived = op == DD_OP_DERIVED; /* only its odd arguments matter */
    for (uint32_t i = derived; i < args->n; i += 1 + derived) {
        if (place_is_active(r, args->data[i])) {
            dd_expr value = op == DD_OP_ADD ? adjoint : dd_mul(r->dag, adjoint, dd_local_partial(r->dag, e, i));
            contribute(r, args->data[i], value, under);
        }
    }
}

static void propagate_groups(reverse *r, dd_expr e)
{
    dd_args_copy args;
    dd_args_copy_new(&args, r->dag, e);
    for (uint32_t i = 0; i < r->groups.len; i++) {
        if (r->groups.data[i].value != r->dag->zero) {
            propagate(r, e, &args, r->groups.data[i].value, r->groups.data[i].guard);
        }
    }
    dd_args_copy_free(&args, r->dag);
}

/* ---- set-up ---- */

static void mark_wanted(reverse *r, const dd_expr *wanted, uint32_t n_wanted, bool with_params)
{
    /* the wanted symbols are active, and so is everything above them */
    for (uint32_t i = 0; i < n_wanted; i++) {
        uint32_t place = dd_walk_place(r->dag, &r->walk, wanted[i]);
        if (place != DD_NO_PLACE) {
            r->active[place] = 1;
        }
    }
    for (uint32_t i = 0; i < r->walk.n; i++) {
        dd_expr e = r->walk.nodes[i];
        dd_op op = dd_op_at(r->dag, e);
        if (wanted == NULL && (op == DD_OP_VAR || (with_params && (op == DD_OP_PARAM || op == DD_OP_TIME)))) {
            r->active[i] = 1;
        }
        /* conditions and the value of a derived node do not carry derivatives */
        const dd_expr *args = dd_args_of(r->dag, e);
        bool derived = op == DD_OP_DERIVED;
        for (uint32_t k = op == DD_OP_IF || derived; k < r->dag->nodes[e].n && !r->active[i] && !is_constant_op(op);
             k += 1 + derived) {
            r->active[i] = place_is_active(r, args[k]);
        }
    }
}

static dd_expr lowest_of(const dd_expr *wanted, uint32_t n)
{
    dd_expr lowest = wanted == NULL ? 0 : UINT32_MAX;
    for (uint32_t i = 0; wanted != NULL && i < n; i++) {
        lowest = wanted[i] < lowest ? wanted[i] : lowest;
    }
    return lowest;
}

static void close_reverse(reverse *r)
{
    dd_pool *pool = r->dag->pool;
    if (r->guards.len > 0) {
        dd_map_free(&r->guard_of);
    }
    dd_vec_free(pool, &r->entries);
    dd_vec_free(pool, &r->guards);
    dd_vec_free(pool, &r->order);
    dd_vec_free(pool, &r->groups);
    dd_vec_free(pool, &r->scratch);
    dd_block_free(pool, r->head);
    dd_block_free(pool, r->active);
    dd_walk_free(r->dag, &r->walk);
}

static reverse open_reverse(dd_dag *dag, const dd_expr *exprs, uint32_t n, const dd_expr *wanted, uint32_t n_wanted,
                            bool with_params)
{
    reverse r = {.dag = dag, .walk = dd_walk_new(dag, exprs, n, lowest_of(wanted, n_wanted))};
    r.active = dd_block_resize(dag->pool, NULL, (size_t)r.walk.n + 1);
    r.head = dd_block_resize(dag->pool, NULL, ((size_t)r.walk.n + 1) * sizeof *r.head);
    for (uint32_t i = 0; i < r.walk.n; i++) {
        r.active[i] = 0;
        r.head[i] = 0;
    }
    mark_wanted(&r, wanted, n_wanted, with_params);
    return r;
}

/* Turns the part of the list from `first` on around. */
static void turn_around(dd_expr_vec *v, uint32_t first)
{
    for (uint32_t i = first, k = v->len; i + 1 < k; i++) {
        dd_expr swap = v->data[i];
        v->data[i] = v->data[--k];
        v->data[k] = swap;
    }
}

/* Gives the adjoint of each root its seed, then goes through the nodes from the last to the first. */
static void run_reverse(reverse *r, const dd_expr *exprs, const dd_expr *seeds, uint32_t n, dd_expr_vec *symbols,
                        dd_expr_vec *partials, dd_pool *pool)
{
    dd_dag *dag = r->dag;
    uint32_t first = symbols->len, first_partial = partials->len;
    /* the adjoint of a root starts with its seed */
    for (uint32_t i = 0; i < n; i++) {
        if (exprs[i] != DD_EXPR_NONE && place_is_active(r, exprs[i])) {
            contribute(r, exprs[i], seeds[i], 0);
        }
    }
    /* by falling index: all uses of a node are known when its turn comes */
    for (uint32_t i = r->walk.n; i-- > 0;) {
        dd_expr node = r->walk.nodes[i];
        bool is_symbol = dag->nodes[node].n == 0;
        /* nothing reached it */
        if (r->head[i] == 0) {
            continue;
        }
        gather(r, i, is_symbol);
        if (!is_symbol) {
            propagate_groups(r, node);
        } else if (r->groups.len > 0 && r->groups.data[0].value != dag->zero) {
            dd_vec_push(pool, symbols, node);
            dd_vec_push(pool, partials, r->groups.data[0].value);
        }
    }
    /* symbols were met by falling index */
    turn_around(symbols, first);
    turn_around(partials, first_partial);
}

void dd_gradient(dd_dag *dag, const dd_gradient_of *of, dd_expr_vec *symbols, dd_expr_vec *partials, dd_pool *pool)
{
    if (of->n_wanted == 0) {
        return;
    }
    reverse r = open_reverse(dag, of->exprs, of->n, of->wanted, of->n_wanted, false);
    run_reverse(&r, of->exprs, of->seeds, of->n, symbols, partials, pool);
    close_reverse(&r);
}

void dd_partials(dd_dag *dag, dd_expr e, bool with_params, dd_expr_vec *symbols, dd_expr_vec *partials, dd_pool *pool)
{
    reverse r = open_reverse(dag, &e, 1, NULL, 0, with_params);
    run_reverse(&r, &e, &dag->one, 1, symbols, partials, pool);
    close_reverse(&r);
}
