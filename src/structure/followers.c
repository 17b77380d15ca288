/* followers.c - which unknowns leave before the analysis, and their values. Three kinds:
 *
 *   copies  a row with coefficients of 1 and -1, one or two unknowns and parameters: +-v +-w + k = 0. v becomes +-w + k
 *           everywhere. Chains of such rows are followed as they are read, so that a value has no copy in it.
 *   constants  such a row with one unknown. The unknown is put in too, but stays an unknown of rows like n*(R*t) = tau in
 *           which a parameter that is 0 is multiplied with it and with others: these would become n*t = tau, with a
 *           coefficient for each t, most of them 0, and other unknowns would be solved for than in the model as written.
 *   ends    a row c*v + rest = 0 with a number c, where v is in no other row: v is -rest/c. The row before it in a chain
 *           (a force that is passed on) may end then too. Values are put into each other last, from the end of the chain.
 *
 * (Definitions, F = a.f + b.f where F is in one or two other rows, would be a third kind. Condensing does the same later, and
 * the work of both together is the same.)
 *
 * Only unknowns about which the text says nothing more: no start value, bounds or preference as a state, not
 * differentiated, no velocity. And only rows of sums, products, sines and cosines: whatever could fail, switch or
 * make an event stays where it is looked at. */
#include "structure/followers.h"

#include "expr/walk.h"
#include "structure/settled.h"

enum { MOST_NODES = 100 }; /* of a row that gets numbers: a rotation of a vector has about 40 */

typedef struct copy {
    dd_expr of;     /* VAR; DD_EXPR_NONE: a value in parameters alone */
    bool negative;  /* minus that */
    dd_expr offset; /* in parameters */
} copy;

typedef struct follower_work {
    dd_system *s;
    dd_model *m;
    dd_dag *dag;
    dd_pool *scratch;
    dd_expr *rows;
    uint8_t *gone;
    bool *may;           /* per var */
    bool *algebraic;     /* per var: nowhere differentiated, and no velocity */
    const bool *settled; /* per var: a parameter that is a number; NULL: none is */
    bool *kept;          /* per var: a constant that stays an unknown of some rows */
    bool *keeps;         /* per row: constants in it stay */
    bool *is_copy;       /* per var */
    copy *copies;        /* per var */
    uint32_t *row_of;    /* per var: the row that says of what it is a copy */
    dd_index_vec path;   /* of root_of */
    dd_index_vec ended;  /* vars, in the order in which they left */
} follower_work;

/* ---- who may leave ---- */

static bool says_nothing_more(const dd_model *m, const dd_variable *v)
{
    return !m->arrays.data[v->array].introduced && v->select == DD_SELECT_DEFAULT && !v->fixed && !v->has_start &&
           !v->has_min && !v->has_max && !v->has_nominal && !v->set_start && v->guess == DD_EXPR_NONE;
}

/* Unknowns of which rows contain a derivative are not algebraic. */
static void leave_differentiated(follower_work *w, const dd_row_vec *rows)
{
    dd_expr_vec all = {0}, symbols = {0};
    for (uint32_t r = 0; r < rows->len; r++) {
        dd_vec_push(w->scratch, &all, rows->data[r].residual);
    }
    dd_symbols_of_all(w->dag, all.data, all.len, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_symbol_order(w->dag, symbols.data[i]) > 0) {
            w->algebraic[dd_symbol_id(w->dag, symbols.data[i])] = false;
        }
    }
}

static void find_candidates(follower_work *w)
{
    const dd_model *m = w->m;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        w->algebraic[v] = m->vars.data[v].kind == DD_KIND_VARIABLE;
    }
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (w->s->velocity[v] != DD_NO_INDEX) {
            w->algebraic[v] = w->algebraic[w->s->velocity[v]] = false;
        }
    }
    leave_differentiated(w, &m->rows);
    leave_differentiated(w, &m->initial_rows);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        w->may[v] = w->algebraic[v] && says_nothing_more(m, &m->vars.data[v]);
    }
}

