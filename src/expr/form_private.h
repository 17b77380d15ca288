/* form_private.h - the parts that the files form*.c share. */
#ifndef DD_EXPR_FORM_PRIVATE_H
#define DD_EXPR_FORM_PRIVATE_H

#include "expr/form.h"

typedef struct dd_form_fact {
    uint64_t hash; /* of the structure, without spans */
    int8_t ndim;   /* -1: unknown */
} dd_form_fact;

struct dd_forms {
    dd_pool *pool;
    dd_names *names;
    DD_VEC(dd_form_node) nodes;
    DD_VEC(dd_form_fact) facts; /* parallel to nodes */
    DD_VEC(dd_form) links;      /* arguments */
    DD_VEC(dd_form_symbol) symbols;
    DD_VEC(uint32_t) loops; /* name ids */
    DD_VEC(const char *) functions;
    bool listing; /* members of components are printed as one quoted name */
};

/* Dimensions of a node about to be made, from those of its arguments. */
int8_t dd_form_ndim_of(const dd_forms *forms, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args,
                       uint32_t nargs);

uint64_t dd_form_hash(const dd_forms *forms, dd_form f);

/* Same structure, whatever the spans. */
bool dd_form_equal(const dd_forms *forms, dd_form a, dd_form b);

#endif
