/* program.h - an optimization class on its way to generated code: a controller (nmpc) or a solver.
 *
 *   dd_control or dd_ocp, solved once -> its transcription -> dd_sections (sections.h)
 *     -> functions as C (program_functions.c), tables (program_tables.c), files (program_files.c)
 *
 * The solver itself is the same for all classes and in runtime/: program.c, wide.c, kkt.c, ip.c; for real-time iterations
 * also condensed.c and dense_qp.c; controller.c or solver.c around it. */
#ifndef DD_EXPORT_PROGRAM_H
#define DD_EXPORT_PROGRAM_H

#include "control/controller.h"
#include "export/export_impl.h"
#include "export/sections.h"

/* Rows and bounds that give way, in groups from 1 on; 0 stays as it is. */
typedef struct dd_program_soft {
    uint32_t count;
    uint32_t *variable, *row; /* per variable and row of the generated program: its group */
    double *factor, *unit;    /* per group: of an amount of 1 in the program's units and in the user's */
    dd_export_items names;    /* two per group: of the lower and the upper bound */
} dd_program_soft;

typedef struct dd_program_export {
    dd_export *x;
    dd_pool *pool;
    dd_ocp *ocp;                      /* solved; NULL: a window */
    dd_control *control;              /* NULL: a solver alone, or a window */
    dd_mhe *mhe;                      /* of a controller with an estimator, and of its window; NULL: none */
    struct dd_program_export *window; /* the program of that estimator, with a prefix of its own; NULL: none */
    dd_ocp_problem *o;
    dd_transcription *t;
    const dd_nlp_result *result;
    dd_sections *s;
    double tolerance;
    uint32_t iterations;
    bool rti;
    bool qp;                   /* samples have quadratic programs: rti, and where they are small enough */
    uint32_t qp_rows;          /* of the dense program */
    double *first_w, *first_u; /* controllers: before the first sample */
    double t0, tf;             /* the horizon of the plan */
    dd_export_items measured, inputs, states, estimated;
    dd_derivative *h,
        *rows; /* of the estimator, by (x, z); of a window measured variables and invariants, by (x, z, p) */
    uint32_t n_rows;
    dd_program_soft soft; /* controllers */
} dd_program_export;

/* ---- program_functions.c ---- */
/* Functions of the families, of parameters and of the estimator into the writer of px->x. */
void dd_program_write_functions(dd_program_export *px);

/* A function of the program, into the writer: values of symbols in arrays. */
void dd_program_add_function(dd_program_export *px, const char *name, const char *comment,
                             const dd_c_argument *arguments, uint32_t n_arguments, const dd_expr *values, uint32_t n);
/* Symbols of all parameters; those that are inputs of the function are replaced by ones that nothing contains. */
dd_expr *dd_program_parameter_symbols(const dd_program_export *px, const dd_expr *inputs, uint32_t n);

/* ---- program_window.c ---- */
/* The program of the controller's moving-horizon estimator: px->window. After the parameters are collected. Raises. */
void dd_program_make_window(dd_program_export *px);
/* What its functions are, beside those of families. */
void dd_program_window_functions(dd_program_export *px);
/* What only a window has. */
void dd_program_window_sizes(const dd_program_export *px, dd_text *out);
void dd_program_window_tables(const dd_program_export *px, dd_text *out);

/* ---- program_soft.c ---- */
void dd_program_soften(dd_program_export *px);

/* ---- program_tables.c ---- */
/* Sizes for the header; tables for the source, up to the functions and behind them. */
void dd_program_sizes(const dd_program_export *px, dd_text *out);
void dd_program_tables(const dd_program_export *px, dd_text *out);
typedef struct dd_size_entry {
    const char *name;
    uint32_t value;
    const char *what;
} dd_size_entry;
void dd_program_put_sizes(const dd_program_export *px, dd_text *out, const dd_size_entry *list, size_t n);
void dd_program_put_number(const dd_program_export *px, dd_text *out, const char *name, double value, const char *what);
/* Tables of places and numbers; ids have 16 bits. */
void dd_program_put_ids(const dd_program_export *px, dd_text *out, const char *name, const uint32_t *values,
                        uint32_t n);
void dd_program_put_ints(const dd_program_export *px, dd_text *out, const char *name, const uint32_t *values,
                         uint32_t n);

/* ---- program_classes.c ---- */
/* Tables of classes of intervals, of bounds and of wide points. */
void dd_program_class_tables(const dd_program_export *px, dd_text *out);

/* ---- program_files.c ---- */
void dd_program_files(dd_program_export *px, dd_export_files *files);

/* ---- program_export.c ---- */
/* The body of an export of an optimization class. Raises. */
void dd_program_export_body(dd_export *x, dd_export_files *files);

#endif
