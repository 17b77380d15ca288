/* ldl_symbolic.c - the fronts of an LDL^T factorisation: their rows, where the contributions of their children and the
 * entries of the matrix go, and how much room everything needs. */
#include <string.h>

#include "la/ldl_impl.h"

/* Room beyond that of a factorisation without delayed pivots, as a part of it. */
static const double spare_part = 0.25;
enum { SPARE = 256 }; /* and at least this many numbers */

static void *array(dd_ldl *f, size_t count, size_t size, bool *ok)
{
    void *at = dd_mem_new_array(f->ctx, count > 0 ? count : 1, size);
    *ok = *ok && at != NULL;
    return at;
}

static void free_array(dd_ldl *f, void *at, size_t count, size_t size)
{
    dd_mem_free(f->ctx, at, at != NULL ? (count > 0 ? count : 1) * size : 0);
}

dd_status dd_ldl_grow(dd_ldl *f, dd_ldl_room *room, size_t count)
{
    if (count <= room->count) {
        return DD_OK;
    }
    /* by a half at least, so that few calls do it */
    const size_t most = room->count + room->count / 2, wanted = count > most ? count : most;
    if (wanted > SIZE_MAX / room->size) {
        return dd_fail(f->ctx, DD_OUT_OF_MEMORY, "a sparse factorisation ran out of memory");
    }
    void *at = dd_mem_resize(f->ctx, room->at, room->count * room->size, wanted * room->size);
    if (at == NULL) {
        return dd_fail(f->ctx, DD_OUT_OF_MEMORY, "a sparse factorisation ran out of memory");
    }
    room->at = at;
    room->count = wanted;
    return DD_OK;
}

/* ---- rows ---- */

typedef struct rows_of {
    const uint32_t *ptr, *idx; /* rows of the lower triangle in the order of elimination: columns before */
    uint32_t *front;           /* n: of a position */
    uint32_t *mark;            /* fronts */
} rows_of;

/* Walks up from each entry of each row to the front of the row, and adds the row to the fronts that it passes: so the lists
 * are ascending. write: false counts only. */
static void collect_rows(dd_ldl *f, const rows_of *r, bool write)
{
    memset(r->mark, 0xff, f->fronts * sizeof *r->mark);
    for (uint32_t s = 0; s < f->fronts; s++) {
        f->node[s].below = 0;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        const uint32_t top = r->front[i];
        for (uint32_t e = r->ptr[i]; e < r->ptr[i + 1]; e++) {
            for (uint32_t s = r->front[r->idx[e]]; s != top && r->mark[s] != i; s = f->node[s].parent) {
                r->mark[s] = i;
                if (write) {
                    f->below[f->node[s].rows + f->node[s].below] = i;
                }
                f->node[s].below++;
            }
        }
    }
}

/* Tree, depths and children of the fronts. */
static void make_fronts(dd_ldl *f, const dd_ldl_tree *tree, uint32_t *front)
{
    for (uint32_t s = 0; s < f->fronts; s++) {
        dd_ldl_node *node = &f->node[s];
        *node = (dd_ldl_node){.first = tree->first[s],
                              .pivots = tree->first[s + 1] - tree->first[s],
                              .parent = tree->parent[s],
                              .child = DD_NO_INDEX,
                              .next = DD_NO_INDEX};
        for (uint32_t k = 0; k < node->pivots; k++) {
            front[node->first + k] = s;
        }
    }
    /* from the last down: first children come first, and parents before children */
    for (uint32_t s = f->fronts; s-- > 0;) {
        dd_ldl_node *node = &f->node[s];
        if (node->parent != DD_NO_INDEX) {
            dd_ldl_node *up = &f->node[node->parent];
            node->side = 1 - up->side;
            node->next = up->child;
            up->child = s;
        }
    }
}

/* Where the rows below are in the front of the parent. Both lists ascend. */
static void place_rows(dd_ldl *f)
{
    for (uint32_t s = 0; s < f->fronts; s++) {
        const dd_ldl_node *node = &f->node[s];
        if (node->parent == DD_NO_INDEX) {
            continue;
        }
        const dd_ldl_node *up = &f->node[node->parent];
        const uint32_t *of = f->below + up->rows;
        uint32_t k = 0;
        for (uint32_t i = 0; i < node->below; i++) {
            const uint32_t at = f->below[node->rows + i];
            if (at < up->first + up->pivots) {
                f->place[node->rows + i] = at - up->first;
                continue;
            }
            while (of[k] != at) {
                k++;
            }
            f->place[node->rows + i] = up->pivots + k;
        }
    }
}