/* v of a term v or c*v with a number c; DD_EXPR_NONE: the term is none. */
static dd_expr scaled_variable(const dd_dag *dag, dd_expr term)
{
    const bool scaled = dd_op_of(dag, term) == DD_OP_MUL && dd_arg_count(dag, term) == 2 &&
                        dd_op_of(dag, dd_arg(dag, term, 0)) == DD_OP_NUM;
    const dd_expr v = scaled ? dd_arg(dag, term, 1) : term;
    return dd_op_of(dag, v) == DD_OP_VAR && dd_symbol_order(dag, v) == 0 ? v : DD_EXPR_NONE;
}

/* The terms of a row that are more than a number times a variable. */
static void list_products(follower_work *w, uint32_t r, dd_expr_vec *terms)
{
    const dd_expr e = w->rows[r];
    const bool sum = dd_op_of(w->dag, e) == DD_OP_ADD;
    terms->len = 0;
    for (uint32_t i = 0; i < (sum ? dd_arg_count(w->dag, e) : 1); i++) {
        const dd_expr term = sum ? dd_arg(w->dag, e, i) : e;
        if (scaled_variable(w->dag, term) == DD_EXPR_NONE) {
            dd_vec_push(w->scratch, terms, term);
        }
    }
}

static bool is_zero_parameter(const follower_work *w, dd_expr symbol)
{
    const bool parameter = dd_op_of(w->dag, symbol) == DD_OP_PARAM;
    const uint32_t var = parameter ? dd_symbol_id(w->dag, symbol) : DD_NO_INDEX;
    return var < w->m->vars.len && w->m->vars.data[var].value == 0;
}

/* ---- copies ---- */

/* +-v of one term; false for anything else. */
static bool signed_variable(const dd_dag *dag, dd_expr term, dd_expr *v, bool *negative)
{
    *negative =
        dd_op_of(dag, term) == DD_OP_MUL && dd_arg_count(dag, term) == 2 && dd_is_num(dag, dd_arg(dag, term, 0), -1);
    *v = *negative ? dd_arg(dag, term, 1) : term;
    return dd_op_of(dag, *v) == DD_OP_VAR && dd_symbol_order(dag, *v) == 0;
}

/* A row +-v[0] +-v[1] + rest = 0 with n <= 2 unknowns; inputs count as unknowns that stay. */
typedef struct short_row {
    dd_expr v[2];
    bool negative[2];
    uint32_t n;
    dd_expr rest; /* in parameters */
} short_row;

