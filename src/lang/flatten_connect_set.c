/* flatten_connect_set.c - nodes of connectors, and the sets that connect joins them to (union-find). */
#include "lang/flatten_connect.h"

struct dd_connections *dd_connections_of(dd_flattener *fl)
{
    if (fl->connections == NULL) {
        fl->connections = dd_pool_alloc(fl->pool, sizeof *fl->connections);
        fl->connections->by_key = dd_map_new(fl->pool);
        fl->connections->checked = dd_map_new(fl->pool);
    }
    return fl->connections;
}

uint32_t dd_connect_node(dd_flattener *fl, const dd_member *leaf, uint32_t element, bool outside, dd_span span)
{
    /* a node is an array or an element of one, seen from one side; it is made on first mention */
    struct dd_connections *c = dd_connections_of(fl);
    uint32_t array = fl->decls.data[leaf->decl]->array;
    /* open addressing by hand: the map has one value per key, and two nodes may share a hash */
    uint64_t key = dd_hash_mix(dd_hash_mix(array + 1, element), outside ? 2 : 1);
    for (;; key++) { /* a key taken by another node moves on */
        uint32_t at = dd_map_get(&c->by_key, key);
        if (at == 0) {
            break;
        }
        const dd_connected *n = &c->nodes.data[at - 1];
        if (n->array == array && n->element == element && n->outside == outside) {
            return at - 1;
        }
    }
    uint32_t index = c->nodes.len;
    dd_connected node = {.parent = index,
                         .next = DD_NO_INDEX,
                         .last = index,
                         .array = array,
                         .element = element,
                         .outside = outside,
                         .leaf = leaf,
                         .span = span};
    dd_vec_push(fl->pool, &c->nodes, node);
    dd_map_put(&c->by_key, key, index + 1);
    return index;
}

/* An array in a connector is one node; an array of connectors that are variables has one for each element. */
uint32_t dd_connect_node_count(const dd_flattener *fl, const dd_member *leaf)
{
    const dd_array *a = &fl->m->arrays.data[fl->decls.data[leaf->decl]->array];
    return leaf->is_connector && a->ndim > 0 ? a->size : 1;
}

static uint32_t find_set(struct dd_connections *c, uint32_t n)
{
    /* path halving keeps the trees flat without recursion */
    while (c->nodes.data[n].parent != n) {
        c->nodes.data[n].parent = c->nodes.data[c->nodes.data[n].parent].parent;
        n = c->nodes.data[n].parent;
    }
    return n;
}

/* The older set keeps its place in the order. */
void dd_connect_join(struct dd_connections *c, uint32_t a, uint32_t b)
{
    uint32_t x = find_set(c, a), y = find_set(c, b);
    if (x == y) {
        return;
    }
    /* the smaller root wins, so the equations come in the order of the text; lists are joined in O(1) */
    uint32_t low = x < y ? x : y, high = x < y ? y : x;
    c->nodes.data[high].parent = low;
    c->nodes.data[c->nodes.data[low].last].next = high;
    c->nodes.data[low].last = c->nodes.data[high].last;
}
