/* chain_leaf.c - which leaves have the same shape, and the lists by which their numbers are gathered (chain_lanes.h).
 *
 * Every interval writes its structure as a sequence of numbers, in an order that depends on nothing but the structure:
 * its signature. Intervals with equal signatures share a shape and fill batches in their order.
 */
#include <string.h>

#include "graph/pattern.h"
#include "nlp/chain_planner.h"
#include "nlp/chain_sparse.h"

static void begin_interval(chain_planner *p, const chain_front *f)
{
    dd_chain_assign_roles(p->c, f);
    memset(p->l_index, 0xff, f->nx * sizeof *p->l_index);
    memset(p->e_index, 0xff, ((size_t)f->nv + f->ns) * sizeof *p->e_index);
    memset(p->g_index, 0xff, ((size_t)f->nv + f->ns) * sizeof *p->g_index);
}

/* Marks what meets the inside; false: this interval cannot be condensed in lanes. */
static bool mark_entry(chain_planner *p, uint32_t u, uint32_t v)
{
    const uint32_t a = chain_role(p, u), b = chain_role(p, v);
    const bool inside_u = a == ROLE_D || a == ROLE_R, inside_v = b == ROLE_D || b == ROLE_R;
    if (inside_u == inside_v) {
        return true;
    }
    const uint32_t in = inside_u ? u : v, out = inside_u ? v : u, kind = chain_role(p, out);
    if (kind == ROLE_X) {
        return false;
    }
    if (kind == ROLE_L) {
        p->l_index[chain_index(p, out)] = 0;
        return chain_role(p, in) == ROLE_D;
    }
    (out < p->c->n ? p->e_index : p->g_index)[chain_index(p, out)] = 0;
    return true;
}

/* Does a condensed row meet the inside? */
static bool row_inside(const chain_planner *p, uint32_t i)
{
    const chain_system *c = p->c;
    for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
        const uint32_t u = c->pattern.jacobian_col[c->row_entry[e]];
        if (c->class_of[u] == CHAIN_D) {
            return true;
        }
    }
    return false;
}

static bool mark_rows(chain_planner *p, const chain_front *f)
{
    const chain_system *c = p->c;
    for (uint32_t r = 0; r < f->condensed; r++) {
        const uint32_t i = f->condensed_row[r];
        if (!row_inside(p, i)) {
            continue;
        }
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            const uint32_t u = c->pattern.jacobian_col[c->row_entry[e]];
            if (c->class_of[u] != CHAIN_ABSENT && chain_role(p, u) == ROLE_X) {
                return false;
            }
            if (c->class_of[u] != CHAIN_ABSENT && chain_role(p, u) == ROLE_E) {
                p->e_index[chain_index(p, u)] = 0;
            }
        }
    }
    return true;
}

/* Numbers what was marked: e in their order; rows: l, then e. */
static void number_outside(chain_planner *p, const chain_front *f)
{
    p->ne = p->ng = 0;
    for (uint32_t i = 0; i < f->nx; i++) {
        p->l_index[i] = p->l_index[i] == 0 ? p->ng++ : UINT32_MAX;
    }
    for (uint32_t i = 0; i < f->nv + f->ns; i++) {
        p->e_index[i] = p->e_index[i] == 0 ? p->ne++ : UINT32_MAX;
        p->g_index[i] = p->g_index[i] == 0 ? p->ng++ : UINT32_MAX;
    }
}

static uint32_t g_slot(chain_planner *p, uint32_t g, uint32_t d)
{
    uint32_t *known = &p->g_table[(size_t)g * p->nd + d];
    if (!*known) {
        p->g_i[p->gs] = g;
        p->g_j[p->gs++] = d;
        *known = p->gs;
    }
    return AREA_G << SHIFT | (g * p->nd + d);
}

/* The slot of an entry that meets the inside; 0: of none (q of a row that determines). */
static uint32_t slot_of(chain_planner *p, uint32_t u, uint32_t v)
{
    /* u: a row that determines, else a variable inside; v: the other end */
    if (chain_role(p, v) == ROLE_R || (chain_role(p, v) == ROLE_D && chain_role(p, u) != ROLE_R)) {
        const uint32_t t = u;
        u = v;
        v = t;
    }
    const uint32_t i = chain_index(p, u), j = chain_index(p, v), ld = p->nd + p->ne;
    if (chain_role(p, u) == ROLE_R) {
        switch (chain_role(p, v)) {
        case ROLE_D:
            return AREA_A << SHIFT | (i * ld + j);
        case ROLE_E:
            return AREA_A << SHIFT | (i * ld + p->nd + p->e_index[j]);
        default:
            return 0;
        }
    }
    if (chain_role(p, v) == ROLE_D) {
        dd_chain_hd_slot(p, i, j);
        return AREA_HD << SHIFT | (i > j ? i * p->nd + j : j * p->nd + i);
    }
    if (chain_role(p, v) == ROLE_L) {
        return g_slot(p, p->l_index[j], i);
    }
    return v < p->c->n ? AREA_U << SHIFT | (i * p->ne + p->e_index[j]) : g_slot(p, p->g_index[j], i);
}

