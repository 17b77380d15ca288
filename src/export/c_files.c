/* c_files.c - the files of a C export. */
#include <string.h>

#include "export/export_impl.h"

void dd_export_add_file(dd_export *x, dd_export_files *files, const char *path, const char *text)
{
    dd_vec_push(x->pool, files, (dd_export_file){path, text, strlen(text)});
}

static void list_items(dd_text *out, const char *title, const dd_export_items *items, uint32_t most)
{
    if (items->len == 0) {
        return;
    }
    dd_text_printf(out, "- %s (%u): ", title, items->len);
    for (uint32_t i = 0; i < items->len && i < most; i++) {
        dd_text_printf(out, "%s`%s`", i > 0 ? ", " : "", items->data[i].name);
    }
    dd_text_add(out, items->len > most ? ", ...\n" : "\n");
}

static const char *readme(dd_export *x)
{
    enum { MOST = 40 }; /* names; the header has them all */
    dd_text out = dd_text_new(x->pool);
    const bool is_explicit = x->tableau->structure == DD_TABLEAU_EXPLICIT;
    dd_text_add(&out, dd_export_runtime(x, "README.md"));
    dd_text_printf(&out, "\n## This model\n\n- steps by `%s` (order %u, %s)\n", x->tableau->name, x->tableau->order,
                   is_explicit ? "explicit" : "implicit, by Newton's method with a dense matrix");
    list_items(&out, "differential and algebraic unknowns `w`", &x->w, MOST);
    list_items(&out, "inputs `u`", &x->u, MOST);
    list_items(&out, "parameters `p`", &x->p, MOST);
    list_items(&out, "variables `y`", &x->y, MOST);
    dd_text_printf(&out, "- invariants: %u; conditions: %u\n", x->q->invariant_values.len, x->q->switches.len);
    return dd_text_str(&out);
}

void dd_export_c_files(dd_export *x, dd_export_files *files)
{
    const char *source = dd_export_source_text(x);
    dd_export_add_file(x, files, dd_pool_printf(x->pool, "%s.h", x->name), dd_export_header_text(x));
    dd_export_add_file(x, files, dd_pool_printf(x->pool, "%s.c", x->name), source);
    dd_export_add_file(x, files, "main.c", dd_export_runtime(x, "main.c"));
    dd_export_add_file(x, files, "CMakeLists.txt", dd_export_runtime(x, "CMakeLists.txt"));
    dd_export_add_file(x, files, "README.md", readme(x));
}
