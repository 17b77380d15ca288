/* chain_plan.c - which unknown and which entry of the matrix belongs to which front (chain_impl.h).
 *
 * A set of unknowns that meet in one entry (or in one condensed inequality) must be in one front together. Inside k is
 * in front k alone, node k in the fronts k - 1 and k, the border in all; the set is assembled in the highest front that
 * all have. Start reading at dd_chain_plan.
 */
#include <string.h>

#include "graph/pattern.h"
#include "nlp/chain_impl.h"

/* Fronts in which a set may be assembled: ROOT for the border alone, and none when low > high >= 0. */
enum { ROOT = -1 };

typedef struct range {
    int64_t low, high;
} range;

static const range everywhere = {ROOT, INT64_MAX};

static range meet(range a, uint32_t place, uint32_t intervals)
{
    if (place == DD_PLACE_BORDER || intervals == 0) {
        return a;
    }
    int64_t low = place / 2, high = low;
    if (place % 2 == 0) {
        low -= low > 0;
        high -= high == (int64_t)intervals;
    }
    return (range){a.low > low ? a.low : low, a.high < high ? a.high : high};
}

static bool possible(range a)
{
    return a.low <= a.high;
}

static int64_t front_of(range a)
{
    return a.high == INT64_MAX ? ROOT : a.high;
}

/* The root is dense: with a larger border a sparse factorisation of the whole is faster. */
enum { BORDER_MOST = 300 };

static bool has_small_border(const dd_kkt_pattern *p)
{
    const dd_nlp_shape *s = p->shape;
    uint64_t border = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        border += s->variable_place[j] == DD_PLACE_BORDER;
    }
    for (uint32_t i = 0; i < p->m; i++) {
        border += s->row_place[i] == DD_PLACE_BORDER && p->equality[i];
    }
    return border <= BORDER_MOST;
}

/* Is there a front that two places are both in? Inside k is 2 k + 1, node k is 2 k (shape.h). */
static bool are_near(uint32_t a, uint32_t b)
{
    const uint32_t apart = a > b ? a - b : b - a;
    return apart <= 1 || (apart == 2 && a % 2 == 0) || a == DD_PLACE_BORDER || b == DD_PLACE_BORDER;
}

/* Does every entry respect the places? */
bool dd_chain_suits(const dd_kkt_pattern *p)
{
    const dd_nlp_shape *s = p->shape;
    if (!s || s->intervals > UINT32_MAX / 4 || !has_small_border(p)) {
        return false;
    }
    const uint32_t last = DD_PLACE_NODE(s->intervals);
    /* places that exist, then pairs of places that some front holds together */
    for (uint32_t j = 0; j < p->n; j++) {
        if (s->variable_place[j] > last && s->variable_place[j] != DD_PLACE_BORDER) {
            return false;
        }
    }
    for (uint32_t i = 0; i < p->m; i++) {
        if (s->row_place[i] > last && s->row_place[i] != DD_PLACE_BORDER) {
            return false;
        }
        if (s->determines[i] != DD_DETERMINES_NONE && s->determines[i] >= p->n) {
            return false;
        }
    }
    bool near = true;
    for (uint32_t e = 0; e < p->hessian_nnz; e++) {
        near &= are_near(s->variable_place[p->hessian_row[e]], s->variable_place[p->hessian_col[e]]);
    }
    for (uint32_t e = 0; e < p->jacobian_nnz; e++) {
        near &= are_near(s->row_place[p->jacobian_row[e]], s->variable_place[p->jacobian_col[e]]);
    }
    return near;
}

/* What is built along the way. */
typedef struct maker {
    chain_system *c;
    const dd_kkt_pattern *p;
    const dd_nlp_shape *s;
    uint32_t n, m, intervals;
    uint8_t *class_of;  /* n + m */
    uint32_t *highest;  /* n + m: the last front that its place is in; intervals, the root: the border */
    int32_t *lo, *hi;   /* n + m: fronts that an unknown is in; hi < lo: in none yet */
    int64_t *row_front; /* m: of condensed rows */
    uint32_t *partner;  /* n: the unknown of the row that determines the variable; UINT32_MAX: none */
    uint32_t *key;      /* entries: front */
    uint32_t *begin;    /* fronts + 1: the next place in the list of each */
    chain_entry *entry; /* by fronts */
    uint32_t entries;
    dd_work work;
} maker;

