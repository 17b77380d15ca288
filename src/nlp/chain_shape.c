/* chain_shape.c - a shape of leaves from a signature: areas of slots, lists of H_DD, G_D and of condensed rows
 * (chain_lanes.h, chain_planner.h). */
#include <string.h>

#include "nlp/chain_planner.h"
#include "nlp/chain_sparse.h"

/* Leaves with fewer unknowns are dense: they fit into the caches. */
enum { SPARSE_LEAST = 24 };
/* Slots of a leaf that is factored in memory of its thread: 128 kB for all lanes, which stay in the second cache. */
enum { NEAR_MOST = 2048 };
/* Operations of a sparse leaf that take as long as one of a dense leaf, which has no lists of entries to read. */
static const double sparse_slower = 2;

uint32_t dd_chain_hd_slot(chain_planner *p, uint32_t i, uint32_t j)
{
    const uint32_t high = i > j ? i : j, low = i > j ? j : i;
    uint32_t *known = &p->hd_table[(size_t)high * p->nd + low];
    if (!*known) {
        p->hd_i[p->hds] = high;
        p->hd_j[p->hds++] = low;
        *known = p->hds;
    }
    return *known - 1;
}

/* H_DD by rows, both triangles; G_D by rows with the numbers of its entries in that order. */
static void sort_inside(chain_planner *p, chain_shape *s, uint32_t *g_order)
{
    chain_system *c = p->c;
    uint32_t *ptr = dd_chain_take_zero(&c->plan, (size_t)p->nd + 1, sizeof *ptr);
    uint32_t *col = dd_chain_take(&c->plan, 2 * (size_t)p->hds, sizeof *col);
    uint32_t *slot = dd_chain_take(&c->plan, 2 * (size_t)p->hds, sizeof *slot);
    uint32_t *g_ptr = dd_chain_take(&c->plan, (size_t)p->ng + 1, sizeof *g_ptr);
    uint32_t *g_col = dd_chain_take(&c->plan, p->gs, sizeof *g_col);
    if (c->plan.failed) {
        return;
    }
    /* the tables hold the number of an entry plus one; 0: none */
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->nd; i++) {
        ptr[i] = count;
        for (uint32_t j = 0; j < p->nd; j++) {
            const uint32_t known = p->hd_table[i > j ? (size_t)i * p->nd + j : (size_t)j * p->nd + i];
            if (known) {
                col[count] = j;
                slot[count++] = known - 1;
            }
        }
    }
    ptr[p->nd] = count;
    count = 0;
    for (uint32_t g = 0; g < p->ng; g++) {
        g_ptr[g] = count;
        for (uint32_t j = 0; j < p->nd; j++) {
            const uint32_t known = p->g_table[(size_t)g * p->nd + j];
            if (known) {
                g_order[known - 1] = count;
                g_col[count++] = j;
            }
        }
    }
    g_ptr[p->ng] = count;
    s->hd_ptr = ptr;
    s->hd_col = col;
    s->hd_slot = slot;
    s->g_ptr = g_ptr;
    s->g_col = g_col;
}

/* Slots of the products of one condensed row. */
static uint32_t row_products(chain_planner *p, const chain_shape *s, const uint32_t *codes, uint32_t count,
                             chain_product *product, uint32_t first, uint32_t weight)
{
    uint32_t made = 0;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = 0; b < count; b++) {
            const uint32_t u = codes[a], v = codes[b], i = u & INDEX, j = v & INDEX;
            const bool inner_u = u >> SHIFT == ROLE_D, inner_v = v >> SHIFT == ROLE_D;
            uint32_t to;
            if (inner_u && inner_v) {
                if (b > a) {
                    continue;
                }
                to = s->at_hd + dd_chain_hd_slot(p, i, j);
            } else if (inner_u) {
                to = s->at_hu + p->hu_table[i * s->ne + j] - 1;
            } else if (!inner_v) {
                to = s->at_hee + (s->program ? p->outer_table[i * s->ne + j] - 1 : i * s->ne + j);
            } else {
                continue;
            }
            product[made++] = (chain_product){to, first + a, first + b, weight};
            /* two entries at one variable */
            if (inner_u && inner_v && b < a && i == j) {
                product[made] = product[made - 1];
                made++;
            }
        }
    }
    return made;
}

