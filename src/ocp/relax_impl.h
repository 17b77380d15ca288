/* relax_impl.h - constraints of the user as groups that give way together: for relax*.c. */
#ifndef DD_OCP_RELAX_IMPL_H
#define DD_OCP_RELAX_IMPL_H

#include "nlp/elastic.h"
#include "ocp/columns.h"
#include "ocp/relax.h"

#define HARD DD_ELASTIC_HARD

/* A constraint of the user, or one side of it. */
typedef struct dd_relax_group {
    const char *name;
    double unit;   /* of the rows; 1: rows and variables are scaled already */
    double factor; /* from units of the row to those of the user */
    double weight;
    bool limit;  /* of a control or a parameter: stays unless nothing else helps */
    double room; /* between both limits */
    double most; /* it can give way so far at most */
    bool first;  /* a start value: the same, and even less likely to be meant */
    double slack, pressure;
} dd_relax_group;

typedef struct dd_relaxer {
    dd_ocp *p;
    const dd_transcription *t;
    const dd_nlp *nlp;
    dd_pool *pool;
    dd_limited limited;
    uint32_t most_iterations;
    const dd_column *columns;
    DD_VEC(dd_relax_group) groups;
    uint32_t *row_lower, *row_upper, *variable_lower, *variable_upper; /* group or HARD */
    uint32_t *path[2], *point[2], *start, *decided[4][2], *time[2];    /* per row or decision: group or HARD */
    const double *from;                                                /* where solves begin */
    double *y;                                                         /* the point of the last solve that worked */
    double *best;                                                      /* of the one that is reported */
    bool agree;                                                        /* all constraints hold at best */
} dd_relaxer;

/* ---- relax_groups.c ---- */
/* n + 1 numbers, all HARD. Raises, as all of these. */
uint32_t *dd_relax_indices(dd_relaxer *r, size_t n);
/* One group per side of each constraint, bound, start value and free time. */
void dd_relax_groups(dd_relaxer *r);
/* Which group each side of each row, and of each variable of the program, belongs to. */
void dd_relax_assign_rows(dd_relaxer *r);
void dd_relax_assign_variables(dd_relaxer *r);
/* The unit of each group at y: its largest change when one scaled variable changes by 1. */
void dd_relax_units(dd_relaxer *r, const double *y);

#endif
