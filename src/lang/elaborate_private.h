/* elaborate_private.h - shared by the files elaborate*.c: values whose scalars need no separate memory, shapes and
 * messages about them, and one function per kind of form. Every function that returns bool has reported its error
 * when it returns false. */
#ifndef DD_LANG_ELABORATE_PRIVATE_H
#define DD_LANG_ELABORATE_PRIVATE_H

#include <math.h>

#include "lang/elaborate.h"

/* A branch of an `if` expression around what is being elaborated: its condition, or the negation of one before it. */
typedef struct dd_guard {
    const struct dd_guard *outer;
    dd_expr condition;
    bool negated;
} dd_guard;

/* The state of one elaboration. */
typedef struct dd_el {
    dd_elaborator *e;
    dd_model *m;
    dd_dag *dag;
    const dd_forms *forms;
    dd_pool *scratch;
    const dd_form_env *env;
    int64_t end;                 /* value of `end` in the subscript being read; -1 outside */
    struct dd_call_frame *frame; /* the function being run (function_private.h); NULL outside */
    const dd_guard *guard;       /* branches of `if` around; NULL: none */
} dd_el;

/* Kinds of values besides a dd_base_type. */
enum {
    DD_EV_RECORD = DD_TYPE_BOOLEAN + 1,
    DD_EV_UNSET,   /* a variable of a function without a value and without a size */
    DD_EV_PENDING, /* one that was not read yet */
    DD_EV_OPEN     /* its first value is being computed */
};

typedef struct dd_ev {
    uint8_t ndim, type; /* type: dd_base_type */
    dd_expr one;        /* the value of a scalar; `elems` is not used then */
    uint32_t size, dims[DD_MAX_DIMS];
    union {
        dd_expr *elems; /* DD_EXPR_NONE among them: an element of a variable that has no value yet */
        struct dd_record_value *record;
    };
} dd_ev;

/* A record, or an array of records: each field has the dimensions of the array in front of its own. */
typedef struct dd_record_value {
    struct dd_function *type; /* its variables are the fields */
    dd_ev *fields;
} dd_record_value;

static inline void dd_ev_set(dd_ev *v, dd_expr e, dd_base_type type)
{
    v->ndim = 0;
    v->type = (uint8_t)type;
    v->one = e;
    v->size = 1;
}
static inline const dd_expr *dd_ev_elems(const dd_ev *v)
{
    return v->ndim == 0 ? &v->one : v->elems;
}

/* Just below 2^53: smaller doubles have an exact integer part. */
#define DD_EXACT_LIMIT 9e15

/* The integer part of a loop value, for subscripts; 0 where there is none. */
static inline int64_t dd_loop_integer(double value)
{
    return fabs(value) < DD_EXACT_LIMIT ? (int64_t)floor(value) : 0;
}

/* ---- elaborate_value.c: shapes and messages ---- */

/* Makes out an array of this shape with room for its scalars; f is blamed when it is too large. */
bool dd_ev_new(dd_el *el, dd_form f, dd_ev *out, uint32_t ndim, const uint64_t *dims, dd_base_type type);
/* The same shape and type as `like`. out may not be `like`. */
void dd_ev_like(dd_el *el, dd_ev *out, const dd_ev *like);
bool dd_ev_same_shape(const dd_ev *a, const dd_ev *b);
dd_base_type dd_ev_join(const dd_ev *a, const dd_ev *b);