/* Makes the entries of one condensed row known to H_DD and H_De. */
static void scan_row(chain_planner *p, const uint32_t *codes, uint32_t count)
{
    for (uint32_t a = 0; a < count; a++) {
        const uint32_t i = codes[a] & INDEX;
        for (uint32_t b = 0; b < count && codes[a] >> SHIFT == ROLE_D; b++) {
            if (codes[b] >> SHIFT == ROLE_D) {
                dd_chain_hd_slot(p, i, codes[b] & INDEX);
            } else {
                p->hu_table[i * p->ne + (codes[b] & INDEX)] = 1;
            }
        }
    }
}

/* ---- sparse shapes ---- */

/* Entries of [A | A_e] and, once A is known to be sparse, of H_ee and G_e. */
static void mark_entries(const chain_planner *p, const uint32_t *sign, const uint32_t *end, uint32_t *a_table,
                         uint32_t *outer_table)
{
    while (sign < end) {
        if (*sign == FROM_ROW) {
            for (uint32_t a = 0; a < sign[1]; a++) {
                for (uint32_t b = 0; b < sign[1]; b++) {
                    const uint32_t u = sign[2 + a], v = sign[2 + b];
                    if (u >> SHIFT != ROLE_D && v >> SHIFT != ROLE_D) {
                        outer_table[(u & INDEX) * p->ne + (v & INDEX)] = 1;
                    }
                }
            }
            sign += 2 + sign[1];
            continue;
        }
        const uint32_t area = sign[1] >> SHIFT, index = sign[1] & INDEX;
        if (area == AREA_A) {
            a_table[index] = 1;
        } else if (area == AREA_HEE || area == AREA_GE) {
            outer_table[index + (area == AREA_GE ? p->ne * p->ne : 0)] = 1;
        }
        sign += 2;
    }
}

/* Numbers A by rows, then A_e by columns. */
static void number_entries(chain_planner *p, chain_shape *s, uint32_t *table)
{
    chain_pool *pool = &p->c->plan;
    const uint32_t nd = p->nd, ne = p->ne, ld = nd + ne;
    size_t inner = 0, outer = 0;
    /* how many there are of each: lists of just that length */
    for (uint32_t i = 0; i < nd; i++) {
        for (uint32_t j = 0; j < ld; j++) {
            inner += j < nd && table[(size_t)i * ld + j];
            outer += j >= nd && table[(size_t)i * ld + j];
        }
    }
    uint32_t *a_ptr = dd_chain_take(pool, (size_t)nd + 1, sizeof *a_ptr),
             *a_col = dd_chain_take(pool, inner, sizeof *a_col);
    uint32_t *ae_ptr = dd_chain_take(pool, (size_t)ne + 1, sizeof *ae_ptr);
    uint32_t *ae_row = dd_chain_take(pool, outer, sizeof *ae_row);
    if (pool->failed) {
        return;
    }
    uint32_t count = 0;
    /* the table keeps 1 + the number of each entry, by which values find their places */
    for (uint32_t i = 0; i < nd; i++) {
        a_ptr[i] = count;
        for (uint32_t j = 0; j < nd; j++) {
            if (table[(size_t)i * ld + j]) {
                a_col[count++] = j;
                table[(size_t)i * ld + j] = count;
            }
        }
    }
    a_ptr[nd] = s->at_ae = count;
    for (uint32_t e = 0; e < ne; e++) {
        ae_ptr[e] = count - s->at_ae;
        for (uint32_t i = 0; i < nd; i++) {
            if (table[(size_t)i * ld + nd + e]) {
                ae_row[count++ - s->at_ae] = i;
                table[(size_t)i * ld + nd + e] = count;
            }
        }
    }
    ae_ptr[ne] = count - s->at_ae;
    s->a_ptr = a_ptr;
    s->a_col = a_col;
    s->ae_ptr = ae_ptr;
    s->ae_row = ae_row;
}