static inline bool is_fixed(const dd_kkt_pattern *p, uint32_t j)
{
    return p->fixed && p->fixed[j];
}

/* Rows of the Jacobian, and inequalities: those that fit into one front are condensed. */
static void classify_rows(maker *k)
{
    chain_system *c = k->c;
    dd_bucket_sort(k->p->jacobian_nnz, k->m, k->p->jacobian_row, c->row_ptr, c->row_entry);
    uint32_t *absent = (uint32_t *)c->absent_id;
    for (uint32_t j = 0; j < k->n; j++) {
        k->class_of[j] = is_fixed(k->p, j) ? CHAIN_ABSENT : CHAIN_ORDINARY;
        if (is_fixed(k->p, j)) {
            absent[c->absent++] = j;
        }
    }
    for (uint32_t i = 0; i < k->m; i++) {
        k->class_of[k->n + i] = CHAIN_ORDINARY;
        if (k->p->equality[i]) {
            continue;
        }
        /* the fronts that all its variables are in */
        range a = everywhere;
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            const uint32_t j = k->p->jacobian_col[c->row_entry[e]];
            a = is_fixed(k->p, j) ? a : meet(a, k->s->variable_place[j], k->intervals);
        }
        if (possible(a)) {
            k->class_of[k->n + i] = CHAIN_CONDENSED;
            k->row_front[i] = front_of(a);
            c->condensed++;
        }
    }
}

/* A continuity row may hold one variable that a row determines of the next node: its own. */
static bool holds_alone(const maker *k, uint32_t i, uint32_t own)
{
    bool found = false;
    for (uint32_t e = k->c->row_ptr[i]; e < k->c->row_ptr[i + 1]; e++) {
        const uint32_t j = k->p->jacobian_col[k->c->row_entry[e]];
        found |= j == own;
        if (j != own && k->class_of[j] == CHAIN_X && k->s->variable_place[j] == k->s->variable_place[own]) {
            return false;
        }
    }
    return found;
}

/* Rows and the variables they determine. */
static void classify_pairs(maker *k)
{
    const uint32_t n = k->n;
    memset(k->partner, 0xff, n * sizeof *k->partner);
    /* all that look right */
    for (uint32_t i = 0; i < k->m; i++) {
        const uint32_t j = k->s->determines[i], place = k->s->row_place[i];
        if (j == DD_DETERMINES_NONE || !k->p->equality[i] || k->class_of[j] != CHAIN_ORDINARY ||
            place == DD_PLACE_BORDER || place % 2 == 0) {
            continue;
        }
        const uint32_t of = k->s->variable_place[j];
        if (of == place || of == place + 1) {
            k->class_of[j] = of == place ? CHAIN_D : CHAIN_X;
            k->class_of[n + i] = of == place ? CHAIN_R : CHAIN_L;
            k->partner[j] = n + i;
        }
    }
    /* continuity rows that are none become ordinary */
    for (uint32_t i = 0; i < k->m; i++) {
        const uint32_t j = k->s->determines[i];
        if (k->class_of[n + i] == CHAIN_L && !holds_alone(k, i, j)) {
            k->class_of[n + i] = k->class_of[j] = CHAIN_ORDINARY;
            k->partner[j] = UINT32_MAX;
        }
    }
}

static inline void widen(const maker *k, uint32_t u, int32_t front)
{
    k->lo[u] = front < k->lo[u] ? front : k->lo[u];
    k->hi[u] = front > k->hi[u] ? front : k->hi[u];
}

/* The highest front that has both unknowns of an entry: places were tested by dd_chain_suits. */
static inline uint32_t common(const maker *k, uint32_t u, uint32_t v)
{
    return k->highest[u] < k->highest[v] ? k->highest[u] : k->highest[v];
}