/* An entry outside: e-e, x-(x, e), l-(x, e). */
static void add_direct(chain_planner *p, const chain_front *f, uint32_t e)
{
    const chain_entry *t = &f->entry[e];
    uint32_t u = t->u, v = t->v;
    if (chain_role(p, v) == ROLE_L || (chain_role(p, v) == ROLE_X && chain_role(p, u) != ROLE_L)) {
        u = t->v;
        v = t->u;
    }
    const uint32_t list = chain_role(p, u) == ROLE_L ? DIRECT_LE : chain_role(p, u) == ROLE_X ? DIRECT_XE : DIRECT_EE;
    if (chain_role(p, v) == ROLE_L) {
        return; /* q of a continuity row */
    }
    const dd_kkt_pattern *q = &p->c->pattern;
    const uint32_t ends[] = {q->hessian_nnz, q->jacobian_nnz, q->n, q->m};
    uint32_t kind = DIRECT_H, source = t->source;
    while (source >= ends[kind]) {
        source -= ends[kind++];
    }
    const uint32_t j = list == DIRECT_EE ? chain_index(p, v) : chain_outer_position(p, v, f->nx);
    p->direct_entry[list][p->count[list]] = e;
    p->direct[list][p->count[list]++] = (chain_direct){chain_index(p, u), j, source, 0};
    p->directs[list][kind]++;
}

/* An entry outside between unknowns that meet the inside anyway: it goes with the leaf. 0: it does not. */
static uint32_t outer_slot(const chain_planner *p, uint32_t u, uint32_t v)
{
    if (p->nd == 0 || chain_role(p, v) != ROLE_E || v >= p->c->n || p->e_index[chain_index(p, v)] == UINT32_MAX) {
        return 0;
    }
    const uint32_t i = chain_index(p, u), e = p->e_index[chain_index(p, v)];
    if (chain_role(p, u) == ROLE_L && p->l_index[i] != UINT32_MAX) {
        return AREA_GE << SHIFT | (p->l_index[i] * p->ne + e);
    }
    if (chain_role(p, u) == ROLE_E && u < p->c->n && p->e_index[i] != UINT32_MAX) {
        return AREA_HEE << SHIFT | (p->e_index[i] * p->ne + e);
    }
    return 0;
}

/* Writes the signature and the sources of the interval. */
static void write_entries(chain_planner *p, const chain_front *f)
{
    const chain_system *c = p->c;
    uint32_t *sign = p->sign + p->sign_at[p->k], *source = p->source + p->source_at[p->k];
    *sign++ = p->nd;
    *sign++ = p->ne;
    *sign++ = p->ng;
    const uint32_t hn = c->pattern.hessian_nnz, jn = c->pattern.jacobian_nnz;
    uint32_t *used = p->source_entry;
    for (uint32_t e = 0; e < f->entries; e++) {
        const chain_entry *t = &f->entry[e];
        p->roles[e] = chain_roles_of(p, t);
        const uint32_t a = chain_role(p, t->u), b = chain_role(p, t->v);
        const bool inner = a == ROLE_D || a == ROLE_R || b == ROLE_D || b == ROLE_R;
        const uint32_t slot = inner ? slot_of(p, t->u, t->v) : outer_slot(p, t->u, t->v);
        if (slot) {
            const uint32_t kind = t->source < hn ? FROM_HESSIAN : t->source < hn + jn ? FROM_JACOBIAN : FROM_P;
            const uint32_t from = t->source - (kind == FROM_HESSIAN ? 0 : kind == FROM_JACOBIAN ? hn : hn + jn);
            *sign++ = kind;
            *sign++ = slot;
            *source++ = from;
            *used++ = e;
            if (slot >> SHIFT == AREA_HEE && t->u != t->v) {
                *sign++ = kind;
                *sign++ = outer_slot(p, t->v, t->u);
                *source++ = from;
                *used++ = e;
            }
        } else if (!inner) {
            add_direct(p, f, e);
        }
    }
    /* condensed rows: their unknowns */
    for (uint32_t r = 0; r < f->condensed; r++) {
        const uint32_t i = f->condensed_row[r];
        if (!row_inside(p, i)) {
            continue;
        }
        *sign++ = FROM_ROW;
        uint32_t *count = sign++;
        *count = 0;
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            const uint32_t u = c->pattern.jacobian_col[c->row_entry[e]];
            if (c->class_of[u] != CHAIN_ABSENT) {
                *sign++ =
                    chain_role(p, u) == ROLE_D ? c->at[u] : (uint32_t)ROLE_E << SHIFT | p->e_index[chain_index(p, u)];
                *source++ = e;
                ++*count;
            }
        }
    }
    for (uint32_t r = 0; r < f->condensed; r++) {
        if (row_inside(p, f->condensed_row[r])) {
            *source++ = (uint32_t)(f->condensed_row + r - c->condensed_row);
        }
    }
    p->sign_end[p->k] = (size_t)(sign - p->sign);
    p->source_at[p->k + 1] = (size_t)(source - p->source);
}

