/* choice.c - which variables a page shows when nobody asked for some by name.
 *
 * Outputs, states, inputs, then the rest. What is constant during the run goes into a table; what equals another
 * variable at every row (aliases, copies in connectors) is named there too. The same scalar of all parts of an array
 * (wall[:].Q) is a figure; other scalars of one unit and similar size share one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "report/panel_private.h"

static const double ROUNDING = 1e-12; /* of the size: what arithmetic leaves of a value that does not change */
static const double UNITLESS = 1e-14; /* the same where no unit says what is alike: a unit quaternion's, not more */

typedef enum fate { FATE_SHOWN, FATE_CONSTANT, FATE_COPY } fate;

typedef struct facts {
    fate fate;
    uint32_t same_as; /* copy: of this column */
    bool negated;
    double size;     /* largest absolute value */
    uint64_t family; /* of the same scalar in the parts of an array; 0: none */
    bool noise;      /* constant but for rounding about zero */
    uint32_t depth;  /* dots in its name: copies are deeper than what they are copies of */
} facts;

typedef struct unit_size {
    const char *name;
    double largest; /* absolute value of a variable with this unit */
} unit_size;

typedef struct choice {
    const dd_curves *c;
    dd_pool *pool;
    facts *facts;
    uint32_t *order; /* columns, those to be preferred first */
    uint32_t n;
} choice;

/* ---- facts about columns ---- */

static double value_at(const choice *w, uint64_t row, uint32_t column)
{
    return dd_table_row(w->c->table, row)[1 + column];
}

/* Row after row, as the table lies in memory: columns of a long one would miss the caches at every value. */
static void look_at_all(choice *w)
{
    double *low = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *low),
           *high = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *high);
    for (uint32_t c = 0; c < w->n; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (uint64_t i = 0; i < w->c->table->count; i++) {
        const double *value = dd_table_row(w->c->table, i) + 1;
        for (uint32_t c = 0; c < w->n; c++) {
            low[c] = value[c] < low[c] ? value[c] : low[c]; /* what is not a number is passed over */
            high[c] = value[c] > high[c] ? value[c] : high[c];
        }
    }
    for (uint32_t c = 0; c < w->n; c++) {
        facts *f = &w->facts[c];
        f->size = fmax(fabs(low[c]), fabs(high[c]));
        f->fate = high[c] - low[c] <= ROUNDING * f->size ? FATE_CONSTANT : FATE_SHOWN;
        for (const char *name = w->c->table->columns[c].name; *name; name++) {
            f->depth += *name == '.' ? 1 : 0;
        }
    }
}

/* What is tiny beside everything of its unit is rounding about zero: the current into a ground. Without a unit only
 * variables of parts are judged. */
static void find_noise(choice *w)
{
    DD_VEC(unit_size) units = {0};
    uint32_t *unit_of = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *unit_of);
    for (uint32_t i = 0; i < w->n; i++) {
        const char *name = dd_panel_unit(w->c, i);
        uint32_t k = 0;
        while (k < units.len && strcmp(units.data[k].name, name) != 0) {
            k++;
        }
        if (k == units.len) {
            dd_vec_push(w->pool, &units, ((unit_size){name, 0}));
        }
        units.data[k].largest = fmax(units.data[k].largest, w->facts[i].size);
        unit_of[i] = k;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        facts *f = &w->facts[i];
        const unit_size *unit = &units.data[unit_of[i]];
        const double rounding = unit->name[0] != '\0' ? ROUNDING : f->depth > 0 ? UNITLESS : 0;
        if (f->fate == FATE_SHOWN && f->size < rounding * unit->largest) {
            f->fate = FATE_CONSTANT;
            f->noise = true;
        }
    }
}

/* Equal but for rounding, or one minus the other: a torque that is handed on through a joint. */
static bool is_copy(const choice *w, uint32_t a, uint32_t b, bool *negated)
{
    bool same = true, opposite = true;
    const double off = ROUNDING * w->facts[a].size;
    for (uint64_t i = 0; i < w->c->table->count && (same || opposite); i++) {
        const double x = value_at(w, i, a), y = value_at(w, i, b);
        same = same && fabs(x - y) <= off;
        opposite = opposite && fabs(x + y) <= off;
    }
    *negated = !same;
    return same || opposite;
}