/* Numbers the entries outside that are there. */
static void number_outer(chain_planner *p, chain_shape *s, uint32_t *table)
{
    uint32_t *at = dd_chain_take(&p->c->plan, s->outs, sizeof *at);
    for (uint32_t i = 0; at && i < s->outs; i++) {
        if (table[i]) {
            at[s->outers++] = i;
            table[i] = s->outers;
        }
    }
    s->outer_at = at;
}

/* A program, where it pays. The tables stay with the planner until the shape is made. */
static void try_sparse(chain_planner *p, chain_shape *s, dd_work *w, const uint32_t *sign, const uint32_t *end)
{
    chain_pool *pool = &p->c->plan;
    const double nd = p->nd, dense = nd * nd * (nd / 3 + p->ne);
    s->nd = p->nd;
    s->ne = p->ne;
    s->ng = p->ng;
    s->outs = (p->ne + p->ng) * p->ne;
    /* small intervals are faster dense */
    if (p->nd < SPARSE_LEAST && !p->c->all_sparse) {
        return;
    }
    uint32_t *a_table = dd_work_array(w, (size_t)p->nd * (p->nd + p->ne), sizeof *a_table);
    uint32_t *outer_table = dd_work_array(w, s->outs, sizeof *outer_table);
    if (w->failed) {
        return;
    }
    mark_entries(p, sign, end, a_table, outer_table);
    number_entries(p, s, a_table);
    chain_program *program = dd_chain_take_zero(pool, 1, sizeof *program);
    const dd_status status = pool->failed ? DD_OUT_OF_MEMORY : dd_chain_program_make(program, pool, s, NULL);
    pool->failed |= status == DD_OUT_OF_MEMORY;
    /* fewer operations than the dense factorisation, weighted by what one costs */
    if (status == DD_OK && (p->c->all_sparse || sparse_slower * program->operations < dense)) {
        p->a_table = a_table;
        p->outer_table = outer_table;
        number_outer(p, s, outer_table);
        s->program = program;
    }
}

/* Makes all entries known before slots are fixed; counts the parts of condensed rows. */
static void scan(chain_planner *p, const uint32_t *sign, const uint32_t *end, size_t *rows, size_t *entries,
                 size_t *pairs)
{
    *rows = *entries = *pairs = 0;
    memset(p->hu_table, 0, (size_t)p->nd * p->ne * sizeof *p->hu_table);
    while (sign < end) {
        if (*sign != FROM_ROW) {
            if (sign[1] >> SHIFT == AREA_U) {
                p->hu_table[sign[1] & INDEX] = 1;
            }
            sign += 2;
            continue;
        }
        scan_row(p, sign + 2, sign[1]);
        ++*rows;
        *entries += sign[1];
        *pairs += (size_t)sign[1] * sign[1] * 2;
        sign += 2 + sign[1];
    }
    /* H_De by columns */
    p->hus = 0;
    for (uint32_t e = 0; e < p->ne; e++) {
        for (uint32_t i = 0; i < p->nd; i++) {
            uint32_t *known = &p->hu_table[i * p->ne + e];
            *known = *known ? ++p->hus : 0;
        }
    }
}

/* H_De by columns. */
static void sort_cross(chain_planner *p, chain_shape *s)
{
    chain_system *c = p->c;
    uint32_t *ptr = dd_chain_take(&c->plan, (size_t)p->ne + 1, sizeof *ptr);
    uint32_t *row = dd_chain_take(&c->plan, p->hus, sizeof *row);
    if (c->plan.failed) {
        return;
    }
    uint32_t count = 0;
    for (uint32_t e = 0; e < p->ne; e++) {
        ptr[e] = count;
        for (uint32_t i = 0; i < p->nd; i++) {
            if (p->hu_table[i * p->ne + e]) {
                row[count++] = i;
            }
        }
    }
    ptr[p->ne] = count;
    s->hu_ptr = ptr;
    s->hu_row = row;
}