/* What the recursion needs: positions of e and g, direct entries, condensed rows outside, the child's unknowns. */
static chain_lean *make_lean(chain_planner *p, const chain_front *f)
{
    chain_system *c = p->c;
    chain_lean *lean = dd_chain_take_zero(&c->plan, 1, sizeof *lean);
    uint32_t *e_at = dd_chain_take(&c->plan, (size_t)p->ne + p->ng, sizeof *e_at);
    const size_t directs = (size_t)p->count[DIRECT_EE] + p->count[DIRECT_XE] + p->count[DIRECT_LE];
    chain_direct *copy = dd_chain_take(&c->plan, directs, sizeof *copy);
    if (c->plan.failed) {
        return NULL;
    }
    uint32_t *g_at = e_at + p->ne;
    lean->first = p->k;
    lean->ne = p->ne;
    lean->ng = p->ng;
    for (uint32_t i = 0; i < f->nv + f->ns; i++) {
        if (p->e_index[i] != UINT32_MAX) {
            e_at[p->e_index[i]] = i;
        }
        if (p->g_index[i] != UINT32_MAX) {
            g_at[p->g_index[i]] = f->nx + i;
        }
    }
    for (uint32_t i = 0; i < f->nx; i++) {
        if (p->l_index[i] != UINT32_MAX) {
            g_at[p->l_index[i]] = i;
        }
    }
    for (int t = 0; t < DIRECT_LISTS; t++) {
        memcpy(copy, p->direct[t], p->count[t] * sizeof *copy);
        lean->direct[t] = copy;
        copy += p->count[t];
    }
    memcpy(lean->directs, p->directs, sizeof p->directs);
    /* regular: what the leaf yields is the front itself, and can be copied as it is */
    lean->e_at = e_at;
    lean->g_at = g_at;
    lean->regular = p->nd > 0 && p->ne == f->nv + f->ns && p->ng == f->nx;
    for (uint32_t i = 0; i < p->ng; i++) {
        lean->regular &= g_at[i] == i;
    }
    return lean;
}

/* Products of the condensed rows that meet nothing inside. */
static void outer_products(chain_planner *p, const chain_front *f, chain_lean *lean)
{
    chain_system *c = p->c;
    size_t count = 0;
    /* first how many, then which: J_i^T (1/q_i) J_i has an entry for every pair of the row's entries */
    for (uint32_t r = 0; r < f->condensed; r++) {
        const uint32_t i = f->condensed_row[r];
        const size_t width = c->row_ptr[i + 1] - c->row_ptr[i];
        count += row_inside(p, i) ? 0 : width * (width + 1) / 2;
    }
    chain_product *product = dd_chain_take(&c->plan, count, sizeof *product);
    if (!product) {
        return;
    }
    lean->product = product;
    for (uint32_t r = 0; r < f->condensed; r++) {
        const uint32_t i = f->condensed_row[r], weight = (uint32_t)(f->condensed_row + r - c->condensed_row);
        if (row_inside(p, i)) {
            continue;
        }
        for (uint32_t a = c->row_ptr[i]; a < c->row_ptr[i + 1]; a++) {
            const uint32_t u = c->pattern.jacobian_col[c->row_entry[a]];
            for (uint32_t b = c->row_ptr[i]; b <= a && c->class_of[u] != CHAIN_ABSENT; b++) {
                const uint32_t v = c->pattern.jacobian_col[c->row_entry[b]];
                if (c->class_of[v] != CHAIN_ABSENT) {
                    const uint32_t to = chain_outer_position(p, u, f->nx) << 16 | chain_outer_position(p, v, f->nx);
                    product[lean->products++] = (chain_product){to, a, b, weight};
                }
            }
        }
    }
}

