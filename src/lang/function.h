/* function.h - functions of the user: their arguments and their values.
 *
 *   class (ast) -> dd_function: variables in order, statements with names resolved     made once, when first called
 *   call        -> arguments to values, the algorithm run on values, outputs           inlined: only expressions remain
 *
 * A value is a shape and its scalar expressions (elaborate.h), so an algorithm runs with sizes, subscripts and loop
 * ranges known while its numbers stay symbolic. `if` on something that changes runs both branches and selects variable
 * by variable. Records are values with fields; the constructor of a record is a function with its fields as inputs.
 *
 * function.c          variables of a function or record, with those it inherits
 * function_resolve.c  names in its expressions and statements
 * function_name.c     which function a call means, arguments in order
 * function_call.c     arguments, sizes, one call for each element of an array
 * function_run.c      statements
 * function_assign.c   variables, their elements and fields
 * function_merge.c    the values after both branches
 * function_derivative.c  annotation(derivative = ...)
 */
#ifndef DD_LANG_FUNCTION_H
#define DD_LANG_FUNCTION_H

#include "lang/elaborate.h"
#include "lang/library.h"

#define DD_FUNCTION_MAX_DEPTH 100 /* calls inside calls */

typedef struct dd_functions dd_functions;
typedef struct dd_function dd_function;

/* The surroundings of a function. */
typedef struct dd_function_scope {
    void *user;
    /* A name or path (subscripts resolved) in an expression of class `scope` that is not a variable of the
     * function: a constant, a literal of an enumeration. The resolved form; DD_FORM_NONE after a message. */
    dd_form (*reference)(void *user, dd_ast_class *scope, dd_form name);
    /* The meaning of a.b.c there: a class or a predefined type. Nothing is reported when there is none. */
    dd_element (*lookup)(void *user, dd_ast_class *scope, const dd_ast_name *name);
    /* The class that an extends clause of `class` names (extends NULL: the definition of a short class); NULL
     * after a message. */
    dd_ast_class *(*base)(void *user, dd_ast_class *class, const dd_ast_extends *extends);
    /* "Daedal.Math.horner" */
    const char *(*full_name)(void *user, const dd_ast_class *class, dd_pool *pool);
    /* The nearest name visible there, for messages; may be NULL. */
    const char *(*suggest)(void *user, dd_ast_class *scope, const char *name);
} dd_function_scope;

/* Lives in model->pool. The elaborator that evaluates its calls must have e->functions set to it. */
dd_functions *dd_functions_new(dd_model *model, dd_function_scope scope);

/* lookup, base, full_name and suggest from a library (user is the library); reference is left for the caller, who
 * then sets all five with another user. */
dd_function_scope dd_function_scope_of(dd_library *library);

/* A call as parsed, UNKNOWN_CALL, with its arguments resolved (NAMED_ARG around named ones, `n` in all, without
 * the path) as written in class `scope`: USER_CALL of a function or record constructor, or the form of a built-in
 * that has no number in form.h (array, Integer). DD_FORM_NONE after a message. */
dd_form dd_functions_resolve(dd_functions *fs, dd_ast_class *scope, dd_form call, const dd_form *args, uint32_t n);

/* Does the name of an UNKNOWN_CALL stand for one of these? For callers that know another meaning of x(..). */
bool dd_functions_knows(dd_functions *fs, dd_ast_class *scope, dd_form call);

/* USER_CALL of a function or record class with these resolved arguments. The way to make a record value of a component
 * of a model: its class and NAMED_ARG(field, reference) for each field. */
dd_form dd_functions_call(dd_functions *fs, dd_ast_class *class, const dd_form *args, uint32_t n, dd_span span);

/* Of the function that a USER_CALL calls; 0 after its declaration was reported as wrong. */
uint32_t dd_functions_outputs(dd_functions *fs, dd_form call);

/* One number or array of a value; records have several. */
typedef struct dd_leaf {
    const char *path; /* "" or ".inner.x" */
    dd_value value;
} dd_leaf;

/* The value of a resolved form, of which records are taken apart into the leaves of their fields, in order. False after
 * a message. In the scratch pool. */
bool dd_elaborate_leaves(dd_elaborator *e, dd_form f, const dd_form_env *env, dd_leaf **leaves, uint32_t *n);

/* All outputs of a USER_CALL, run once: (a, b) = f(x). lists[k] and counts[k] are the leaves of output k, for the
 * dd_functions_outputs(call) of them. */
bool dd_elaborate_outputs(dd_elaborator *e, dd_form call, const dd_form_env *env, dd_leaf ***lists, uint32_t **counts);

#endif
