/* function_private.h - shared by the files function*.c. */
#ifndef DD_LANG_FUNCTION_PRIVATE_H
#define DD_LANG_FUNCTION_PRIVATE_H

#include "lang/elaborate_private.h"
#include "lang/function.h"
#include "lang/resolve.h"

/* A variable of a function, or a field of a record. */
typedef struct dd_fvar {
    const dd_ast_decl *ast;
    dd_ast_class *owner; /* the class it is written in */
    const char *name;    /* as printed */
    uint8_t type;        /* dd_base_type, DD_EV_RECORD */
    dd_function *record; /* of a record */
    bool is_input, is_output;
    uint32_t ndim;
    dd_form dims[DD_MAX_DIMS];          /* resolved with the body; COLON: taken from the value */
    dd_ast_class *dims_in[DD_MAX_DIMS]; /* the class each is written in */
    dd_form binding;                    /* resolved: default of an input, first value of others; DD_FORM_NONE without */
    dd_form written;                    /* before resolution, with the class it is written in */
    dd_ast_class *written_in;
} dd_fvar;

typedef enum dd_function_state {
    DD_FUNCTION_NEW,
    DD_FUNCTION_OPEN,
    DD_FUNCTION_READY,
    DD_FUNCTION_BROKEN
} dd_function_state;

/* annotation(derivative(order = 1, noDerivative = x, zeroDerivative = k) = name) */
typedef struct dd_fderivative {
    struct dd_fderivative *next;
    dd_function *function;
    int64_t order;
    bool *ignored; /* per input: noDerivative */
    bool *zero;    /* per input: zeroDerivative */
    dd_span span;
} dd_fderivative;

struct dd_function {
    uint32_t number; /* in forms */
    const char *name;
    dd_ast_class *class;
    bool is_record;
    bool makes_events; /* annotation(GenerateEvents = true) */
    dd_function_state interface, body_state;
    dd_fvar *vars;
    uint32_t n_vars, n_inputs, n_outputs;
    uint32_t n_results;                   /* n_outputs; 1 for a record */
    uint32_t *inputs, *outputs;           /* variables, in order */
    uint32_t first_local;                 /* LOCAL number of variable 0 */
    dd_map by_name;                       /* name id -> variable + 1 */
    DD_VEC(dd_ast_class *) parts;         /* classes whose algorithms it runs, bases first */
    dd_ast_equation *body;                /* resolved */
    DD_VEC(const dd_ast_mod *) annotated; /* its derivative annotations */
    dd_ast_class *annotated_in;
    dd_fderivative *derivatives;
    bool derivatives_read;
    uint32_t running; /* calls of it under way */
};

struct dd_functions {
    dd_context *ctx;
    dd_pool *pool;
    dd_model *m;
    dd_forms *forms;
    dd_names *names;
    dd_function_scope scope;
    dd_map by_class; /* address -> place + 1 */
    DD_VEC(dd_function *) list;
    dd_map by_number; /* number in forms -> place + 1 */
    dd_form colon;
    uint32_t opened; /* records inside records, while their fields are read */
    dd_map asserted; /* condition and place of assertions made */
    dd_map reported; /* names already reported as unknown */
};

/* The conditions under which a statement runs, innermost first. */
typedef struct dd_fpath {
    const struct dd_fpath *outer;
    dd_expr condition;
} dd_fpath;

/* Where a branch left a loop or the function: the values then, and the condition. */
typedef struct dd_fexit {
    struct dd_fexit *next; /* the one before */
    dd_expr condition;
    dd_ev *values;
} dd_fexit;

/* A loop under way. */
typedef struct dd_floop {
    struct dd_floop *outer;
    const dd_fpath *path; /* where it began */
    dd_fexit *breaks;     /* the newest first */
} dd_floop;

typedef struct dd_call_frame {
    dd_function *fn;
    dd_ev *values;      /* per variable */
    dd_pool *pool;      /* of values */
    dd_pool *temporary; /* of the statement at hand */
    uint32_t used;      /* statements since `temporary` was new */
    struct dd_call_frame *caller;
    uint32_t depth, weight; /* calls around; depths of the expressions around them */
    const dd_fpath *path;
    dd_floop *loop;
    dd_fexit *returns; /* the newest first */
    dd_form at;        /* the call */
} dd_call_frame;

/* ---- function.c ---- */
/* The function of a class, with its variables read; NULL after a message (or when it was reported before). */
dd_function *dd_function_of(dd_functions *fs, dd_ast_class *class, dd_span span);
dd_function *dd_function_numbered(dd_functions *fs, uint32_t number);

/* ---- function_resolve.c ---- */
/* Resolves dims, bindings and statements, once. */
bool dd_function_prepare(dd_functions *fs, dd_function *fn);

/* An expression in a class, outside functions. */
dd_form dd_function_resolve_form(dd_functions *fs, dd_ast_class *scope, dd_form f);

/* ---- function_call.c ---- */
/* Runs the function on values, one per input (UNSET type: the default), for every element when they are arrays of what
 * is declared; outs: one per output. */
bool dd_function_call(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs);
/* The same without looking at its derivative annotations and without arrays. */
bool dd_function_call_plain(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs);
/* The same; inputs[] (NULL: not wanted) receive the values that the inputs had, with defaults. */
bool dd_function_call_keeping(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs, dd_ev *inputs);
/* Gives a variable its first value. */
bool dd_function_start_variable(dd_el *el, uint32_t variable);

/* ---- function_run.c ---- */
typedef enum dd_fflow { DD_FLOW_ON, DD_FLOW_BREAK, DD_FLOW_RETURN, DD_FLOW_FAILED } dd_fflow;
/* Counts the work of all calls under way, against the limit; false after a message. */
bool dd_function_count(dd_el *el, const dd_call_frame *frame, uint32_t work, dd_span span);
dd_fflow dd_function_run(dd_el *el, const dd_ast_equation *list);

/* ---- function_assign.c ---- */
bool dd_function_assign(dd_el *el, dd_form target, dd_form at, const dd_ev *value);
bool dd_function_assign_tuple(dd_el *el, dd_form tuple, dd_form call);
/* Can a variable declared like this hold the value? Size apart. */
bool dd_function_type_fits(const dd_fvar *var, const dd_ev *value);
const char *dd_function_type_name(const dd_fvar *var);

/* ---- function_merge.c ---- */
dd_ev *dd_frame_copy(dd_el *el, const dd_ev *values);
/* The frame's values = if condition then a else b, variable by variable. f is blamed when sizes differ. */
bool dd_frame_merge(dd_el *el, dd_form f, dd_expr condition, const dd_ev *a, const dd_ev *b);
/* The branch that ends with these values leaves the loop or the function; condition: of the branch. */
void dd_frame_add_break(dd_el *el, dd_expr condition, dd_ev *values);
void dd_frame_add_return(dd_el *el, dd_expr condition, dd_ev *values);
/* The condition under which the statement at hand is reached. */
dd_expr dd_frame_reached(dd_el *el);
/* Selects between the values of the exits, oldest first, and (unless left) those that the frame has now. */
bool dd_frame_merge_exits(dd_el *el, dd_form f, const dd_fexit *exits, bool left);

/* ---- function_derivative.c ---- */
bool dd_function_has_derivative(dd_functions *fs, dd_function *fn);
bool dd_function_call_derived(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs);

#endif
