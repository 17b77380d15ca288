/* flatten.h - a parsed class to a flat model.
 *
 *   collect      which class; its declarations and those it extends, with their types and modifications
 *   declare      arrays in the order their sizes need; parameters get their values on the way
 *   attributes   start, fixed, min, ...; --set
 *   bindings     `Real v = der(p)` is an equation
 *   equations    names resolved once, then elaborated per iteration of the loops around
 *   optimization objective, times, constraints
 *
 * Errors are reported and the rest goes on, so that one run shows several; what depends on something wrong is silent.
 */
#ifndef DD_LANG_FLATTEN_H
#define DD_LANG_FLATTEN_H

#include "base/hash.h"
#include "lang/ast.h"
#include "lang/elaborate.h"
#include "lang/lang.h"
#include "lang/library.h"
#include "lang/resolve.h"

#define DD_FLAT_MAX_VARIABLES 10000000u  /* scalars of one model, as in model.c; named here at its place in the text */
#define DD_FLAT_MAX_ITERATIONS 10000000u /* of all loops together */

/* One --set, parsed. */
typedef struct dd_flat_setting {
    struct dd_flat_setting *next; /* of the same declaration, in the order given */
    dd_form reference;            /* NAME with subscripts */
    dd_form value;                /* no names in it but time */
    dd_span span;                 /* of the name */
    dd_span value_span;
} dd_flat_setting;

/* One list of attributes that applies to a declaration; later ones win. */
typedef struct dd_flat_layer {
    struct dd_flat_layer *next;
    const dd_ast_mod *mods;
    bool optimization; /* written in an optimization: free and initialGuess are known */
} dd_flat_layer;

typedef enum dd_flat_state { DD_FLAT_NEW, DD_FLAT_OPEN, DD_FLAT_DONE } dd_flat_state;

typedef struct dd_flat_decl {
    dd_ast_decl *ast;
    const char *printed; /* the name, quoted where needed */
    dd_base_type type;
    uint32_t ndim;
    dd_form dims[DD_MAX_DIMS]; /* unresolved; COLON: from the binding */
    dd_form binding;           /* unresolved, DD_FORM_NONE without */
    dd_span value_span;        /* where the value is given: the declaration, extends or --set */
    dd_flat_layer *layers;
    dd_flat_setting *settings;
    uint32_t array; /* in the model; DD_NO_INDEX until declared */
    dd_flat_state state;
    bool broken;                     /* wrong and reported */
    bool valueless;                  /* parameter declared without a value */
    bool waits;                      /* its value needs that of a free parameter, which its guess gives */
    bool modified;                   /* by the extends clause */
    uint32_t deps, n_deps, next_dep; /* what must be declared before it: range of fl->deps */
} dd_flat_decl;

typedef struct dd_flattener {
    dd_context *ctx;
    dd_model *m;
    dd_pool *pool;    /* lives as long as the flattening */
    dd_pool *scratch; /* values of the equation at hand; replaced now and then */
    uint32_t scratch_use;
    uint32_t file; /* source number */
    dd_ast_file *ast;
    dd_library *library;
    dd_ast_class *class, *base; /* base: the model an optimization extends, or NULL */
    const dd_ast_extends *extends;
    DD_VEC(const dd_ast_class *) types;
    dd_map type_by_name;
    DD_VEC(dd_flat_decl) decls;
    dd_map decl_by_name;
    DD_VEC(uint32_t) deps;
    dd_resolver resolver;
    dd_elaborator el;
    uint32_t suggestions; /* made so far: each costs a look at every name */
    uint64_t iterations;
    dd_expr *inlined; /* per var: its binding in unbound variables (flatten_inline.c) */
    uint8_t *inline_state;
    uint32_t n_inlined;
} dd_flattener;

/* ---- flatten.c ---- */
/* Fills the model from the class of this name (NULL: chosen). Reports errors; the caller asks the context for
 * their number. */