/* Where each entry goes. where: position of an unknown; local: n. */
static void place_entries(dd_ldl *f, const dd_ldl_pattern *a, const uint32_t *where, const uint32_t *front,
                          uint32_t *local)
{
    /* entries by fronts: counted, then written; the column that is eliminated first decides */
    for (uint32_t c = 0; c < f->n; c++) {
        for (uint32_t e = a->ptr[c]; e < a->ptr[c + 1]; e++) {
            const uint32_t i = where[a->idx[e]], j = where[c];
            f->node[front[i < j ? i : j]].entries++;
        }
    }
    size_t sum = 0;
    for (uint32_t s = 0; s < f->fronts; s++) {
        sum += f->node[s].entries;
        f->node[s].entries = sum;
    }
    for (uint32_t c = f->n; c-- > 0;) {
        for (uint32_t e = a->ptr[c + 1]; e-- > a->ptr[c];) {
            const uint32_t i = where[a->idx[e]], j = where[c];
            const size_t to = --f->node[front[i < j ? i : j]].entries;
            f->entry[to] = e;
            f->row[to] = i < j ? j : i;
            f->col[to] = i < j ? i : j;
        }
    }
    /* local row numbers of one front at a time */
    for (uint32_t s = 0; s < f->fronts; s++) {
        const dd_ldl_node *node = &f->node[s];
        const size_t to = s + 1 < f->fronts ? f->node[s + 1].entries : f->nnz;
        const size_t ld = DD_LDL_ROUND(node->pivots + node->below);
        for (uint32_t k = 0; k < node->below; k++) {
            local[f->below[node->rows + k]] = node->pivots + k;
        }
        for (size_t k = node->entries; k < to; k++) {
            const uint32_t high = f->row[k], end = node->first + node->pivots;
            f->target[k] = (f->col[k] - node->first) * ld + (high < end ? high - node->first : local[high]);
        }
    }
}

/* ---- room ---- */

static size_t with_spare(size_t count)
{
    return count + (size_t)((double)count * spare_part) + SPARE;
}

/* Sizes of a factorisation without delayed pivots. */
static dd_status make_room(dd_ldl *f)
{
    size_t factor = 0, panel = 0, widest = 0, longest = 0, top[2] = {0, 0}, peak[2] = {0, 0};
    for (uint32_t s = 0; s < f->fronts; s++) {
        const dd_ldl_node *node = &f->node[s];
        const size_t ld = DD_LDL_ROUND(node->pivots + node->below), square = DD_LDL_ROUND(node->below) * node->below;
        factor += ld * node->pivots + 2 * (size_t)node->pivots;
        panel = ld * node->pivots > panel ? ld * node->pivots : panel;
        widest = node->pivots > widest ? node->pivots : widest;
        longest = ld > longest ? ld : longest;
        /* its contribution comes onto one stack, those of its children leave the other */
        f->done[s].contribution = top[node->side];
        top[node->side] += square;
        peak[node->side] = top[node->side] > peak[node->side] ? top[node->side] : peak[node->side];
        if (node->child != DD_NO_INDEX) {
            top[1 - node->side] = f->done[node->child].contribution;
        }
    }
    const struct {
        dd_ldl_room *room;
        size_t size, count;
    } list[] = {
        {&f->factor, sizeof(double), with_spare(factor)},    {&f->pivot, sizeof(uint32_t), with_spare(f->n)},
        {&f->stack[0], sizeof(double), with_spare(peak[0])}, {&f->stack[1], sizeof(double), with_spare(peak[1])},
        {&f->panel, sizeof(double), with_spare(panel)},      {&f->pivots, sizeof(double), with_spare(2 * widest)},
        {&f->sizes, sizeof(double), with_spare(longest)},    {&f->looks, sizeof(dd_ldl_look), with_spare(widest)},
    };
    dd_status st = DD_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && st == DD_OK; i++) {
        list[i].room->size = list[i].size;
        st = dd_ldl_grow(f, list[i].room, list[i].count);
    }
    return st;
}

/* ---- all of it ---- */

/* The entries of each row in the order of elimination; only those with a smaller column. end: n. */
static void permute_pattern(const dd_ldl_pattern *a, const uint32_t *where, uint32_t *ptr, uint32_t *idx, uint32_t *end)
{
    for (uint32_t c = 0; c < a->n; c++) {
        for (uint32_t e = a->ptr[c]; e < a->ptr[c + 1]; e++) {
            const uint32_t i = where[a->idx[e]], j = where[c];
            ptr[(i < j ? j : i) + 1] += i != j;
        }
    }
    for (uint32_t i = 0; i < a->n; i++) {
        ptr[i + 1] += ptr[i];
        end[i] = ptr[i];
    }
    for (uint32_t c = 0; c < a->n; c++) {
        for (uint32_t e = a->ptr[c]; e < a->ptr[c + 1]; e++) {
            const uint32_t i = where[a->idx[e]], j = where[c];
            if (i != j) {
                idx[end[i < j ? j : i]++] = i < j ? i : j;
            }
        }
    }
}