/* Where the unknowns that front k + 1 leaves are in front k. */
static void child_positions(chain_planner *p, const chain_front *f, chain_lean *lean)
{
    chain_system *c = p->c;
    if (p->k + 1 == c->intervals) {
        return;
    }
    const chain_front *child = &c->front[p->k + 1];
    uint32_t *at = dd_chain_take(&c->plan, child->ns, sizeof *at);
    if (!at) {
        return;
    }
    lean->child_at = at;
    lean->child_count = child->ns;
    lean->child_begins = child->ns >= f->nx;
    for (uint32_t i = 0; i < child->ns; i++) {
        at[i] = chain_outer_position(p, child->e[child->nv + i], f->nx);
        lean->child_begins &= i < f->nx ? at[i] == i : at[i] >= f->nx;
    }
    for (uint32_t i = 0; i < p->count[DIRECT_XE]; i++) {
        lean->child_begins &= p->direct[DIRECT_XE][i].j >= f->nx;
    }
    for (uint32_t i = 0; i < lean->products; i++) {
        lean->child_begins &= (lean->product[i].to >> 16) >= f->nx || (lean->product[i].to & 0xffff) >= f->nx;
    }
}

static bool same_signature(const chain_planner *p, uint32_t a, uint32_t b)
{
    const size_t size = p->sign_end[a] - p->sign_at[a];
    return size == p->sign_end[b] - p->sign_at[b] &&
           memcmp(p->sign + p->sign_at[a], p->sign + p->sign_at[b], size * sizeof *p->sign) == 0;
}

/* The entries of the interval before leave the tables. */
static void clear_tables(chain_planner *p)
{
    for (uint32_t e = 0; e < p->hds; e++) {
        p->hd_table[(size_t)p->hd_i[e] * p->table_nd + p->hd_j[e]] = 0;
    }
    for (uint32_t e = 0; e < p->gs; e++) {
        p->g_table[(size_t)p->g_i[e] * p->table_nd + p->g_j[e]] = 0;
    }
    p->hds = p->gs = 0;
}

/* One interval: its signature, its shape, its part in the recursion. */
static void plan_interval(chain_planner *p, chain_lanes *lanes)
{
    chain_system *c = p->c;
    chain_front *f = &c->front[p->k];
    if (p->repeatable && dd_chain_repeat(p)) {
        return;
    }
    p->repeatable = false;
    clear_tables(p);
    p->sign_at[p->k] = p->sign_end[p->k] = p->sign_top;
    p->source_at[p->k + 1] = p->source_at[p->k];
    p->shape_of[p->k] = UINT32_MAX;
    p->nd = f->nd;
    if (f->nd > SIDE_MOST || f->nx + f->nv + f->ns > SIDE_MOST) {
        return; /* too large for lanes: factored as a whole */
    }
    /* roles of the unknowns, then every entry by the roles of its two ends */
    begin_interval(p, f);
    for (uint32_t e = 0; e < f->entries; e++) {
        if (!mark_entry(p, f->entry[e].u, f->entry[e].v)) {
            return;
        }
    }
    if (!mark_rows(p, f)) {
        return;
    }
    number_outside(p, f);
    p->table_nd = p->nd;
    memset(p->count, 0, sizeof p->count);
    memset(p->directs, 0, sizeof p->directs);
    write_entries(p, f);
    chain_lean *lean = make_lean(p, f);
    if (!lean) {
        return;
    }
    outer_products(p, f, lean);
    child_positions(p, f, lean);
    f->lean_plan = p->lean = lean;
    f->batch = UINT32_MAX; /* until batches are filled: no lane */
    f->lean = p->repeatable = true;
    if (p->nd == 0) {
        return;
    }
    /* an interval with the same signature as one before shares its shape */
    uint32_t s = p->shapes;
    while (s > 0 && !same_signature(p, p->like[s - 1], p->k)) {
        s--;
    }
    if (s == 0) {
        p->like[p->shapes] = p->k;
        p->sign_top = p->sign_end[p->k];
        dd_chain_make_shape(p, &lanes->shape[p->shapes]);
        s = ++p->shapes;
    }
    p->shape_of[p->k] = s - 1;
}