/* Roles first, then names with fewer dots, then the order of declaration. */
static bool is_before(const choice *w, uint32_t a, uint32_t b)
{
    const dd_curve *x = &w->c->columns[a], *y = &w->c->columns[b];
    if (x->role != y->role) {
        return x->role < y->role;
    }
    return w->facts[a].depth != w->facts[b].depth ? w->facts[a].depth < w->facts[b].depth : a < b;
}

typedef struct place {
    const choice *w;
    uint32_t column;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return is_before(x->w, x->column, y->column) ? -1 : is_before(x->w, y->column, x->column) ? 1 : 0;
}

static void put_in_order(choice *w)
{
    place *places = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *places);
    for (uint32_t i = 0; i < w->n; i++) {
        places[i] = (place){w, i};
    }
    qsort(places, w->n, sizeof *places, compare_places);
    for (uint32_t i = 0; i < w->n; i++) {
        w->order[i] = places[i].column;
    }
}

static int compare_sizes(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const double p = x->w->facts[x->column].size, q = y->w->facts[y->column].size;
    return p < q ? -1 : p > q ? 1 : x->column < y->column ? -1 : x->column > y->column ? 1 : 0;
}

/* Copies are of one size: in the order of sizes they are near each other. */
static void find_copies(choice *w)
{
    enum { NEIGHBOURS = 200 }; /* that are looked at: many variables may be of size 1 */
    const double alike = 1 - 2 * ROUNDING;
    place *by_size = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *by_size);
    uint32_t *at = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *at),
             *rank = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *at);
    for (uint32_t i = 0; i < w->n; i++) {
        by_size[i] = (place){w, i};
        rank[w->order[i]] = i;
    }
    qsort(by_size, w->n, sizeof *by_size, compare_sizes);
    for (uint32_t i = 0; i < w->n; i++) {
        at[by_size[i].column] = i;
    }
    /* those to be preferred first: they are the originals */
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t column = w->order[i], here = at[column];
        facts *f = &w->facts[column];
        for (int direction = -1; direction <= 1; direction += 2) {
            uint32_t k = here;
            for (uint32_t looked = 0; looked < NEIGHBOURS && f->fate == FATE_SHOWN; looked++) {
                k = direction < 0 ? k - 1 : k + 1; /* below 0: beyond n */
                if (k >= w->n || fmin(f->size, w->facts[by_size[k].column].size) <
                                     alike * fmax(f->size, w->facts[by_size[k].column].size)) {
                    break;
                }
                const uint32_t other = by_size[k].column;
                if (rank[other] < i && w->facts[other].fate == FATE_SHOWN && is_copy(w, column, other, &f->negated)) {
                    f->fate = FATE_COPY;
                    f->same_as = other;
                }
            }
        }
    }
}

/* The columns of the array that a column belongs to: from here to *end - 1. */
static uint32_t array_begin(const choice *w, uint32_t column, uint32_t *end)
{
    const uint32_t array = w->c->columns[column].array;
    uint32_t i = column;
    while (i > 0 && w->c->columns[i - 1].array == array) {
        i--;
    }
    for (*end = column + 1; *end < w->n && w->c->columns[*end].array == array; (*end)++) {
    }
    return i;
}

/* An array is shown as a whole, or not at all. */
static bool array_is_shown(const choice *w, uint32_t column)
{
    uint32_t end;
    for (uint32_t i = array_begin(w, column, &end); i < end; i++) {
        if (w->facts[i].fate == FATE_SHOWN) {
            return true;
        }
    }
    return false;
}

static bool array_is_drawn(const choice *w, const bool *out, uint32_t column)
{
    uint32_t end;
    for (uint32_t i = array_begin(w, column, &end); i < end; i++) {
        if (!out[i]) {
            return true;
        }
    }
    return false;
}

static bool is_element(const choice *w, uint32_t column)
{
    const dd_curve *k = w->c->columns;
    return (column > 0 && k[column - 1].array == k[column].array) ||
           (column + 1 < w->n && k[column + 1].array == k[column].array);
}

