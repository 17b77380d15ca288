/* export_impl.h - a model on its way to generated code, for the files of this folder.
 *
 *   dd_system -> dd_export (collect.c): symbols, start, relations, method
 *             -> functions as C (functions.c) -> NAME.h, NAME.c and what goes with them (c_files.c) -> a folder
 *             -> the same with the FMI interface and modelDescription.xml (fmu*.c) -> a zip file
 *
 * The code that is the same for all models (steps, projection, FMI) is in runtime/ and reads NAME where the prefix of
 * the model goes (runtime.c).
 */
#ifndef DD_EXPORT_EXPORT_IMPL_H
#define DD_EXPORT_EXPORT_IMPL_H

#include "daedal/export_code.h"
#include "dynamics/numbers.h"
#include "eval/c_code.h"
#include "eval/derivative.h"
#include "methods/tableau.h"

/* Something with a place in an array of the generated code. */
typedef struct dd_export_item {
    dd_expr symbol;
    uint32_t var;     /* of the model; DD_NO_INDEX: none */
    uint32_t order;   /* of the derivative, of inputs */
    const char *name; /* as the language writes it: p[1], der(u) */
    const char *c;    /* as C writes it: p_1, der_u */
    double start;     /* value at the start */
    bool fixed;       /* parameters: structural, may not change */
    dd_expr formula;  /* parameters: by others; DD_EXPR_NONE: independent */
} dd_export_item;
typedef DD_VEC(dd_export_item) dd_export_items;

/* A sparse matrix of derivatives: columns in the order v, w, u. */
typedef struct dd_export_matrix {
    const char *name; /* "residual" */
    dd_derivative *d;
} dd_export_matrix;

typedef struct dd_export {
    dd_context *ctx;
    const dd_system *system;
    dd_pool *pool;
    dd_export_options options;
    const char *name; /* prefix of everything generated, a C identifier */
    dd_numbers *q;
    dd_tableau *tableau;
    bool explicit_rates; /* x' = f(x, u, p, t), no z */
    uint32_t nx, nz, n;
    dd_export_items w, u, p, y; /* unknowns x and z, inputs, parameters, declared variables */
    dd_expr_vec v;              /* symbols of w' */
    dd_expr_vec modes;          /* nodes of the switches */
    dd_expr_vec moments;        /* per switch: at of a condition on time alone; DD_EXPR_NONE for others */
    double t0, stop, step, tol;
    double *w0, *v0, *mode0;
    dd_export_matrix residual, invariants, outputs, switching;
    dd_string_vec functions; /* names of the generated functions */
    dd_c_writer writer;
    uint32_t fingerprint; /* of the source, known to the header */
    dd_text result;
    struct dd_control *control; /* of optimization classes: what was made for them, and is freed with this */
    struct dd_ocp *ocp;
} dd_export;

/* ---- collect.c ---- */
/* Raises: DD_INVALID_MODEL or DD_INVALID_ARGUMENT for what cannot be exported. */
void dd_export_collect(dd_export *x);
/* The parameters alone, with their formulas, in x->p. Raises. */
void dd_export_collect_parameters(dd_export *x);
/* q's memory, the tableau. */
void dd_export_release(dd_export *x);

/* ---- names.c ---- */
/* A legal, unused C identifier for a name of the language; used ones are in the map of texts. */
const char *dd_export_c_name(dd_pool *pool, const char *name, dd_names *used);
/* The file's and functions' prefix: the model's name. */
const char *dd_export_prefix(dd_pool *pool, const char *model);

/* ---- functions.c ---- */
/* All functions of the model in x->writer; names them in x->functions. */
void dd_export_write_functions(dd_export *x);

/* ---- runtime.c ---- */
/* A file of runtime/ by its name ("step.c"), with NAME replaced. */
const char *dd_export_runtime(const dd_export *x, const char *file);

/* ---- c_source.c ---- */
/* static const double PREFIX_NAME[n], DECLARATION[n]; at least one number. */
void dd_export_double_table(const dd_export *x, dd_text *out, const char *name, const double *values, uint32_t n);
void dd_export_int_table(dd_text *out, const char *declaration, const uint32_t *values, uint32_t n);
/* PREFIX_NAME_name: the names of the language. */
void dd_export_name_table(const dd_export *x, dd_text *out, const char *name, const dd_export_items *items);
/* An enum of places in an array. */
void dd_export_places(const dd_export *x, dd_text *out, const char *prefix, const char *what,
                      const dd_export_items *items, uint32_t from, uint32_t to);
/* The source first: the header has its fingerprint. */
const char *dd_export_source_text(dd_export *x);
const char *dd_export_header_text(dd_export *x);

/* ---- c_files.c ---- */
typedef struct dd_export_file {
    const char *path; /* within the folder or archive, '/' between folders */
    const char *data;
    size_t length;
} dd_export_file;
typedef DD_VEC(dd_export_file) dd_export_files;
void dd_export_add_file(dd_export *x, dd_export_files *files, const char *path, const char *text);
void dd_export_c_files(dd_export *x, dd_export_files *files);

/* ---- fmu.c ---- */
/* The files of an FMU, with its binary; and the archive of them. */
void dd_export_fmu_files(dd_export *x, dd_export_files *files);
void dd_export_write_fmu(dd_export *x, const dd_export_files *files, const char *path);

/* ---- folder_write.c ---- */
/* A new folder: all files or none. An existing one: file by file, the first of the list last. Raises. */
void dd_export_write_folder(dd_export *x, const dd_export_files *files, const char *path);

#endif
