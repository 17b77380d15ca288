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
    dd_ocp *ocp;         /* solved */
    dd_control *control; /* NULL: a solver alone */
    dd_ocp_problem *o;
    const dd_transcription *t;
    const dd_nlp_result *result;
    dd_sections *s;
    double tolerance;
    uint32_t iterations;
    bool rti;
    bool qp;                   /* samples have quadratic programs: rti, and where they are small enough */
    uint32_t qp_rows;          /* of the dense program */
    double *first_w, *first_u; /* controllers: before the first sample */
    double t0, tf;             /* the horizon of the plan */
    dd_export_items measured, inputs, states;
    dd_derivative *h, *rows; /* of the estimator, by (x, z) */
    uint32_t n_rows;
    dd_program_soft soft; /* controllers */
} dd_program_export;

/* ---- program_functions.c ---- */
/* Functions of the families, of parameters and of the estimator into the writer of px->x. */
void dd_program_write_functions(dd_program_export *px);

/* ---- program_soft.c ---- */
void dd_program_soften(dd_program_export *px);

/* ---- program_tables.c ---- */
/* Sizes for the header; tables for the source, up to the functions and behind them. */
void dd_program_sizes(const dd_program_export *px, dd_text *out);
void dd_program_tables(const dd_program_export *px, dd_text *out);

/* ---- program_files.c ---- */
void dd_program_files(dd_program_export *px, dd_export_files *files);

/* ---- program_export.c ---- */
/* The body of an export of an optimization class. Raises. */
void dd_program_export_body(dd_export *x, dd_export_files *files);

#endif
