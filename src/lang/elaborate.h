/* elaborate.h - forms to scalar expressions: the array semantics of the language, and nothing else.
 *
 * A value is a shape and its scalars, row-major. Shapes are checked here, with both sizes in the message.
 */
#ifndef DD_LANG_ELABORATE_H
#define DD_LANG_ELABORATE_H

#include "model/model.h"

typedef struct dd_value {
    uint8_t ndim; /* 0: scalar */
    uint32_t dims[DD_MAX_DIMS];
    uint32_t size; /* product of dims, 1 for a scalar */
    dd_base_type type;
    dd_expr *elems; /* size scalars, in the scratch pool */
} dd_value;

/* Literals met most recently, found by the name id of their text: loop bodies read the same few again and again. */
#define DD_LITERAL_SLOTS 32
typedef struct dd_literal {
    uint32_t name; /* 0: empty */
    dd_expr expr;
    bool is_integer;
    int64_t integer;
} dd_literal;

/* Members of all elements of an array of components under one symbol: arm.elbow. */
typedef struct dd_family {
    dd_array view;    /* as if they were one array: dims of the components, then of the member */
    uint32_t *firsts; /* the first scalar of each member */
    uint32_t count;   /* of members */
    uint32_t leaf_size;
} dd_family;

typedef struct dd_elaborator {
    dd_model *model;
    dd_pool *scratch;               /* values live here; the caller frees or replaces it between equations */
    bool in_optimization;           /* point values x(t) are allowed: makes POINT variables in model->optimization */
    bool parameters_only;           /* a declaration's size, an attribute: variables and time are errors, named */
    uint64_t max_elements;          /* of one value; past it an error that names the size (default 10^7) */
    uint64_t max_statements;        /* of one call of a function with those inside it (default 10^6) */
    struct dd_functions *functions; /* of the user (function.h); NULL without */
    dd_pool *keep;                  /* values that are read element by element are kept here; NULL: nothing is kept */
    /* private */
    DD_VEC(const dd_family *) families;
    dd_map family_of_symbol; /* symbol -> index + 1 */
    dd_map whole_of_form;    /* form -> index + 1 in wholes */
    DD_VEC(dd_value) wholes;
    uint64_t statements; /* run by the outermost call of a function under way */
    uint32_t quiet;      /* above 0: a trial, whose failures are not reported */
    uint32_t tried_at;   /* depth of the call that tries */
    dd_literal literals[DD_LITERAL_SLOTS];
    dd_map points; /* (variable, time) -> POINT variable + 1, of the first points_known points */
    uint32_t points_known;
} dd_elaborator;

dd_elaborator dd_elaborator_new(dd_model *model, dd_pool *scratch);

/* From now on references to family->view.symbol are known. */
void dd_elaborator_add_family(dd_elaborator *e, const dd_family *family);

/* Integers of sizes, subscripts and exponents end here: far above any of them, and below 2^53 = 9.007e15, up to which a
 * double is an exact integer. */
#define DD_INTEGER_LIMIT 1e15

/* A number as an integer, held at the limit, so that the conversion is always defined. */
static inline int64_t dd_saturated(double value)
{
    const int64_t limit = (int64_t)DD_INTEGER_LIMIT;
    return value >= DD_INTEGER_LIMIT ? limit : value > -DD_INTEGER_LIMIT ? (int64_t)value : -limit;
}

/* The value of a resolved form under an environment. False after an error was reported at the form's span (one
 * message, not one per element). Raises when memory runs out. */
bool dd_elaborate(dd_elaborator *e, dd_form f, const dd_form_env *env, dd_value *out);

/* Values that shape the model: sizes, ranges, subscripts, branches of if-equations. Parameters in them become
 * structural. */
bool dd_elaborate_integer(dd_elaborator *e, dd_form f, const dd_form_env *env, int64_t *out);
bool dd_elaborate_boolean(dd_elaborator *e, dd_form f, const dd_form_env *env, bool *out);

/* The values of a range or vector to loop over. doubles[count] in scratch; all_integer says whether subscripts may
 * use them. */
bool dd_elaborate_range(dd_elaborator *e, dd_form f, const dd_form_env *env, double **values, uint64_t *count,
                        bool *all_integer);

/* "3" "2 x 3", "a scalar": for messages. */
void dd_value_describe(const dd_value *v, dd_text *out);
bool dd_value_same_shape(const dd_value *a, const dd_value *b);

#endif
