/* c_source.c - NAME.h and NAME.c: sizes, names, tables, the functions of the model and the code that steps it. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "daedal/version.h"
#include "export/export_impl.h"

/* ---- tables ---- */

void dd_export_double_table(const dd_export *x, dd_text *out, const char *name, const double *values, uint32_t n)
{
    dd_text_printf(out, "static const double %s_%s[%u] = {", x->name, name, n > 0 ? n : 1);
    for (uint32_t i = 0; i < (n > 0 ? n : 1); i++) {
        dd_text_printf(out, "%s%s",
                       i == 0       ? ""
                       : i % 6 == 0 ? ",\n    "
                                    : ", ",
                       n > 0 ? dd_c_number(x->pool, values[i]) : "0.0");
    }
    dd_text_add(out, "};\n");
}

void dd_export_int_table(dd_text *out, const char *declaration, const uint32_t *values, uint32_t n)
{
    dd_text_printf(out, "%s[%u] = {", declaration, n > 0 ? n : 1);
    for (uint32_t i = 0; i < (n > 0 ? n : 1); i++) {
        dd_text_printf(out, "%s%u", i == 0 ? "" : i % 20 == 0 ? ",\n    " : ", ", n > 0 ? values[i] : 0);
    }
    dd_text_add(out, "};\n");
}

/* A string literal; bytes beyond ASCII and what C would read otherwise as octal escapes. */
static void literal(dd_text *out, const char *text)
{
    dd_text_add_char(out, '"');
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\' || c == '?') {
            dd_text_printf(out, "\\%c", c);
        } else if (c < 32 || c > 126) {
            dd_text_printf(out, "\\%03o", c);
        } else {
            dd_text_add_char(out, (char)c);
        }
    }
    dd_text_add_char(out, '"');
}

void dd_export_name_table(const dd_export *x, dd_text *out, const char *name, const dd_export_items *items)
{
    dd_text_printf(out, "const char *const %s_%s_name[%u] = {", x->name, name, items->len > 0 ? items->len : 1);
    for (uint32_t i = 0; i < items->len; i++) {
        dd_text_add(out, i == 0 ? "" : i % 6 == 0 ? ",\n    " : ", ");
        literal(out, items->data[i].name);
    }
    dd_text_add(out, items->len > 0 ? "};\n" : "0};\n");
}

static void pattern_tables(const dd_export *x, dd_text *out, const dd_export_matrix *m)
{
    dd_export_int_table(out, dd_pool_printf(x->pool, "const int %s_%s_ptr", x->name, m->name), m->d->ptr,
                        m->d->ncols + 1);
    dd_export_int_table(out, dd_pool_printf(x->pool, "const int %s_%s_row", x->name, m->name), m->d->idx,
                        m->d->ptr[m->d->ncols]);
}

/* ---- the header ---- */

void dd_export_places(const dd_export *x, dd_text *out, const char *prefix, const char *what,
                      const dd_export_items *items, uint32_t from, uint32_t to)
{
    if (to == from) {
        return;
    }
    dd_text_printf(out, "\n/* places of %s */\nenum {\n", what);
    for (uint32_t i = from; i < to; i++) {
        const dd_export_item *item = &items->data[i];
        dd_text_printf(out, "    %s_%s_%s = %u%s", x->name, prefix, item->c, i, i + 1 < to ? "," : "");
        dd_text_printf(out, "%s\n",
                       item->fixed                     ? " /* shapes the equations: must not change */"
                       : item->formula != DD_EXPR_NONE ? " /* follows from others */"
                                                       : "");
    }
    dd_text_add(out, "};\n");
}