/* Names that differ in the subscripts of parts alone, as wall[1].Q and wall[2].Q do, have one number; 0: no subscripts. */
static uint64_t family_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    bool subscripts = false;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
        if (*name == '[') {
            subscripts = true;
            name += strcspn(name, "]") - 1;
        }
    }
    return subscripts ? hash | 1 : 0;
}

static int compare_families(const void *a, const void *b)
{
    const place *x = a, *y = b;
    const uint64_t p = x->w->facts[x->column].family, q = y->w->facts[y->column].family;
    return p < q ? -1 : p > q ? 1 : 0;
}

/* Scalars that the figures show; a family of one is none. */
static void find_families(choice *w)
{
    place *places = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *places);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->facts[i].fate == FATE_SHOWN && !is_element(w, i)) {
            w->facts[i].family = family_of(w->c->table->columns[i].name);
            places[count++] = (place){w, i};
        }
    }
    qsort(places, count, sizeof *places, compare_families);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_families(&places[i], &places[end]) == 0; end++) {
        }
        if (end == i + 1) {
            w->facts[places[i].column].family = 0;
        }
    }
}

/* ---- figures ---- */

static const char *leaf_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

/* May b stand in a figure with a? Of one unit, or of one name in several parts; of similar size; with the same bounds. */
static bool belongs_with(const choice *w, uint32_t a, uint32_t b)
{
    const double similar = 30;
    const dd_curve *x = &w->c->columns[a], *y = &w->c->columns[b];
    const char *p = w->c->table->columns[a].name, *q = w->c->table->columns[b].name;
    const char *unit = dd_panel_unit(w->c, a);
    const bool same_leaf = strchr(p, '.') != NULL && strcmp(leaf_of(p), leaf_of(q)) == 0;
    const bool same_unit = strcmp(unit, dd_panel_unit(w->c, b)) == 0;
    const double s = w->facts[a].size, t = w->facts[b].size;
    return x->role == y->role && same_unit && (unit[0] != '\0' || same_leaf) && s <= similar * t && t <= similar * s &&
           x->lower == y->lower && x->upper == y->upper && x->length == y->length;
}

static const char *title_of_group(const choice *w, const dd_panel *p)
{
    enum { LISTED = 4 };
    const char *first = w->c->table->columns[p->columns.data[0]].name;
    bool one_leaf = strchr(first, '.') != NULL;
    dd_text names = dd_text_new(w->pool);
    for (uint32_t i = 0; i < p->columns.len; i++) {
        const char *name = w->c->table->columns[p->columns.data[i]].name;
        one_leaf = one_leaf && strcmp(leaf_of(name), leaf_of(first)) == 0;
        if (i < LISTED) {
            dd_text_printf(&names, "%s%s", i > 0 ? ", " : "", name);
        }
    }
    if (one_leaf) {
        return leaf_of(first);
    }
    if (p->columns.len > LISTED) {
        dd_text_add(&names, ", ...");
    }
    return dd_text_str(&names);
}

/* wall[1].Q: wall[:].Q, as --show reads it. */
static const char *title_of_family(const choice *w, uint32_t column)
{
    dd_text title = dd_text_new(w->pool);
    for (const char *name = w->c->table->columns[column].name; *name != '\0'; name++) {
        dd_text_add_char(&title, *name);
        if (*name == '[') {
            dd_text_add(&title, ":");
            name += strcspn(name, "]") - 1;
        }
    }
    return dd_text_str(&title);
}

/* The same scalar of all parts of an array, in its order: as many of them as there are colours. The whole family is
 * marked as done. False, and nothing is: it has no family. */
