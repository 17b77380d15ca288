/* sections.h - the program of a transcription, interval by interval, as the tables of generated solvers.
 *
 *     node 0 | inside 0 | node 1 | inside 1 | ... | node N | border
 *     '--- section 0 --------'--- section 1 ---- ...
 *
 * A section has everything that interval k needs: its variables as places in the section, the points of families that lie
 * in it, and where their values go. Equal sections (but for times) are a class, written once; so the tables do not grow with
 * the number of intervals. Neighbours that differ in nothing but shared rows are a run. Places are ordered for the solver (runtime/kkt.c): first d, which the rows inside determine, in the
 * order of their elimination (sections_pivots.c); then e:
 * the node, free variables inside, free variables of the next node, the border; then the states of the next node that rows
 * (links) determine. Rows of a section: inside, links, inequalities, then its parts of shared rows. Shared rows
 * are all other equalities, and what meets several intervals; those that reach the latest intervals come first. */
#ifndef DD_EXPORT_SECTIONS_H
#define DD_EXPORT_SECTIONS_H

#include "ocp/transcription.h"

typedef DD_VEC(uint32_t) dd_id_vec;
typedef DD_VEC(double) dd_real_vec;

/* Lists of a class; the names are members of NAME_class. */
/* clang-format off */
#define DD_SECTION_LISTS(X) \
    X(var) X(next) X(shared) X(row_ptr) X(col) X(col_var) X(family) X(input_at) X(term_ptr) X(term_var) X(slot_at) X(slot_input) \
    X(out_at) X(out_source) X(out_row) X(jac_at) X(jac_source) X(jac_to) X(grad_at) X(grad_source) X(grad_to) \
    X(hes_at) X(hes_source) X(hes_to) X(hes_i) X(hes_j) X(below_ptr) X(below) X(before_ptr) X(before) X(beside_ptr) \
    X(beside)
#define DD_SECTION_NUMBERS(X) \
    X(fixed) X(term_factor) X(out_factor) X(jac_factor) X(grad_factor) X(hes_factor)
#define DD_SECTION_COUNTS(X) X(nd) X(nl) X(ne) X(nf) X(nn) X(ni) X(ns) X(length) X(points) X(nj) X(nh)
/* bounds of its variables and inequalities; equal ones are written once, too */
#define DD_SECTION_BOUNDS(X) X(lower) X(upper) X(row_lower) X(row_upper)
/* clang-format on */

typedef struct dd_section {
#define X(name) uint32_t name;
    DD_SECTION_COUNTS(X)
#undef X
#define X(name) dd_id_vec name;
    DD_SECTION_LISTS(X)
#undef X
#define X(name) dd_real_vec name;
    DD_SECTION_NUMBERS(X)
    DD_SECTION_BOUNDS(X)
#undef X
    uint32_t owned;      /* variables that have their bounds from this section: the last one has its next node, too */
    dd_real_vec slots;   /* three numbers each: constant, times t0, times tf */
    dd_id_vec slot_data; /* 0: none, 2 (data + 1), + 1 for the value before a jump */
    /* of a window: 0: the number stands; 1: the time, 2: the length of the interval, then data, y and 1/sigma of a sample; and the
     * point of the window that it belongs to */
    dd_id_vec slot_kind, slot_point;
} dd_section;

/* As out_row: the objective. */
#define DD_SECTION_COST 65535u

typedef struct dd_sections {
    dd_context *ctx;
    dd_pool *pool;
    const dd_transcription *t;
    uint32_t n, node, border;   /* intervals, variables of a node, of the border */
    uint32_t rows, shared;      /* of the new numbering; the last ones are shared */
    uint32_t jacobian, hessian; /* entries of all sections */
    dd_section *section;        /* n */
    dd_section wide;            /* points that meet several sections: variables, rows and entries of the program */
    uint32_t *base, *row_base, *jac_base, *hes_base, *slot_base; /* n + 1 */
    uint32_t *active;        /* n: shared rows that meet this interval or a later one */
    uint32_t *class_of;      /* n */
    dd_id_vec classes;       /* the section of each class */
    uint32_t *bounds_of;     /* n: the place of their bounds in */
    dd_id_vec bounds;        /* sections with different ones */
    dd_id_vec runs;          /* where runs of sections begin that generated code may work on together; then n */
    uint32_t *new_row;       /* per row of the transcription; DD_NO_INDEX: it has no bounds and is left out */
    uint32_t *start_row;     /* per state: its shared row, where the start is given */
    double *unit, *row_unit; /* n, m: further factors of variables and rows, where a plan is far from size 1 */
    double *x_unit, *z_unit, *u_unit;  /* the same by decisions */
    uint32_t free;                     /* variables that no row determines, without the border */
    dd_id_vec families;                /* those that are used */
    uint32_t inputs, outputs, entries; /* the most of a family */
} dd_sections;

/* plan: a solution of the program. Raises DD_INVALID_MODEL for programs that generated code cannot solve, with the reason. In the pool. */
dd_sections *dd_sections_new(const dd_transcription *t, const double *plan, dd_pool *pool);

#endif