/* Room for the largest interval. */
static void allocate(chain_planner *p)
{
    const chain_system *c = p->c;
    size_t side = 1, inside = 1, rows = 1, signs = 8, sources = 1, most = 1;
    for (uint32_t k = 0; k < c->intervals; k++) {
        const chain_front *f = &c->front[k];
        const size_t e = (size_t)f->nv + f->ns;
        side = e > side ? e : side;
        rows = e + f->nx > rows ? e + f->nx : rows;
        inside = f->nd > inside ? f->nd : inside;
        most = f->entries > most ? f->entries : most;
        signs += 4 * (size_t)f->entries + 3;
        sources += 2 * (size_t)f->entries;
        for (uint32_t r = 0; r < f->condensed; r++) {
            const uint32_t i = f->condensed_row[r];
            signs += c->row_ptr[i + 1] - c->row_ptr[i] + 2;
            sources += c->row_ptr[i + 1] - c->row_ptr[i] + 1;
        }
    }
    /* larger intervals are not planned for lanes */
    inside = inside < SIDE_MOST ? inside : SIDE_MOST;
    rows = rows < SIDE_MOST ? rows : SIDE_MOST;
    dd_work *w = &p->work;
    p->sign = dd_work_room(w, signs, sizeof *p->sign);
    p->source = dd_work_room(w, sources, sizeof *p->source);
    p->sign_at = dd_work_array(w, c->intervals, sizeof *p->sign_at);
    p->sign_end = dd_work_array(w, c->intervals, sizeof *p->sign_end);
    p->source_at = dd_work_array(w, (size_t)c->intervals + 1, sizeof *p->source_at);
    p->shape_of = dd_work_array(w, c->intervals, sizeof *p->shape_of);
    p->like = dd_work_array(w, c->intervals, sizeof *p->like);
    p->e_index = dd_work_array(w, side, sizeof *p->e_index);
    p->g_index = dd_work_array(w, side, sizeof *p->g_index);
    p->l_index = dd_work_array(w, rows, sizeof *p->l_index);
    p->hd_table = dd_work_array(w, inside * inside, sizeof *p->hd_table);
    p->hu_table = dd_work_array(w, inside * (side < SIDE_MOST ? side : SIDE_MOST), sizeof *p->hu_table);
    p->g_table = dd_work_array(w, rows * inside, sizeof *p->g_table);
    p->hd_i = dd_work_array(w, inside * (inside + 1) / 2, sizeof *p->hd_i);
    p->hd_j = dd_work_array(w, inside * (inside + 1) / 2, sizeof *p->hd_j);
    p->g_i = dd_work_array(w, rows * inside, sizeof *p->g_i);
    p->g_j = dd_work_array(w, rows * inside, sizeof *p->g_j);
    p->roles = dd_work_room(w, most, sizeof *p->roles);
    p->source_entry = dd_work_room(w, (2 + DIRECT_LISTS) * most, sizeof *p->source_entry);
    for (uint32_t t = 0; t < DIRECT_LISTS; t++) {
        p->direct[t] = dd_work_room(w, most, sizeof *p->direct[t]);
        p->direct_entry[t] = p->source_entry ? p->source_entry + (2 + t) * most : NULL;
    }
}

dd_status dd_chain_plan_leaves(chain_system *c)
{
    chain_planner p = {.c = c, .work = {.ctx = c->base.ctx}};
    chain_lanes *lanes = dd_chain_take_zero(&c->plan, 1, sizeof *lanes);
    dd_status stop = DD_OK;
    allocate(&p);
    if (!p.work.failed && lanes) {
        c->lanes = lanes;
        lanes->kernels = dd_chain_kernels(0);
        lanes->shape = dd_chain_take_zero(&c->plan, c->intervals, sizeof *lanes->shape);
        for (p.k = 0; p.k < c->intervals && !c->plan.failed && stop == DD_OK; p.k++) {
            plan_interval(&p, lanes);
            stop = dd_poll_stop(c->base.ctx);
        }
        if (!c->plan.failed && stop == DD_OK) {
            dd_chain_fill_batches(&p, lanes);
        }
    }
    const bool failed = p.work.failed || c->plan.failed;
    dd_work_free(&p.work);
    return failed ? DD_OUT_OF_MEMORY : stop;
}