static bool family_figure(choice *w, uint32_t i, bool *done, dd_page_figure *f)
{
    const uint32_t first = w->order[i];
    const uint64_t family = w->facts[first].family;
    dd_panel all = {.kind = DD_PANEL_LINES}, p = {.kind = DD_PANEL_LINES};
    for (uint32_t k = i; k < w->n && family != 0; k++) {
        const uint32_t column = w->order[k];
        if (!done[column] && w->facts[column].fate == FATE_SHOWN && !is_element(w, column) &&
            w->c->columns[column].role == w->c->columns[first].role && w->facts[column].family == family) {
            dd_vec_push(w->pool, &all.columns, column);
        }
    }
    if (all.columns.len < 2) {
        return false;
    }
    const uint32_t count = all.columns.len, shown = count < DD_PLOT_COLOURS ? count : DD_PLOT_COLOURS;
    for (uint32_t k = 0; k < count; k++) {
        done[all.columns.data[k]] = true;
    }
    for (uint32_t k = 0; k < shown; k++) { /* the first, the last, and some between them */
        dd_vec_push(w->pool, &p.columns, all.columns.data[(size_t)k * (count - 1) / (shown - 1)]);
    }
    dd_figure_vec out = {0};
    dd_curves_figures(w->c, first, first + 1, NULL, 1, &out, w->pool); /* bounds and times as of the first */
    *f = out.data[0];
    f->plot.lines = dd_panel_plot(w->c, &p, w->pool).lines;
    f->plot.n_lines = shown;
    f->title = title_of_family(w, first);
    f->note = shown < count ? dd_pool_printf(w->pool, "%u of %u shown", shown, count) : "";
    return true;
}

/* Scalars of one figure: those behind `i` in the order that belong with it. They are marked as done. */
static dd_page_figure group_figure(choice *w, uint32_t i, bool *done)
{
    dd_panel p = {.kind = DD_PANEL_LINES};
    const uint32_t first = w->order[i];
    for (uint32_t k = i; k < w->n && p.columns.len < DD_PLOT_COLOURS; k++) {
        const uint32_t column = w->order[k];
        if (!done[column] && w->facts[column].fate == FATE_SHOWN && !is_element(w, column) &&
            (k == i || (belongs_with(w, first, column) && w->facts[column].family == 0))) {
            dd_vec_push(w->pool, &p.columns, column);
            done[column] = true;
        }
    }
    const bool one = p.columns.len == 1;
    dd_figure_vec out = {0};
    dd_curves_figures(w->c, first, first + 1, NULL, 1, &out, w->pool); /* bounds and times as of the first */
    dd_page_figure f = out.data[0];
    f.plot.lines = dd_panel_plot(w->c, &p, w->pool).lines;
    f.plot.n_lines = p.columns.len;
    f.title = one ? f.title : title_of_group(w, &p);
    f.doc = one ? f.doc : "";
    return f;
}

static dd_page_figure array_figure(choice *w, uint32_t column, bool *done)
{
    uint32_t end;
    const uint32_t first = array_begin(w, column, &end);
    for (uint32_t i = first; i < end; i++) {
        done[i] = true;
    }
    dd_figure_vec out = {0};
    dd_curves_figures(w->c, first, end, NULL, 1, &out, w->pool);
    return out.data[0];
}

static void add_role(choice *w, dd_page_writer *page, dd_curve_role role, uint32_t *room, bool *done)
{
    static const char *const headings[DD_ROLES] = {"Outputs", "States", "Inputs", "Other variables"};
    bool begun = false;
    for (uint32_t i = 0; i<w->n && * room> 0; i++) {
        const uint32_t column = w->order[i];
        if (w->c->columns[column].role != role || done[column] || !array_is_shown(w, column)) {
            continue;
        }
        if (!begun) {
            dd_page_section(page, headings[role]);
            begun = true;
        }
        dd_page_figure f;
        if (is_element(w, column)) {
            f = array_figure(w, column, done);
        } else if (!family_figure(w, i, done, &f)) {
            f = group_figure(w, i, done);
        }
        dd_page_add_figure(page, &f);
        (*room)--;
    }
}

/* ---- what is not drawn ---- */

/* Two tables: a constant by its value, a copy by the name of its original, but for what is done. Returns how many found no
 * place. */