static uint32_t place_of(const maker *k, uint32_t u)
{
    return u < k->n ? k->s->variable_place[u] : k->s->row_place[u - k->n];
}

/* All entries in the order of their sources, twice: first their fronts are found, then each goes into its front's list. */
static inline void find_front(maker *k, uint32_t u, uint32_t v, uint32_t front)
{
    const int32_t number = front == k->intervals ? ROOT : (int32_t)front;
    k->key[k->entries++] = front;
    widen(k, u, number);
    widen(k, v, number);
}

static inline void put_entry(maker *k, uint32_t u, uint32_t v, uint32_t source)
{
    k->entry[k->begin[k->key[k->entries++]]++] = (chain_entry){u, v, source};
}

/* Entries outside the diagonal p and q, and condensed rows. */
static void find_fronts(maker *k)
{
    const dd_kkt_pattern *p = k->p;
    const uint32_t n = k->n;
    for (uint32_t e = 0; e < p->hessian_nnz; e++) {
        const uint32_t u = p->hessian_row[e], v = p->hessian_col[e];
        if (!is_fixed(p, u) && !is_fixed(p, v)) {
            find_front(k, u, v, common(k, u, v));
        }
    }
    for (uint32_t e = 0; e < p->jacobian_nnz; e++) {
        const uint32_t i = p->jacobian_row[e], v = p->jacobian_col[e];
        if (is_fixed(p, v)) {
            continue;
        }
        if (k->class_of[n + i] == CHAIN_CONDENSED) {
            widen(k, v, (int32_t)k->row_front[i]);
        } else {
            find_front(k, n + i, v, common(k, n + i, v));
        }
    }
}

static bool has_diagonal(const maker *k, uint32_t u)
{
    return k->class_of[u] != CHAIN_ABSENT && k->class_of[u] != CHAIN_CONDENSED;
}

/* The diagonal: where the unknown comes first, or at the root for the border, which stays until then. */
static void find_diagonal_fronts(maker *k)
{
    for (uint32_t u = 0; u < k->n + k->m; u++) {
        if (has_diagonal(k, u)) {
            const bool known = k->hi[u] >= k->lo[u] && k->highest[u] < k->intervals;
            find_front(k, u, u, known ? (uint32_t)k->hi[u] : k->highest[u]);
        }
    }
}

static void put_entries(maker *k)
{
    const dd_kkt_pattern *p = k->p;
    const uint32_t base = p->hessian_nnz + p->jacobian_nnz;
    k->entries = 0;
    for (uint32_t e = 0; e < p->hessian_nnz; e++) {
        if (!is_fixed(p, p->hessian_row[e]) && !is_fixed(p, p->hessian_col[e])) {
            put_entry(k, p->hessian_row[e], p->hessian_col[e], e);
        }
    }
    for (uint32_t e = 0; e < p->jacobian_nnz; e++) {
        const uint32_t u = k->n + p->jacobian_row[e];
        if (!is_fixed(p, p->jacobian_col[e]) && k->class_of[u] != CHAIN_CONDENSED) {
            put_entry(k, u, p->jacobian_col[e], p->hessian_nnz + e);
        }
    }
    for (uint32_t u = 0; u < k->n + k->m; u++) {
        if (has_diagonal(k, u)) {
            put_entry(k, u, u, base + u);
        }
    }
}