static bool without_variables(follower_work *w, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_symbols(w->dag, e, true, &symbols, w->scratch);
    bool none = true;
    for (uint32_t i = 0; i < symbols.len && none; i++) {
        none = dd_op_of(w->dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(w->scratch, &symbols);
    return none;
}

static copy through(follower_work *w, const copy *c, const copy *further)
{
    const dd_expr offset = c->negative ? dd_neg(w->dag, further->offset) : further->offset;
    return (copy){further->of, c->negative != further->negative, dd_add(w->dag, c->offset, offset)};
}

static bool leads_on(const follower_work *w, const copy *c)
{
    return c->of != DD_EXPR_NONE && w->is_copy[dd_symbol_id(w->dag, c->of)];
}

/* What v is a copy of, through all copies in between, which are shortened on the way. */
static const copy *root_of(follower_work *w, uint32_t v)
{
    w->path.len = 0;
    for (; leads_on(w, &w->copies[v]); v = dd_symbol_id(w->dag, w->copies[v].of)) {
        dd_vec_push(w->scratch, &w->path, v);
    }
    for (; w->path.len > 0; w->path.len--) {
        const uint32_t before = w->path.data[w->path.len - 1];
        w->copies[before] = through(w, &w->copies[before], &w->copies[v]);
        v = before;
    }
    return &w->copies[v];
}

/* Adds a term, copies replaced by what they are copies of. False when the row is none of this kind. */
static bool add_term(follower_work *w, short_row *row, dd_expr term)
{
    dd_expr v;
    bool negative;
    if (!signed_variable(w->dag, term, &v, &negative)) {
        row->rest = dd_add(w->dag, row->rest, term);
        return without_variables(w, term);
    }
    const uint32_t var = dd_symbol_id(w->dag, v);
    if (w->is_copy[var]) {
        const copy *c = root_of(w, var);
        row->rest = dd_add(w->dag, row->rest, negative ? dd_neg(w->dag, c->offset) : c->offset);
        negative = negative != c->negative;
        v = c->of;
    }
    if (v == DD_EXPR_NONE) {
        return true;
    }
    if (row->n == 2 || (row->n == 1 && row->v[0] == v)) {
        return false; /* v - v, or 2*v: not for here */
    }
    row->negative[row->n] = negative;
    row->v[row->n++] = v;
    return true;
}

static bool read_short(follower_work *w, dd_expr e, short_row *row)
{
    enum { MOST_TERMS = 4 };
    const bool sum = dd_op_of(w->dag, e) == DD_OP_ADD;
    const uint32_t n = sum ? dd_arg_count(w->dag, e) : 1;
    *row = (short_row){.rest = dd_num(w->dag, 0)};
    bool fine = n <= MOST_TERMS;
    for (uint32_t i = 0; i < n && fine; i++) {
        fine = add_term(w, row, sum ? dd_arg(w->dag, e, i) : e);
    }
    return fine && row->n > 0;
}

static void take_copies(follower_work *w)
{
    for (uint32_t r = 0; r < w->m->rows.len; r++) {
        short_row row;
        dd_check_stop(w->s->ctx);
        if (!read_short(w, w->rows[r], &row)) {
            continue;
        }
        /* the one declared last follows, so that parts depend on those before them */
        uint32_t k = DD_NO_INDEX, last = 0;
        for (uint32_t i = 0; i < row.n; i++) {
            const uint32_t v = dd_symbol_id(w->dag, row.v[i]);
            if (w->may[v] && (k == DD_NO_INDEX || v > last)) {
                k = i;
                last = v;
            }
        }
        if (k == DD_NO_INDEX) {
            continue;
        }
        /* s*v + t*w + rest = 0: v = -s*t*w - s*rest */
        copy c = {.of = row.n == 2 ? row.v[1 - k] : DD_EXPR_NONE};
        c.negative = row.n == 2 && row.negative[0] == row.negative[1];
        c.offset = row.negative[k] ? row.rest : dd_neg(w->dag, row.rest);
        w->is_copy[last] = true;
        w->copies[last] = c;
        w->row_of[last] = r;
        w->gone[r] = 1;
    }
}

static bool is_constant_copy(follower_work *w, uint32_t v)
{
    return w->is_copy[v] && root_of(w, v)->of == DD_EXPR_NONE;
}

/* Does a product of the row contain a parameter that is 0, a constant, and an algebraic unknown that is none? */
static bool keeps_constants(follower_work *w, const dd_expr_vec *symbols)
{
    bool zero = false, constant = false, other = false;
    for (uint32_t i = 0; i < symbols->len; i++) {
        const dd_expr e = symbols->data[i];
        if (dd_op_of(w->dag, e) == DD_OP_VAR && dd_symbol_order(w->dag, e) == 0) {
            const uint32_t v = dd_symbol_id(w->dag, e);
            const bool fixed = is_constant_copy(w, v);
            constant = constant || fixed;
            other = other || (!fixed && w->may[v]);
        } else {
            zero = zero || is_zero_parameter(w, e);
        }
    }
    return zero && constant && other;
}

static void keep_constants(follower_work *w)
{
    dd_expr_vec terms = {0}, symbols = {0};
    for (uint32_t r = 0; r < w->m->rows.len; r++) {
        if (w->gone[r]) {
            continue;
        }
        list_products(w, r, &terms);
        symbols.len = 0;
        dd_symbols_of_all(w->dag, terms.data, terms.len, true, &symbols, w->scratch);
        w->keeps[r] = keeps_constants(w, &symbols);
        for (uint32_t i = 0; i < symbols.len && w->keeps[r]; i++) {
            if (dd_op_of(w->dag, symbols.data[i]) == DD_OP_VAR &&
                is_constant_copy(w, dd_symbol_id(w->dag, symbols.data[i]))) {
                w->kept[dd_symbol_id(w->dag, symbols.data[i])] = true;
            }
        }
    }
    /* each has its row again: v = k */
    for (uint32_t v = 0; v < w->m->vars.len; v++) {
        if (w->kept[v]) {
            w->gone[w->row_of[v]] = 0;
        }
    }
}

static dd_expr value_of_copy(follower_work *w, uint32_t v)
{
    const copy *c = root_of(w, v);
    const dd_expr of = c->of == DD_EXPR_NONE ? dd_num(w->dag, 0) : c->negative ? dd_neg(w->dag, c->of) : c->of;
    return dd_add(w->dag, of, c->offset);
}

static dd_expr copied(void *user, dd_expr symbol)
{
    follower_work *w = user;
    const bool follows = dd_op_of(w->dag, symbol) == DD_OP_VAR && dd_symbol_order(w->dag, symbol) == 0 &&
                         w->is_copy[dd_symbol_id(w->dag, symbol)];
    return follows ? value_of_copy(w, dd_symbol_id(w->dag, symbol)) : DD_EXPR_NONE;
}

static dd_expr copied_but_kept(void *user, dd_expr symbol)
{
    const follower_work *w = user;
    const bool kept = dd_op_of(w->dag, symbol) == DD_OP_VAR && w->kept[dd_symbol_id(w->dag, symbol)];
    return kept ? DD_EXPR_NONE : copied(user, symbol);
}

/* Does a product of the row contain a parameter that is 0 and an algebraic unknown? */
static bool scales_unknowns(const follower_work *w, const dd_expr_vec *symbols)
{
    bool zero = false, unknown = false;
    for (uint32_t i = 0; i < symbols->len; i++) {
        const dd_expr e = symbols->data[i];
        zero = zero || is_zero_parameter(w, e);
        unknown = unknown || (dd_op_of(w->dag, e) == DD_OP_VAR && dd_symbol_order(w->dag, e) == 0 &&
                              w->algebraic[dd_symbol_id(w->dag, e)]);
    }
    return zero && unknown;
}

static dd_expr settled_number(void *user, dd_expr symbol)
{
    const follower_work *w = user;
    return dd_settled_number(w->s, w->settled, symbol);
}

static bool is_short(const follower_work *w, dd_expr e)
{
    dd_walk walk = dd_walk_unordered(w->dag, &e, 1);
    const bool few = walk.n <= MOST_NODES;
    dd_walk_free(w->dag, &walk);
    return few;
}

/* Puts values into some rows. */
static void put_into(follower_work *w, const dd_index_vec *rows, dd_expr (*value)(void *, dd_expr))
{
    dd_expr *e = dd_pool_alloc_array(w->scratch, rows->len + 1, sizeof *e);
    for (uint32_t i = 0; i < rows->len; i++) {
        e[i] = w->rows[rows->data[i]];
    }
    dd_substitute_all(w->dag, e, rows->len, value, w, e);
    for (uint32_t i = 0; i < rows->len; i++) {
        w->rows[rows->data[i]] = e[i];
    }
}

/* Numbers for parameters that keep their values: shorter rows from the beginning. Not in long rows, whose terms share factors
 * that are sums: a number is multiplied into a sum, and m[1]*s + m[2]*s would be two sums. */
static void put_numbers(follower_work *w)
{
    dd_expr_vec terms = {0}, symbols = {0};
    dd_index_vec some = {0};
    for (uint32_t r = 0; r < w->m->rows.len && w->settled != NULL; r++) {
        if (w->gone[r]) {
            continue;
        }
        list_products(w, r, &terms);
        symbols.len = 0;
        dd_symbols_of_all(w->dag, terms.data, terms.len, true, &symbols, w->scratch);
        if (!scales_unknowns(w, &symbols) && is_short(w, w->rows[r])) {
            dd_vec_push(w->scratch, &some, r);
        }
    }
    put_into(w, &some, settled_number);
}

static void put_copies(follower_work *w)
{
    dd_index_vec with_constants = {0}, others = {0};
    for (uint32_t r = 0; r < w->m->rows.len; r++) {
        dd_vec_push(w->scratch, w->keeps[r] ? &with_constants : &others, r);
    }
    put_into(w, &others, copied);
    put_into(w, &with_constants, copied_but_kept);
    for (uint32_t v = 0; v < w->m->vars.len; v++) {
        if (w->kept[v]) {
            w->rows[w->row_of[v]] = dd_sub(w->dag, dd_var(w->dag, v, 0), value_of_copy(w, v));
        } else if (w->is_copy[v]) {
            w->s->follower[v] = value_of_copy(w, v);
        }
    }
}

/* ---- ends ---- */

typedef struct ends {
    follower_work *w;
    dd_expr_vec *symbols; /* per row: unknowns in it */
    uint32_t *uses;       /* per var: rows that contain it */
    uint32_t *row_sum;    /* per var: the sum of their numbers: that of the row, when it is one */
    dd_index_vec queue;   /* vars in one row */
} ends;

static void count_uses(ends *e)
{
    follower_work *w = e->w;
    for (uint32_t r = 0; r < w->m->rows.len; r++) {
        if (w->gone[r]) {
            continue;
        }
        dd_symbols(w->dag, w->rows[r], false, &e->symbols[r], w->scratch);
        for (uint32_t i = 0; i < e->symbols[r].len; i++) {
            const uint32_t v = dd_symbol_id(w->dag, e->symbols[r].data[i]);
            e->uses[v]++;
            e->row_sum[v] += r;
        }
    }
    for (uint32_t v = 0; v < w->m->vars.len; v++) {
        if (w->may[v] && e->uses[v] == 1) {
            dd_vec_push(w->scratch, &e->queue, v);
        }
    }
}

/* Sums, products, whole powers, sines and cosines: defined everywhere, and nothing in them makes events. No derivatives: a
 * derivative that only a row which left contains would be known to nobody. */
static bool is_harmless(follower_work *w, dd_expr e)
{
    dd_walk walk = dd_walk_unordered(w->dag, &e, 1);
    bool harmless = true;
    for (uint32_t i = 0; i < walk.n && harmless; i++) {
        const dd_expr x = walk.nodes[i];
        const dd_op op = dd_op_of(w->dag, x);
        int64_t num = 0, den = 0;
        const bool power = op == DD_OP_POW && dd_op_of(w->dag, dd_arg(w->dag, x, 1)) == DD_OP_NUM &&
                           dd_num_rational(w->dag, dd_arg(w->dag, x, 1), &num, &den) && den == 1 && num > 0;
        const bool value = dd_arg_count(w->dag, x) == 0 && !(op == DD_OP_VAR && dd_symbol_order(w->dag, x) > 0);
        harmless = value || op == DD_OP_ADD || op == DD_OP_MUL || op == DD_OP_SIN || op == DD_OP_COS ||
                   op == DD_OP_NOEVENT || power;
    }
    dd_walk_free(w->dag, &walk);
    return harmless;
}

/* -rest/c of a row c*v + rest = 0 with a number c; DD_EXPR_NONE for other rows. */
static dd_expr end_value(follower_work *w, dd_expr e, dd_expr v)
{
    dd_expr term = DD_EXPR_NONE;
    for (uint32_t i = 0; dd_op_of(w->dag, e) == DD_OP_ADD && i < dd_arg_count(w->dag, e) && term == DD_EXPR_NONE; i++) {
        const dd_expr x = dd_arg(w->dag, e, i);
        term = scaled_variable(w->dag, x) == v ? x : DD_EXPR_NONE;
    }
    if (term == DD_EXPR_NONE) {
        return DD_EXPR_NONE;
    }
    const dd_expr rest = dd_sub(w->dag, e, term);
    const dd_expr c = term == v ? dd_num(w->dag, 1) : dd_arg(w->dag, term, 0);
    return dd_depends(w->dag, rest, v) || !is_harmless(w, rest) ? DD_EXPR_NONE
                                                                : dd_neg(w->dag, dd_div(w->dag, rest, c));
}

/* noEvent keeps a sum that is part of another one together: a chain of n forces would have n*n/2 terms. */
static dd_expr kept_together(const follower_work *w, dd_expr value)
{
    return dd_op_of(w->dag, value) == DD_OP_ADD ? dd_unary(w->dag, DD_OP_NOEVENT, value) : value;
}

static void take_ends(follower_work *w)
{
    ends e = {.w = w};
    e.symbols = dd_pool_alloc_array(w->scratch, w->m->rows.len + 1, sizeof *e.symbols);
    e.uses = dd_pool_alloc_array(w->scratch, w->m->vars.len + 1, sizeof *e.uses);
    e.row_sum = dd_pool_alloc_array(w->scratch, w->m->vars.len + 1, sizeof *e.row_sum);
    count_uses(&e);
    for (uint32_t q = 0; q < e.queue.len; q++) {
        const uint32_t v = e.queue.data[q], r = e.row_sum[v];
        /* in no row: it went with another one's */
        const dd_expr value = e.uses[v] == 1 ? end_value(w, w->rows[r], dd_var(w->dag, v, 0)) : DD_EXPR_NONE;
        if (value == DD_EXPR_NONE) {
            continue;
        }
        w->s->follower[v] = value;
        dd_vec_push(w->scratch, &w->ended, v);
        w->gone[r] = 1;
        /* others in the row may be the next */
        for (uint32_t i = 0; i < e.symbols[r].len; i++) {
            const uint32_t other = dd_symbol_id(w->dag, e.symbols[r].data[i]);
            e.row_sum[other] -= r;
            if (--e.uses[other] == 1 && w->may[other]) {
                dd_vec_push(w->scratch, &e.queue, other);
            }
        }
    }
}

static dd_expr follower_value(void *user, dd_expr symbol)
{
    const follower_work *w = user;
    return dd_op_of(w->dag, symbol) == DD_OP_VAR && dd_symbol_order(w->dag, symbol) == 0
               ? w->s->follower[dd_symbol_id(w->dag, symbol)]
               : DD_EXPR_NONE;
}

/* The value of the one that left last contains no other, that of the one before it only the last, and so on; then copies of
 * them. */
static void put_values(follower_work *w)
{
    for (uint32_t k = w->ended.len; k-- > 0;) {
        const uint32_t v = w->ended.data[k];
        w->s->follower[v] = kept_together(w, dd_substitute(w->dag, w->s->follower[v], follower_value, w));
    }
    for (uint32_t v = 0; v < w->m->vars.len; v++) {
        if (w->is_copy[v] && !w->kept[v]) {
            w->s->follower[v] = dd_substitute(w->dag, w->s->follower[v], follower_value, w);
        }
    }
}

void dd_system_find_followers(dd_system *s, dd_expr *rows, uint8_t *gone)
{
    dd_model *m = s->model;
    follower_work w = {.s = s, .m = m, .dag = m->dag, .rows = rows, .gone = gone, .scratch = dd_pool_child(s->pool)};
    w.may = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.may);
    w.algebraic = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.algebraic);
    w.settled = dd_settled_parameters(s, w.scratch);
    w.kept = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.kept);
    w.keeps = dd_pool_alloc_array(w.scratch, m->rows.len + 1, sizeof *w.keeps);
    w.row_of = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.row_of);
    w.is_copy = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.is_copy);
    w.copies = dd_pool_alloc_array(w.scratch, m->vars.len + 1, sizeof *w.copies);
    s->follower = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->follower);
    find_candidates(&w);
    take_copies(&w);
    keep_constants(&w);
    put_copies(&w);
    put_numbers(&w);
    take_ends(&w);
    put_values(&w);
    /* none left: as if none had been looked for */
    bool any = false;
    for (uint32_t v = 0; v < m->vars.len && !any; v++) {
        any = s->follower[v] != DD_EXPR_NONE;
    }
    s->follower = any ? s->follower : NULL;
    dd_pool_free(w.scratch);
}