void dd_flatten(dd_flattener *fl, const char *class_name, const dd_setting *settings, uint32_t n_settings,
                const char **choice);
dd_flattener dd_flattener_new(dd_model *m, dd_ast_file *ast, uint32_t file);
dd_flat_decl *dd_flat_find(dd_flattener *fl, uint32_t name);     /* NULL when absent */
bool dd_flat_may_suggest(dd_flattener *fl);                      /* only a few times per run */
const char *dd_flat_suggest(dd_flattener *fl, const char *name); /* nearest declared name or NULL */
/* Lets the scratch pool go when it has grown; call between equations, with the number of scalars just made. */
void dd_flat_recycle(dd_flattener *fl, uint32_t scalars);
/* The value of a resolved form; parameters_only: sizes, attributes, parameters. */
bool dd_flat_value(dd_flattener *fl, dd_form f, const dd_form_env *env, bool parameters_only, dd_value *out);
/* The number of a resolved scalar form in parameters, finite. */
bool dd_flat_number(dd_flattener *fl, dd_form f, double *out);
const char *dd_flat_size(dd_flattener *fl, const dd_value *v); /* "3", "2 x 3", "a scalar" */
const char *dd_flat_array_size(dd_flattener *fl, const dd_array *a);
bool dd_flat_fits(const dd_array *a, const dd_value *v); /* same shape, or a scalar for all */

/* ---- flatten_class.c ---- */
bool dd_flat_choose(dd_flattener *fl, const char *class_name, const char **choice);
void dd_flat_collect(dd_flattener *fl);
void dd_flat_add_declaration(dd_flattener *fl, dd_ast_decl *ast, bool optimization);

/* ---- flatten_setting.c ---- */
void dd_flat_read_settings(dd_flattener *fl, const dd_setting *settings, uint32_t n);
/* Calls apply(fl, var, expr) for each scalar that the settings of a declaration set. */
typedef void (*dd_apply_setting)(dd_flattener *fl, uint32_t var, dd_expr value);
void dd_flat_apply_settings(dd_flattener *fl, dd_flat_decl *decl, dd_apply_setting apply);

/* ---- flatten_declare.c ---- */
void dd_flat_declare_all(dd_flattener *fl);
void dd_flat_report_valueless(dd_flattener *fl, dd_flat_decl *decl);
/* The numbers of a bound parameter. False after a message. */
bool dd_flat_evaluate(dd_flattener *fl, dd_flat_decl *decl);

/* ---- flatten_attribute.c ---- */
void dd_flat_attributes(dd_flattener *fl);
/* `free` is among its attributes (true or false). */
bool dd_flat_may_be_free(const dd_flattener *fl, const dd_flat_decl *decl);

/* ---- flatten_equation.c ---- */
void dd_flat_bindings(dd_flattener *fl);
void dd_flat_equations(dd_flattener *fl, dd_ast_class *class);
void dd_flat_check_assertions(dd_flattener *fl);

/* ---- flatten_statement.c: the tree of statements, resolved ---- */
void dd_flat_resolve_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section);
/* Walks loops and branches; leaf(fl, eq, section, env) for each statement that is neither. */
typedef void (*dd_flat_leaf)(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env);
void dd_flat_walk_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section, const dd_form_env *env,
                       dd_flat_leaf leaf);

/* ---- flatten_lagrange.c, flatten_inline.c ---- */
void dd_flat_lagrange(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env);
/* e with every variable that is bound in its declaration replaced by what it is bound to. False after a cycle was
 * reported. */
bool dd_flat_inline(dd_flattener *fl, dd_expr *e);

/* ---- flatten_optimization.c ---- */
void dd_flat_declare_times(dd_flattener *fl); /* startTime and finalTime as parameters */
void dd_flat_optimization(dd_flattener *fl);

/* ---- flatten_annotation.c ---- */
void dd_flat_annotations(dd_flattener *fl, dd_ast_class *class);

#endif