bool dd_el_fail(dd_el *el, dd_form f, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *dd_el_text(dd_el *el, dd_form f);     /* the form for a message, shortened when long */
const char *dd_el_has(dd_el *el, const dd_ev *v); /* "has size 2 x 3", "is a scalar" */
bool dd_el_numeric(dd_el *el, dd_form f, const dd_ev *v,
                   const char *operation); /* else: "`+` needs numbers, but b is Boolean" */
bool dd_el_boolean_typed(dd_el *el, dd_form f, const dd_ev *v, const char *operation);
bool dd_el_unequal(dd_el *el, dd_form f, const char *operation, dd_form a, const dd_ev *va, dd_form b, const dd_ev *vb);

/* ---- elaborate.c ---- */
bool dd_el_form(dd_el *el, dd_form f, dd_ev *out); /* a number, Boolean or array of them */
bool dd_el_any(dd_el *el, dd_form f, dd_ev *out);  /* also a record */
dd_el dd_el_begin(dd_elaborator *e, const dd_form_env *env);
void dd_ev_to_value(const dd_ev *v, dd_pool *pool, dd_value *out);
/* Exactly the number of a literal; its slot stays valid until the next call. */
const dd_literal *dd_el_literal(dd_el *el, uint32_t name_id);
bool dd_el_loop_value(dd_el *el, dd_form f, const dd_form_env **out);

/* ---- elaborate_number.c: numbers that must be known now ---- */
/* The number of an expression in parameters, which become structural; `role` begins the message: "a subscript". */
bool dd_el_evaluate(dd_el *el, dd_form f, dd_expr e, const char *role, double *out);
bool dd_el_integer(dd_el *el, dd_form f, const char *role, int64_t *out);
/* The integer without making expressions; false (nothing reported) when that is not possible. */
bool dd_el_quick_integer(dd_el *el, dd_form f, int64_t *out);
/* Is the truth value known from parameters alone? Then *known, *value. Parameters become structural. */
bool dd_el_truth(dd_el *el, dd_form f, dd_expr condition, bool *known, bool *value);

/* ---- elaborate_arith.c ---- */
bool dd_el_sum(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_neg(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_mul(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_div(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_pow(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_elementwise(dd_el *el, dd_form f, dd_ev *out); /* .+ .- .* ./ .^ */
/* out = combine(a, b) for each element, a scalar goes with every element of the other. */
typedef dd_expr (*dd_combine)(dd_dag *dag, dd_expr a, dd_expr b);
bool dd_el_broadcast(dd_el *el, dd_form f, const char *operation, dd_combine combine, dd_ev *out);

/* ---- elaborate_logic.c ---- */
bool dd_el_relation(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_and_or(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_not(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_if(dd_el *el, dd_form f, dd_ev *out);

/* ---- elaborate_index.c ---- */
bool dd_el_reference(dd_el *el, dd_form f, dd_ev *out);
const dd_array *dd_el_array(const dd_el *el, dd_form reference); /* or the view of a family */

/* The positions that one subscript picks: `count` positions from 0, first + k*step or listed. */
typedef struct dd_selection {
    bool scalar;
    uint32_t count;
    int64_t first, step;
    const uint32_t *list;
} dd_selection;
static inline uint32_t dd_selected(const dd_selection *s, uint32_t k)
{
    return s->list != NULL ? s->list[k] : (uint32_t)(s->first + (int64_t)k * s->step);
}
/* Reads n subscripts of an array like `a` (only its name, ndim and dims are used); those left out mean all
 * elements. s: one per dimension. dims[*ndim]: the shape of what is picked. f is blamed for too many. */
bool dd_el_select(dd_el *el, dd_form f, const dd_form *subscripts, uint32_t n, const dd_array *a, dd_selection *s,
                  uint64_t *dims, uint32_t *ndim);
/* Goes through the positions that are picked, row-major: the next one after `at`. */
void dd_selection_next(const dd_selection *s, uint32_t ndim, uint32_t *at);
uint32_t dd_selection_place(const dd_selection *s, const uint32_t *dims, uint32_t ndim, const uint32_t *at);

/* ---- elaborate_element.c: elements and fields of values ---- */
bool dd_el_local(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_element(dd_el *el, dd_form f, dd_ev *out);
/* The integer of a scalar variable of a function without making expressions. */
bool dd_el_quick_local(dd_el *el, dd_form f, int64_t *out);
/* The value that a chain LOCAL, .field, .field leads to, with all its subscripts; NULL after a message. */
dd_ev *dd_el_locate(dd_el *el, dd_form f, dd_form *subscripts, uint32_t *n);
#define DD_MOST_SUBSCRIPTS 32 /* of all parts of a.b[1].c[2] */
/* out = v[subscripts] */
bool dd_el_pick(dd_el *el, dd_form f, const dd_ev *v, const dd_form *subscripts, uint32_t n, dd_ev *out);
/* The shape of a variable of a function, whether it has a value or not; false when f is something else. */
bool dd_el_local_shape(dd_el *el, dd_form f, dd_ev *out);

/* ---- elaborate_record.c ---- */
void dd_ev_record_new(dd_pool *pool, struct dd_function *type, dd_ev *out);
uint32_t dd_record_size(const struct dd_function *type); /* number of fields */
const char *dd_record_name(const struct dd_function *type);
bool dd_record_same(const struct dd_function *a, const struct dd_function *b);
/* A copy that shares nothing. */
void dd_ev_copy(dd_pool *pool, const dd_ev *v, dd_ev *out);
/* out = if condition then a else b; false when they differ in shape or kind. Elements without a value stay so. */
bool dd_ev_choose(dd_el *el, dd_expr condition, const dd_ev *a, const dd_ev *b, dd_ev *out);
bool dd_el_record_array(dd_el *el, dd_form f, dd_ev *out); /* {R(..), R(..)} */
/* Puts part i of n behind those before it: out gets a leading dimension n. False when it differs from the others. */
bool dd_ev_append(dd_el *el, dd_form f, const dd_ev *part, uint32_t i, uint32_t n, dd_ev *out);
/* The number of scalars, and all of them in order. */
uint32_t dd_ev_count(const dd_ev *v);
void dd_ev_scalars(const dd_ev *v, dd_expr *out);
/* Has every scalar a value? */
bool dd_ev_complete(const dd_ev *v);

/* ---- function_call.c ---- */
/* A jump inside a function makes no event (Modelica 12.4 and 18.3), unless it asks for it by
 * annotation(GenerateEvents = true): an iteration that is unrolled would make thousands. */
dd_expr dd_el_without_events(const dd_el *el, dd_expr e);
static inline dd_expr dd_el_jump(const dd_el *el, dd_expr e)
{
    return el->frame == NULL ? e : dd_el_without_events(el, e);
}
bool dd_el_user_call(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_user_call_all(dd_el *el, dd_form f, dd_ev **outs, uint32_t *n);

/* ---- elaborate_range.c ---- */
typedef struct dd_el_range {
    double first, step;
    uint64_t count;
    bool integer;
    dd_expr first_expr, step_expr; /* numbers; NONE for a range of integers */
} dd_el_range;
bool dd_el_read_range(dd_el *el, dd_form f, dd_el_range *out);
bool dd_el_range_value(dd_el *el, dd_form f, dd_ev *out);
/* The numbers to iterate over: a range or any vector of numbers. */
bool dd_el_iteration(dd_el *el, dd_form f, double **values, uint64_t *count, bool *all_integer);

/* ---- elaborate_array.c ---- */
bool dd_el_array_constructor(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_matrix_constructor(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_comprehension(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_cat(dd_el *el, dd_form f, dd_ev *out);

/* ---- elaborate_calls.c, elaborate_reduce.c, elaborate_build.c ---- */
bool dd_el_call(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_reduce(dd_el *el, dd_form f, dd_ev *out); /* sum product min max */
bool dd_el_fill(dd_el *el, dd_form f, dd_ev *out);   /* zeros ones fill */
bool dd_el_identity(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_linspace(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_diagonal(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_cross(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_skew(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_outer(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_transpose(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_symmetric(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_reshape(dd_el *el, dd_form f, dd_ev *out); /* scalar vector matrix */
bool dd_el_size(dd_el *el, dd_form f, dd_ev *out);    /* size ndims */

/* ---- elaborate_time.c ---- */
bool dd_el_time(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_der(dd_el *el, dd_form f, dd_ev *out);
bool dd_el_point(dd_el *el, dd_form f, dd_ev *out);

#endif