static dd_status make_pattern(dd_ldl *f, const dd_ldl_pattern *a, const dd_ldl_tree *tree)
{
    dd_work w = {.ctx = f->ctx};
    uint32_t *where = dd_work_array(&w, f->n, sizeof *where);
    uint32_t *front = dd_work_array(&w, f->n, sizeof *front);
    uint32_t *mark = dd_work_array(&w, f->n, sizeof *mark);
    uint32_t *ptr = dd_work_array(&w, (size_t)f->n + 1, sizeof *ptr);
    uint32_t *idx = dd_work_array(&w, f->nnz, sizeof *idx);
    bool ok = !w.failed;
    if (ok) {
        for (uint32_t k = 0; k < f->n; k++) {
            where[f->order[k]] = k;
        }
        make_fronts(f, tree, front);
        permute_pattern(a, where, ptr, idx, mark);
        /* counted, then written */
        const rows_of rows = {.ptr = ptr, .idx = idx, .front = front, .mark = mark};
        collect_rows(f, &rows, false);
        for (uint32_t s = 0; s < f->fronts; s++) {
            f->node[s].rows = f->rows;
            f->rows += f->node[s].below;
        }
        f->below = array(f, f->rows, sizeof *f->below, &ok);
        f->place = array(f, f->rows, sizeof *f->place, &ok);
        if (ok) {
            collect_rows(f, &rows, true);
            place_rows(f);
            place_entries(f, a, where, front, mark);
        }
    }
    dd_work_free(&w);
    return ok ? make_room(f) : DD_OUT_OF_MEMORY;
}

static dd_status make_order(dd_ldl *f, const dd_ldl_pattern *a)
{
    dd_work w = {.ctx = f->ctx};
    bool ok = true;
    f->order = array(f, f->n, sizeof *f->order, &ok);
    dd_ldl_tree tree = {.order = f->order,
                        .first = dd_work_array(&w, (size_t)f->n + 1, sizeof *tree.first),
                        .parent = dd_work_array(&w, f->n, sizeof *tree.parent)};
    dd_status st = ok && !w.failed ? dd_ldl_order(&tree, f->ctx, a) : DD_OUT_OF_MEMORY;
    if (st == DD_OK) {
        f->fronts = tree.fronts;
        f->node = array(f, f->fronts, sizeof *f->node, &ok);
        f->done = array(f, f->fronts, sizeof *f->done, &ok);
        st = ok ? make_pattern(f, a, &tree) : DD_OUT_OF_MEMORY;
    }
    dd_work_free(&w);
    return st;
}

static dd_status symbolic(dd_ldl *f, const dd_ldl_pattern *a)
{
    bool ok = true;
    f->entry = array(f, f->nnz, sizeof *f->entry, &ok);
    f->target = array(f, f->nnz, sizeof *f->target, &ok);
    f->row = array(f, f->nnz, sizeof *f->row, &ok);
    f->col = array(f, f->nnz, sizeof *f->col, &ok);
    f->scaled = array(f, f->nnz, sizeof *f->scaled, &ok);
    f->scale = array(f, f->n, sizeof *f->scale, &ok);
    f->noise = array(f, f->n, sizeof *f->noise, &ok);
    f->work = array(f, f->n, sizeof *f->work, &ok);
    f->zeros = array(f, f->n, sizeof *f->zeros, &ok);
    return ok ? make_order(f, a) : DD_OUT_OF_MEMORY;
}

dd_status dd_ldl_new(dd_ldl **out, dd_context *ctx, const dd_ldl_pattern *a)
{
    dd_ldl *f = dd_mem_new_array(ctx, 1, sizeof *f);
    *out = NULL;
    if (f == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    f->ctx = ctx;
    f->n = a->n;
    f->nnz = a->ptr[a->n];
    const dd_status st = symbolic(f, a);
    if (st != DD_OK) {
        dd_ldl_free(f);
        return st;
    }
    *out = f;
    return DD_OK;
}

void dd_ldl_free(dd_ldl *f)
{
    if (f == NULL) {
        return;
    }
    /* by unknowns, by entries, by fronts */
    free_array(f, f->order, f->n, sizeof *f->order);
    free_array(f, f->scale, f->n, sizeof *f->scale);
    free_array(f, f->noise, f->n, sizeof *f->noise);
    free_array(f, f->work, f->n, sizeof *f->work);
    free_array(f, f->zeros, f->n, sizeof *f->zeros);
    free_array(f, f->entry, f->nnz, sizeof *f->entry);
    free_array(f, f->target, f->nnz, sizeof *f->target);
    free_array(f, f->row, f->nnz, sizeof *f->row);
    free_array(f, f->col, f->nnz, sizeof *f->col);
    free_array(f, f->scaled, f->nnz, sizeof *f->scaled);
    free_array(f, f->node, f->fronts, sizeof *f->node);
    free_array(f, f->done, f->fronts, sizeof *f->done);
    free_array(f, f->below, f->rows, sizeof *f->below);
    free_array(f, f->place, f->rows, sizeof *f->place);
    /* what may have grown */
    dd_ldl_room *room[] = {&f->factor, &f->pivot,  &f->stack[0], &f->stack[1],
                           &f->panel,  &f->pivots, &f->sizes,    &f->looks};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        dd_mem_free(f->ctx, room[i]->at, room[i]->count * room[i]->size);
    }
    dd_mem_free(f->ctx, f, sizeof *f);
}