static uint32_t rest_tables(const choice *w, const bool *done, dd_page_table *tables)
{
    enum { MOST = 60 };
    DD_VEC(dd_page_row) constants = {0};
    DD_VEC(dd_page_row) copies = {0};
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const uint32_t k = w->order[i];
        const facts *f = &w->facts[k];
        const char *name = w->c->table->columns[k].name;
        if (done[k]) {
            continue;
        }
        if (f->fate == FATE_CONSTANT && constants.len < MOST) {
            const char *unit = dd_panel_unit(w->c, k);
            const dd_page_row row = {name, dd_pool_printf(w->pool, "%.6g%s%s", f->noise ? 0 : value_at(w, 0, k),
                                                          unit[0] != '\0' ? " " : "", unit)};
            dd_vec_push(w->pool, &constants, row);
        } else if (f->fate == FATE_COPY && copies.len < MOST) {
            const dd_page_row row = {name, dd_pool_printf(w->pool, "%s%s", f->negated ? "\xE2\x88\x92" : "",
                                                          w->c->table->columns[f->same_as].name)};
            dd_vec_push(w->pool, &copies, row);
        } else {
            left_out++;
        }
    }
    tables[0] = (dd_page_table){"Constant during the run", "", constants.data, constants.len};
    tables[1] = (dd_page_table){"Equal to another variable", "", copies.data, copies.len};
    return left_out;
}

static void add_rest(const choice *w, dd_page_writer *page, const bool *done)
{
    dd_page_table tables[2];
    const uint32_t left_out = rest_tables(w, done, tables);
    if (tables[0].count + tables[1].count > 0) {
        dd_page_section(page, "Constants and copies");
    }
    dd_page_add_table(page, &tables[0]);
    dd_page_add_table(page, &tables[1]);
    if (left_out > 0) {
        dd_page_add_note(page,
                         dd_pool_printf(w->pool, "%u more variables are not drawn; the trajectory has all.", left_out));
    }
}

/* The facts about all columns, and their order. */
static choice new_choice(const dd_curves *c, dd_pool *pool)
{
    choice w = {.c = c, .pool = pool, .n = c->table->width - 1};
    w.facts = dd_pool_alloc_array(pool, w.n + 1, sizeof *w.facts);
    w.order = dd_pool_alloc_array(pool, w.n + 1, sizeof *w.order);
    memset(w.facts, 0, (w.n + 1) * sizeof *w.facts);
    look_at_all(&w);
    find_noise(&w);
    put_in_order(&w);
    find_copies(&w);
    return w;
}

uint32_t dd_curves_leave_out(dd_curves *c, uint32_t first, uint32_t end, dd_page_table *tables, dd_pool *pool)
{
    const choice w = new_choice(c, pool);
    dd_check_stop(dd_pool_context(pool));
    bool *out = dd_pool_alloc_array(pool, w.n + 1, sizeof *out), *in = dd_pool_alloc_array(pool, w.n + 1, sizeof *in);
    for (uint32_t i = 0; i < w.n; i++) {
        const bool bounded = isfinite(c->columns[i].lower) || isfinite(c->columns[i].upper);
        out[i] = i >= first && i < end && !bounded && w.facts[i].fate != FATE_SHOWN;
    }
    c->left_out = out;
    /* an array is drawn as a whole where one of its elements is */
    for (uint32_t i = 0; i < w.n; i++) {
        in[i] = !out[i] || array_is_drawn(&w, out, i);
    }
    return rest_tables(&w, in, tables);
}

const uint32_t *dd_curves_order(const dd_curves *c, dd_pool *pool)
{
    const choice w = new_choice(c, pool);
    uint32_t *order = dd_pool_alloc_array(pool, w.n + 1, sizeof *order), n = 0;
    for (fate wanted = FATE_SHOWN; wanted <= FATE_COPY; wanted++) {
        for (uint32_t i = 0; i < w.n; i++) {
            if (w.facts[w.order[i]].fate == wanted) {
                order[n++] = w.order[i];
            }
        }
    }
    return order;
}

void dd_choice_page(dd_page_writer *page, const dd_curves *c, uint32_t most, dd_pool *pool)
{
    choice w = new_choice(c, pool);
    dd_check_stop(dd_pool_context(pool));
    bool *done = dd_pool_alloc_array(pool, w.n + 1, sizeof *done);
    memset(done, 0, (w.n + 1) * sizeof *done);
    find_families(&w);
    dd_page_figure map;
    if (dd_curves_map(c, &map, pool)) {
        dd_page_section(page, "Path");
        dd_page_add_figure(page, &map);
    }
    for (uint32_t role = 0; role < DD_ROLES; role++) {
        add_role(&w, page, (dd_curve_role)role, &most, done);
    }
    add_rest(&w, page, done);
}