/* Areas one after the other. */
static void lay_out(const chain_planner *p, chain_shape *s, size_t rows, size_t entries)
{
    s->ld = s->nd + s->ne;
    s->at_hu = s->program ? s->at_ae + s->ae_ptr[s->ne] : s->nd * s->ld;
    s->at_hd = s->at_hu + p->hus;
    s->at_g = s->at_hd + p->hds;
    s->at_row = s->at_g + p->gs;
    s->at_weight = s->at_row + (uint32_t)entries;
    s->at_u = s->at_weight + (uint32_t)rows;
    s->at_hee = s->at_u + (s->program ? 0 : s->nd * s->ne);
    s->at_ge = s->at_hee + s->ne * s->ne;
    s->total = s->at_hee + (s->program ? s->outers : s->outs);
    s->near = !s->program && s->total <= NEAR_MOST;
}

/* Entries are named by their place in a dense matrix. */
static uint32_t slot_of(const chain_planner *p, const chain_shape *s, uint32_t area, uint32_t index,
                        const uint32_t *g_order)
{
    switch (area) {
    case AREA_A:
        return p->a_table ? p->a_table[index] - 1 : index;
    case AREA_U:
        return s->at_hu + p->hu_table[index] - 1;
    case AREA_HD:
        return s->at_hd + p->hd_table[index] - 1;
    case AREA_G:
        return s->at_g + g_order[p->g_table[index] - 1];
    default:
        index += area == AREA_GE ? s->ne * s->ne : 0;
        return s->at_hee + (p->outer_table ? p->outer_table[index] - 1 : index);
    }
}

void dd_chain_make_shape(chain_planner *p, chain_shape *s)
{
    chain_system *c = p->c;
    const uint32_t *sign = p->sign + p->sign_at[p->k] + 3, *end = p->sign + p->sign_end[p->k];
    size_t rows, entries, pairs;
    dd_work w = {.ctx = c->base.ctx};
    p->a_table = p->outer_table = NULL;
    try_sparse(p, s, &w, sign, end);
    if (c->plan.failed || w.failed) {
        c->plan.failed = true;
        dd_work_free(&w);
        return;
    }
    scan(p, sign, end, &rows, &entries, &pairs);
    lay_out(p, s, rows, entries);
    const size_t sources = p->source_at[p->k + 1] - p->source_at[p->k];
    uint32_t *g_order = dd_work_array(&w, p->gs, sizeof *g_order);
    uint8_t *filled = dd_work_array(&w, s->total, sizeof *filled);
    uint32_t *slot = dd_chain_take(&c->plan, sources, sizeof *slot);
    uint32_t *zero = dd_chain_take(&c->plan, s->total, sizeof *zero);
    chain_product *product = dd_chain_take(&c->plan, pairs, sizeof *product);
    c->plan.failed |= w.failed;
    sort_inside(p, s, g_order);
    sort_cross(p, s);
    if (c->plan.failed) {
        dd_work_free(&w);
        return;
    }
    uint32_t at = 0, entry = s->at_row, weight = s->at_weight;
    while (sign < end) {
        if (*sign == FROM_ROW) {
            s->products += row_products(p, s, sign + 2, sign[1], product + s->products, entry, weight++);
            for (uint32_t i = 0; i < sign[1]; i++) {
                filled[entry] = 1;
                slot[at++] = entry++;
                s->count[FROM_ROW]++;
            }
            sign += 2 + sign[1];
            continue;
        }
        const uint32_t area = sign[1] >> SHIFT, index = sign[1] & INDEX;
        const uint32_t to = slot_of(p, s, area, index, g_order);
        slot[at++] = to | (filled[to] ? SLOT_ADD : 0);
        filled[to] = 1;
        s->count[*sign]++;
        sign += 2;
    }
    for (size_t r = 0; r < rows; r++) {
        filled[s->at_weight + r] = 1;
        slot[at++] = s->at_weight + (uint32_t)r;
        s->count[FROM_WEIGHT]++;
    }
    for (uint32_t i = 0; i < s->total; i++) {
        if (!filled[i] && !(i >= s->at_u && i < s->at_hee)) { /* U is a result */
            zero[s->zeros++] = i;
        }
    }
    s->slot = slot;
    s->sources = at;
    s->zero_slot = zero;
    s->product = product;
    dd_work_free(&w);
}