/* Sorts the entries and the condensed rows into their fronts. */
static void deal_entries(maker *k)
{
    chain_system *c = k->c;
    const uint32_t fronts = k->intervals + 1;
    uint32_t *ptr = dd_work_array(&k->work, (size_t)fronts + 1, sizeof *ptr);
    uint32_t *order = dd_work_room(&k->work, k->m, sizeof *order);
    chain_entry *sorted = dd_chain_take(&c->plan, k->entries, sizeof *sorted);
    uint32_t *rows = dd_chain_take(&c->plan, k->m, sizeof *rows);
    uint32_t *which = dd_work_array(&k->work, k->m, sizeof *which);
    if (k->work.failed || c->plan.failed) {
        return;
    }
    /* entries by front, in the order of their sources: gathering then reads forward */
    for (uint32_t e = 0; e < k->entries; e++) {
        c->front[k->key[e]].entries++;
    }
    for (uint32_t f = 0; f < fronts; f++) {
        c->front[f].entry = sorted + k->begin[f];
        k->begin[f + 1] = k->begin[f] + c->front[f].entries;
    }
    k->entry = sorted;
    put_entries(k);
    uint32_t count = 0;
    for (uint32_t i = 0; i < k->m; i++) {
        if (k->class_of[k->n + i] == CHAIN_CONDENSED) {
            k->key[count] = k->row_front[i] == ROOT ? k->intervals : (uint32_t)k->row_front[i];
            which[count++] = i;
        }
    }
    dd_bucket_sort(count, fronts, k->key, ptr, order);
    c->condensed_row = rows;
    for (uint32_t e = 0; e < count; e++) {
        rows[e] = which[order[e]];
    }
    for (uint32_t f = 0; f < fronts; f++) {
        c->front[f].condensed_row = rows + ptr[f];
        c->front[f].condensed = ptr[f + 1] - ptr[f];
    }
}

static uint32_t front_index(const maker *k, int64_t front)
{
    return front == ROOT ? k->intervals : (uint32_t)front;
}

/* How many unknowns of which kind every front has. */
static void count_unknowns(maker *k)
{
    chain_front *front = k->c->front;
    for (uint32_t u = 0; u < k->n + k->m; u++) {
        const uint8_t class = k->class_of[u];
        if (class == CHAIN_ABSENT || class == CHAIN_CONDENSED) {
            continue;
        }
        if (class == CHAIN_ORDINARY && place_of(k, u) == DD_PLACE_BORDER) {
            k->lo[u] = ROOT;
        }
        chain_front *f = &front[front_index(k, k->lo[u])];
        f->nd += class == CHAIN_D;
        f->nx += class == CHAIN_X;
        f->nv += class == CHAIN_ORDINARY;
        for (int64_t g = k->lo[u] + 1; g <= k->hi[u]; g++) {
            front[g].ns++;
        }
    }
}

static uint32_t next_of_node(const maker *k, uint32_t j, uint32_t node)
{
    while (j < k->n && k->s->variable_place[j] != DD_PLACE_NODE(node)) {
        j++;
    }
    return j;
}

/* Marks variables of node 0 that are behind in the list of front 0, and counts them. All of that node begin there, while
 * those of later nodes that the front before has are behind those that begin in their front. In the same order interval 0
 * has the shape of the others, and is in their batches instead of one by itself. */
static uint32_t mark_behind(const maker *k, uint8_t *behind)
{
    uint32_t count = 0, j = next_of_node(k, 0, 0), like = next_of_node(k, 0, 1);
    while (j < k->n && like < k->n) {
        behind[j] =
            k->class_of[j] == CHAIN_ORDINARY && k->lo[j] == 0 && k->class_of[like] != CHAIN_ABSENT && k->lo[like] == 0;
        count += behind[j];
        j = next_of_node(k, j + 1, 0);
        like = next_of_node(k, like + 1, 1);
    }
    return count;
}