static void sizes(const dd_export *x, dd_text *out)
{
    const dd_numbers *q = x->q;
    const dd_tableau *tab = x->tableau;
    const bool is_explicit = tab->structure == DD_TABLEAU_EXPLICIT;
    const struct {
        const char *name;
        uint32_t value;
        const char *what;
    } list[] = {
        {"NX", x->nx, "differential unknowns x"},
        {"NZ", x->nz, "algebraic unknowns z"},
        {"N", x->n, "both: w = (x, z)"},
        {"NU", x->u.len, "inputs u"},
        {"NP", x->p.len, "parameters p"},
        {"NY", x->y.len, "declared variables y"},
        {"NC", q->invariant_values.len, "invariants c"},
        {"NS", q->switches.len, "conditions"},
        {"NA", q->output_values.len - x->y.len, "assertions"},
        {"NNZ_RESIDUAL", x->residual.d->ptr[x->residual.d->ncols], "entries of the matrices of derivatives"},
        {"NNZ_INVARIANTS", x->invariants.d->ptr[x->invariants.d->ncols], ""},
        {"NNZ_OUTPUTS", x->outputs.d->ptr[x->outputs.d->ncols], ""},
        {"NNZ_SWITCHING", x->switching.d->ptr[x->switching.d->ncols], ""},
        {"IMPLICIT", !x->explicit_rates, "x' and z by solving equations"},
        {"EXPLICIT_METHOD", is_explicit, tab->name},
        {"STAGES", tab->stages, "of the method"},
        {"STIFFLY_ACCURATE", !is_explicit && tab->stiffly_accurate, "its last stage is the end of the step"},
        {"ROWS", is_explicit ? (x->options.fmi != 0 ? x->n : 0) : tab->stages * x->n, "of the largest linear system"},
        {"FMI", (uint32_t)x->options.fmi, "version of the FMU; 0: none"},
        {"ORDER", tab->order, "of the method"},
        {"ITERATIONS", x->options.iterations > 0 ? x->options.iterations : 10, "of Newton's method, at most"},
        {"SLOPE_ITERATIONS", 30, "the same for x' and z at a point"},
        {"PROJECTIONS", 5, "corrections onto the invariants, at most"},
    };
    /* those without a word on them follow the one above */
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dd_text_printf(out, "#define %s_%s %u", x->name, list[i].name, list[i].value);
        dd_text_printf(out, list[i].what[0] ? " /* %s */\n" : "%s\n", list[i].what);
    }
    dd_text_printf(out, "#define %s_START_TIME %s\n#define %s_STOP_TIME %s\n#define %s_STEP %s\n", x->name,
                   dd_c_number(x->pool, x->t0), x->name, dd_c_number(x->pool, x->stop), x->name,
                   dd_c_number(x->pool, x->step));
    dd_text_printf(out, "#define %s_EXPORT 0x%08xu /* of the sources that belong to this header */\n", x->name,
                   x->fingerprint);
    dd_text_printf(out, "#define %s_ROOM(n) ((n) > 0 ? (n) : 1)\n", x->name);
}

/* FILE.h: the part that is the same for all models is header.h of the runtime. */
const char *dd_export_header_text(dd_export *x)
{
    dd_text out = dd_text_new(x->pool);
    const char *n = x->name;
    dd_text_printf(&out,
                   "/* %s.h - the model %s as C99, generated by Daedal %s. Start at %s_init and %s_step. */\n"
                   "#ifndef %s_H\n#define %s_H\n\n#include <stddef.h>\n\n",
                   n, x->system->model->name, DD_VERSION, n, n, n, n);
    sizes(x, &out);
    dd_export_places(x, &out, "x", "x and z in w, of x' in v", &x->w, 0, x->w.len);
    dd_export_places(x, &out, "u", "inputs", &x->u, 0, x->u.len);
    dd_export_places(x, &out, "p", "parameters", &x->p, 0, x->p.len);
    dd_export_places(x, &out, "y", "declared variables", &x->y, 0, x->y.len);
    dd_text_add(&out, dd_export_runtime(x, "header.h"));
    dd_text_printf(
        &out,
        "\n/* ---- functions of the model: t, x', (x, z), inputs, parameters, conditions; arrays must not overlap "
        "---- */\n%s\n#endif\n",
        dd_text_str(&x->writer.prototypes));
    return dd_text_str(&out);
}

/* ---- the source ---- */

static const char *kind_name(const dd_switch *s)
{
    switch (s->kind) {
    case DD_SWITCH_RELATION:
        return s->holds_at_zero ? "RELATION_OR_EQUAL" : "RELATION";
    case DD_SWITCH_FLOOR:
        return "FLOOR";
    case DD_SWITCH_SIGN:
        return "SIGN";
    default:
        return "NUMBER";
    }
}

