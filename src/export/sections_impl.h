/* sections_impl.h - for sections.c and sections_points.c. */
#ifndef DD_EXPORT_SECTIONS_IMPL_H
#define DD_EXPORT_SECTIONS_IMPL_H

#include "export/sections.h"

typedef enum row_kind { ROW_INSIDE, ROW_LINK, ROW_INEQUALITY, ROW_SHARED, ROW_NONE } row_kind;

typedef struct row_note {
    row_kind kind;
    uint32_t section; /* DD_NO_INDEX: several */
    uint32_t place;   /* in the section; of shared rows among these */
    uint32_t last;    /* the last interval that it meets */
} row_note;

typedef struct sectioner {
    dd_sections *s;
    const dd_transcription *t;
    dd_pool *pool;
    uint32_t end;       /* of the variables of intervals and nodes: the border begins */
    row_note *row;      /* m */
    uint32_t *by;       /* n: the row that determines a variable; DD_NO_INDEX: none */
    uint32_t **place;   /* n intervals: per local variable */
    uint32_t **inside;  /* n intervals: the variables that rows inside determine, in the order of their elimination */
    uint32_t *jacobian; /* per entry of the program: its new place */
    uint32_t *hessian;
} sectioner;

/* Intervals that some variables are in: node k belongs to interval k. */
typedef struct dd_reach {
    uint32_t first, last;
    bool nodes; /* those of the last one are all of its node */
} dd_reach;

dd_reach dd_reach_none(void);
void dd_reach_add(const sectioner *p, dd_reach *r, uint32_t variable);
/* The section that has them all; DD_NO_INDEX: none. */
uint32_t dd_reach_section(const sectioner *p, const dd_reach *r);
/* n: the last node; DD_NO_INDEX: the border. */
uint32_t dd_section_of(const sectioner *p, uint32_t variable);
uint32_t dd_section_place(const sectioner *p, uint32_t k, uint32_t variable);

/* ---- sections_pivots.c ---- */
/* After the rows are sorted: places of rows inside, p->inside, and where the factors of their elimination have entries. */
void dd_sections_order(sectioner *p, const double *plan);

/* ---- sections_points.c ---- */
void dd_sections_list_points(sectioner *p);

/* ---- sections_classes.c ---- */
/* Classes, bounds and runs, once sections are complete. */
void dd_sections_find_classes(sectioner *p);

#endif
