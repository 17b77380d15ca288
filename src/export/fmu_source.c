/* fmu_source.c - the sources of an FMU: those of a C export, then tables, the instance and the interface. */
#include <string.h>

#include "export/fmu_impl.h"

/* ---- the start as a function of the parameters ---- */

/* The start of a state where it is a formula of parameters that the model fixes; else its number. */
static dd_expr start_of(dd_export *x, uint32_t j)
{
    const dd_model *m = x->system->model;
    const dd_variable *v = &m->vars.data[x->w.data[j].var];
    dd_expr_vec symbols = {0};
    if (j < x->nx && v->fixed && v->start != DD_EXPR_NONE) {
        dd_symbols(m->dag, v->start, true, &symbols, x->pool);
    }
    return symbols.len > 0 ? v->start : dd_num(m->dag, x->w0[j]);
}

static void add_starts(dd_export *x)
{
    dd_expr_vec values = {0}, parameters = {0};
    for (uint32_t j = 0; j < x->n; j++) {
        dd_vec_push(x->pool, &values, start_of(x, j));
    }
    for (uint32_t i = 0; i < x->p.len; i++) {
        dd_vec_push(x->pool, &parameters, x->p.data[i].symbol);
    }
    dd_c_add_function(&x->writer,
                      &(dd_c_function){.name = dd_pool_printf(x->pool, "%s_starts", x->name),
                                       .comment = "start values of w from the parameters",
                                       .arguments = &(dd_c_argument){"p", parameters.data, parameters.len, false},
                                       .n_arguments = 1,
                                       .results = &(dd_c_result){"out", values.data, values.len},
                                       .n_results = 1});
}

/* Does the start rest on more than the start values of states? */
static bool start_depends(const dd_export *x)
{
    const dd_model *m = x->system->model;
    bool depends = m->initial_rows.len > 0;
    for (uint32_t i = 0; i < x->y.len && !depends; i++) {
        bool state = false;
        for (uint32_t j = 0; j < x->nx; j++) {
            state = state || x->w.data[j].symbol == x->y.data[i].symbol;
        }
        depends = m->vars.data[x->y.data[i].var].fixed && !state;
    }
    return depends;
}

/* ---- tables ---- */

typedef uint32_t (*table_entry)(const dd_fmu *f, uint32_t i);

static void table(const dd_fmu *f, dd_text *out, const char *name, uint32_t n, table_entry entry)
{
    dd_text_printf(out, "static const int %s_%s[%u] = {", f->x->name, name, n > 0 ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        dd_text_printf(out, "%s%u", i == 0 ? "" : i % 20 == 0 ? ",\n    " : ", ", entry(f, i));
    }
    dd_text_add(out, n > 0 ? "};\n" : "0};\n");
}

static uint32_t indicated(const dd_fmu *f, uint32_t i)
{
    return f->indicated.data[i];
}

static uint32_t state_output(const dd_fmu *f, uint32_t j)
{
    return f->state_output[j];
}

static uint32_t start_fixed(const dd_fmu *f, uint32_t j)
{
    return f->x->system->model->vars.data[f->x->w.data[j].var].fixed;
}

static uint32_t parameter_free(const dd_fmu *f, uint32_t i)
{
    return !f->x->p.data[i].fixed && f->x->p.data[i].formula == DD_EXPR_NONE;
}

static uint32_t assertion_ends(const dd_fmu *f, uint32_t i)
{
    return !f->x->system->model->assertions.data[i].is_warning;
}

static void assertion_texts(const dd_fmu *f, dd_text *out)
{
    const dd_model *m = f->x->system->model;
    const uint32_t n = m->assertions.len;
    dd_text_printf(out, "static const char *const %s_assertion_text[%u] = {", f->x->name, n > 0 ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        dd_text_add(out, i > 0 ? ", \"" : "\"");
        for (const char *at = m->assertions.data[i].message; at && *at; at++) {
            const unsigned char c = (unsigned char)*at;
            dd_text_printf(out, c < 32 || c > 126 || c == '"' || c == '\\' || c == '?' ? "\\%03o" : "%c", c);
        }
        dd_text_add(out, "\"");
    }
    dd_text_add(out, n > 0 ? "};\n" : "\"\"};\n");
}

/* ---- files ---- */

static const char *source_text(dd_fmu *f)
{
    dd_export *x = f->x;
    const char *version = x->options.fmi == 3 ? "fmi3" : "fmi2";
    dd_text out = dd_text_new(x->pool);
    dd_text_add(&out, dd_export_source_text(x));
    /* what the instance needs to know of the model */
    dd_text_printf(&out, "\n#include <stdio.h>\n#include <stdlib.h>\n\n#include \"%s.h\"\n\n", version);
    dd_text_printf(
        &out, "#define %s_GUID \"%s\"\n#define %s_TOLERANCE %s\n#define %s_NG %u\n#define %s_START_DEPENDS %d\n",
        x->name, f->guid, x->name, dd_c_number(x->pool, x->tol), x->name, f->indicated.len, x->name, start_depends(x));
    table(f, &out, "indicated", f->indicated.len, indicated);
    table(f, &out, "state_output", x->nx, state_output);
    if (x->q->invariant_values.len > 0) {
        table(f, &out, "start_fixed", x->nx, start_fixed);
    }
    if (x->p.len > 0) {
        table(f, &out, "parameter_free", x->p.len, parameter_free);
    }
    table(f, &out, "assertion_ends", x->system->model->assertions.len, assertion_ends);
    assertion_texts(f, &out);
    /* the instance, and the interface around it */
    dd_text_add(&out, dd_export_runtime(x, "fmu.c"));
    dd_text_add(&out, dd_export_runtime(x, "fmu_steps.c"));
    dd_text_add(&out, dd_export_runtime(x, x->options.fmi == 3 ? "fmi3.c" : "fmi2.c"));
    if (x->options.fmi == 3) {
        dd_text_add(&out, dd_export_runtime(x, "fmi3_none.c"));
    }
    return dd_text_str(&out);
}

void dd_fmu_files(dd_fmu *f, dd_export_files *sources)
{
    dd_export *x = f->x;
    const char *header = x->options.fmi == 3 ? "fmi3.h" : "fmi2.h";
    add_starts(x);
    const char *source = source_text(f);
    dd_export_add_file(x, sources, dd_pool_printf(x->pool, "%s.h", x->name), dd_export_header_text(x));
    dd_export_add_file(x, sources, header, dd_export_runtime(x, header));
    dd_export_add_file(x, sources, dd_pool_printf(x->pool, "%s.c", x->name), source);
}