static void switch_tables(const dd_export *x, dd_text *out)
{
    const dd_switch_vec *list = &x->q->switches;
    dd_text_printf(out, "const int %s_kind[%u] = {", x->name, list->len > 0 ? list->len : 1);
    if (list->len == 0) {
        dd_text_add(out, "0};\n");
        return;
    }
    for (uint32_t i = 0; i < list->len; i++) {
        dd_text_printf(out, "%s%s_%s", i > 0 ? ", " : "", x->name, kind_name(&list->data[i]));
    }
    dd_text_printf(out, "};\nstatic const int %s_rising[%u] = {", x->name, list->len);
    for (uint32_t i = 0; i < list->len; i++) {
        dd_text_printf(out, "%s%d", i > 0 ? ", " : "", list->data[i].rate > 0);
    }
    dd_text_add(out, "};\n");
}

static void start_tables(const dd_export *x, dd_text *out)
{
    const dd_export_items *lists[] = {&x->u, &x->p};
    static const char *const names[] = {"start_u", "start_p"};
    dd_export_double_table(x, out, "start_w", x->w0, x->n);
    dd_export_double_table(x, out, "start_v", x->v0, x->n);
    for (int k = 0; k < 2; k++) {
        double *values = dd_pool_alloc_array(x->pool, lists[k]->len + 1, sizeof *values);
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            values[i] = lists[k]->data[i].start;
        }
        dd_export_double_table(x, out, names[k], values, lists[k]->len);
    }
    dd_export_double_table(x, out, "start_mode", x->mode0, x->q->switches.len);
}

/* Coefficients of the method, and sizes of unknowns where they are used. */
static void method_tables(const dd_export *x, dd_text *out)
{
    const dd_tableau *tab = x->tableau;
    dd_export_double_table(x, out, "a", tab->A, tab->stages * tab->stages);
    dd_export_double_table(x, out, "b", tab->b, tab->stages);
    dd_export_double_table(x, out, "node", tab->c, tab->stages);
    if (tab->structure != DD_TABLEAU_EXPLICIT || x->q->invariant_values.len > 0 || !x->explicit_rates ||
        x->options.fmi != 0) {
        dd_export_double_table(x, out, "nominal", x->q->problem.nominal, x->n);
    }
}

/* Everything behind the includes. */
static const char *body_text(dd_export *x)
{
    dd_text out = dd_text_new(x->pool);
    dd_export_name_table(x, &out, "x", &x->w);
    dd_export_name_table(x, &out, "u", &x->u);
    dd_export_name_table(x, &out, "p", &x->p);
    dd_export_name_table(x, &out, "y", &x->y);
    dd_text_add(&out, "\n/* derivatives by x', (x, z), u: column by column */\n");
    pattern_tables(x, &out, &x->residual);
    pattern_tables(x, &out, &x->invariants);
    pattern_tables(x, &out, &x->outputs);
    pattern_tables(x, &out, &x->switching);
    dd_text_printf(&out, "\n/* the method %s, the start, the conditions */\n", x->tableau->name);
    method_tables(x, &out);
    start_tables(x, &out);
    switch_tables(x, &out);
    dd_text_add(&out, "\n");
    dd_c_helpers(&x->writer, &out);
    dd_text_add(&out, dd_text_str(&x->writer.code));
    dd_text_add(&out, dd_export_runtime(x, "model.c"));
    return dd_text_str(&out);
}

const char *dd_export_source_text(dd_export *x)
{
    dd_text out = dd_text_new(x->pool);
    const char *body = body_text(x);
    x->fingerprint = (uint32_t)dd_hash_bytes(body, strlen(body));
    dd_text_printf(
        &out,
        "/* %s.c - the model %s as C99, generated by Daedal %s: tables, functions of the model, steps. */\n"
        "#include \"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <string.h>\n\n"
        "#if %s_EXPORT != 0x%08xu\n#error \"%s.h and %s.c are of different exports: export again\"\n#endif\n\n",
        x->name, x->system->model->name, DD_VERSION, x->name, x->name, x->fingerprint, x->name, x->name);
    dd_text_add(&out, body);
    return dd_text_str(&out);
}
