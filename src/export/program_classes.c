/* program_classes.c - the tables of intervals: classes of equal ones, their bounds, and points that meet several. Start at
 * dd_program_class_tables. */
#include "export/program.h"

static void numbers(const dd_program_export *px, dd_text *out, const char *name, const double *values, uint32_t n)
{
    dd_export_double_table(px->x, out, name, values, n);
}

/* struct NAME_class, and the classes. */
static void class_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const char *n = px->x->name;
    dd_text_printf(
        out,
        "/* an interval: runtime tables of the program; equal intervals share one */\ntypedef struct %s_class "
        "{\n    int ",
        n);
#define X(name) dd_text_add(out, "" #name ", ");
    DD_SECTION_COUNTS(X)
#undef X
    dd_text_printf(out, "unused;\n    const %s_id ", n);
#define X(name) dd_text_add(out, "*" #name ", ");
    DD_SECTION_LISTS(X)
#undef X
    dd_text_add(out, "*none;\n    const double ");
#define X(name) dd_text_add(out, "*" #name ", ");
    DD_SECTION_NUMBERS(X)
#undef X
    dd_text_printf(out, "*nothing;\n} %s_class;\n\n", n);
    /* the lists of each class, then the classes that point at them */
    for (uint32_t i = 0; i < s->classes.len; i++) {
        const dd_section *c = &s->section[s->classes.data[i]];
#define X(name) dd_program_put_ids(px, out, dd_pool_printf(px->pool, "c%u_" #name, i), c->name.data, c->name.len);
        DD_SECTION_LISTS(X)
#undef X
#define X(name) numbers(px, out, dd_pool_printf(px->pool, "c%u_" #name, i), c->name.data, c->name.len);
        DD_SECTION_NUMBERS(X)
#undef X
    }
    dd_text_printf(out, "static const %s_class %s_classes[%u] = {\n", n, n, s->classes.len);
    for (uint32_t i = 0; i < s->classes.len; i++) {
        const dd_section *c = &s->section[s->classes.data[i]];
        dd_text_add(out, "    {");
#define X(name) dd_text_printf(out, "%u, ", c->name);
        DD_SECTION_COUNTS(X)
#undef X
        dd_text_add(out, "0, ");
#define X(name) dd_text_printf(out, "%s_c%u_" #name ", ", n, i);
        DD_SECTION_LISTS(X)
        dd_text_add(out, "0, ");
        DD_SECTION_NUMBERS(X)
#undef X
        dd_text_add(out, "0},\n");
    }
    dd_text_add(out, "};\n");
}

/* struct NAME_bounds, and those of all intervals. */
static void bounds_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    const char *n = px->x->name;
    for (uint32_t i = 0; i < s->bounds.len; i++) {
        const dd_section *c = &s->section[s->bounds.data[i]];
#define X(name) numbers(px, out, dd_pool_printf(px->pool, "b%u_" #name, i), c->name.data, c->name.len);
        DD_SECTION_BOUNDS(X)
#undef X
    }
    dd_text_printf(out,
                   "typedef struct %s_bounds {\n    int variables, rows;\n    const double *lower, *upper, *row_lower, "
                   "*row_upper;\n} %s_bounds;\nstatic const %s_bounds %s_bounds_list[%u] = {\n",
                   n, n, n, n, s->bounds.len);
    for (uint32_t i = 0; i < s->bounds.len; i++) {
        const dd_section *c = &s->section[s->bounds.data[i]];
        dd_text_printf(out, "    {%u, %u", c->owned, c->row_lower.len);
#define X(name) dd_text_printf(out, ", %s_b%u_" #name, n, i);
        DD_SECTION_BOUNDS(X)
#undef X
        dd_text_add(out, "},\n");
    }
    dd_text_add(out, "};\n");
    dd_program_put_ints(px, out, "bounds_of", s->bounds_of, s->n);
}

/* Lists of wide points; the others have no meaning for them. */
#define WIDE_LISTS(X)                                                                                                  \
    X(family)                                                                                                          \
    X(input_at)                                                                                                        \
    X(term_ptr)                                                                                                        \
    X(term_var)                                                                                                        \
    X(slot_at)                                                                                                         \
    X(slot_input)                                                                                                      \
    X(out_at)                                                                                                          \
    X(out_source)                                                                                                      \
    X(out_row)                                                                                                         \
    X(jac_at)                                                                                                          \
    X(jac_source)                                                                                                      \
    X(jac_to)                                                                                                          \
    X(grad_at)                                                                                                         \
    X(grad_source)                                                                                                     \
    X(grad_to)                                                                                                         \
    X(hes_at)                                                                                                          \
    X(hes_source)                                                                                                      \
    X(hes_to)
#define WIDE_NUMBERS(X)                                                                                                \
    X(term_factor)                                                                                                     \
    X(out_factor)                                                                                                      \
    X(jac_factor)                                                                                                      \
    X(grad_factor)                                                                                                     \
    X(hes_factor)

static void wide_tables(const dd_program_export *px, dd_text *out)
{
    const dd_section *c = &px->s->wide;
#define X(name) dd_program_put_ids(px, out, "wide_" #name, c->name.data, c->name.len);
    WIDE_LISTS(X)
#undef X
#define X(name) numbers(px, out, "wide_" #name, c->name.data, c->name.len);
    WIDE_NUMBERS(X)
#undef X
}

void dd_program_class_tables(const dd_program_export *px, dd_text *out)
{
    class_tables(px, out);
    bounds_tables(px, out);
    wide_tables(px, out);
}