static void deal_unknowns(maker *k)
{
    chain_system *c = k->c;
    count_unknowns(k);
    uint8_t *behind = dd_work_array(&k->work, k->n, sizeof *behind);
    if (k->work.failed) {
        return;
    }
    uint32_t behind_at = c->front[0].nv - mark_behind(k, behind);
    /* room */
    uint32_t *filled = dd_work_array(&k->work, ((size_t)k->intervals + 1) * 4, sizeof *filled);
    for (uint32_t f = 0; f <= k->intervals; f++) {
        chain_front *g = &c->front[f];
        const size_t pairs = (size_t)g->nx + g->nd;
        const uint32_t *list = dd_chain_take(&c->plan, 2 * pairs + g->nv + g->ns, sizeof *list);
        if (!list) {
            return;
        }
        g->x = list;
        g->l = g->x + g->nx;
        g->d = g->l + g->nx;
        g->r = g->d + g->nd;
        g->e = g->r + g->nd;
    }
    if (k->work.failed) {
        return;
    }
    /* ascending in every list, but for variables that are behind */
    for (uint32_t u = 0; u < k->n + k->m; u++) {
        const uint8_t class = k->class_of[u];
        if (class == CHAIN_ABSENT || class == CHAIN_CONDENSED) {
            continue;
        }
        const uint32_t home = front_index(k, k->lo[u]);
        const chain_front *f = &c->front[home];
        uint32_t *at = filled + (size_t)home * 4;
        if (class == CHAIN_D) {
            ((uint32_t *)f->d)[at[0]] = u;
            ((uint32_t *)f->r)[at[0]++] = k->partner[u];
        } else if (class == CHAIN_X) {
            ((uint32_t *)f->x)[at[1]] = u;
            ((uint32_t *)f->l)[at[1]++] = k->partner[u];
        } else if (class == CHAIN_ORDINARY) {
            ((uint32_t *)f->e)[u < k->n && behind[u] ? behind_at++ : at[2]++] = u;
        }
        for (int64_t g = k->lo[u] + 1; g <= k->hi[u]; g++) {
            ((uint32_t *)c->front[g].e)[c->front[g].nv + filled[(size_t)g * 4 + 3]++] = u;
        }
    }
}

dd_status dd_chain_plan(chain_system *c)
{
    const dd_kkt_pattern *p = &c->pattern;
    const size_t unknowns = (size_t)c->n + c->m;
    const size_t most = (size_t)p->hessian_nnz + p->jacobian_nnz + unknowns;
    if (most > UINT32_MAX / 2) {
        return dd_fail(c->base.ctx, DD_OUT_OF_MEMORY, "a linear system of %zu entries is too large", most);
    }
    /* what stays goes to the plan's pool, what is needed here only to the work memory */
    maker k = {
        .c = c, .p = p, .s = p->shape, .n = c->n, .m = c->m, .intervals = c->intervals, .work = {.ctx = c->base.ctx}};
    k.class_of = dd_chain_take(&c->plan, unknowns, sizeof *k.class_of);
    k.highest = dd_work_room(&k.work, unknowns, sizeof *k.highest);
    k.lo = dd_work_room(&k.work, unknowns, sizeof *k.lo);
    k.hi = dd_work_room(&k.work, unknowns, sizeof *k.hi);
    k.row_front = dd_work_array(&k.work, c->m, sizeof *k.row_front);
    k.partner = dd_work_array(&k.work, c->n, sizeof *k.partner);
    k.key = dd_work_room(&k.work, most, sizeof *k.key);
    k.begin = dd_work_array(&k.work, (size_t)c->intervals + 2, sizeof *k.begin);
    c->row_ptr = dd_chain_take(&c->plan, (size_t)c->m + 1, sizeof *c->row_ptr);
    c->row_entry = dd_chain_take(&c->plan, p->jacobian_nnz, sizeof *c->row_entry);
    c->front = dd_chain_take_zero(&c->plan, (size_t)c->intervals + 1, sizeof *c->front);
    c->class_of = k.class_of;
    c->absent_id = dd_chain_take(&c->plan, c->n, sizeof *c->absent_id);
    dd_status stop = DD_OK;
    if (!k.work.failed && !c->plan.failed) {
        for (uint32_t u = 0; u < unknowns; u++) {
            const int64_t last = front_of(meet(everywhere, place_of(&k, u), c->intervals));
            k.lo[u] = INT32_MAX;
            k.hi[u] = INT32_MIN;
            k.highest[u] = last == ROOT ? c->intervals : (uint32_t)last;
        }
        /* each takes a part of a second in the largest programs */
        static void (*const stages[])(maker *) = {classify_rows,        classify_pairs, find_fronts,
                                                  find_diagonal_fronts, deal_entries,   deal_unknowns};
        for (size_t s = 0; s < sizeof stages / sizeof *stages && stop == DD_OK; s++) {
            stages[s](&k);
            stop = dd_poll_stop_now(c->base.ctx);
        }
    }
    const bool failed = k.work.failed || c->plan.failed;
    dd_work_free(&k.work);
    return failed ? DD_OUT_OF_MEMORY : stop;
}
