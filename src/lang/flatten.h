/* flatten.h - a parsed class to a flat model.
 *
 *   instances    the tree of components with their modifications (instance.h); arrays of components need values of
 *                parameters, which are declared as they are needed
 *   declare      arrays in the order their sizes need; parameters get their values with them
 *   attributes   start, fixed, min, ...; --set
 *   bindings     `Real v = der(p)` is an equation
 *   equations    names resolved once, then elaborated per iteration of the loops around
 *   optimization objective, times, constraints
 *
 * After an error the rest goes on, so that one run reports several; consequences of an error are not reported.
 */
#ifndef DD_LANG_FLATTEN_H
#define DD_LANG_FLATTEN_H

#include "base/hash.h"
#include "lang/ast.h"
#include "lang/elaborate.h"
#include "lang/function.h"
#include "lang/instance.h"
#include "lang/lang.h"
#include "lang/library.h"
#include "lang/resolve.h"

#define DD_FLAT_MAX_VARIABLES 10000000u  /* scalars of one model, as in model.c; named here at its place in the text */
#define DD_FLAT_MAX_ITERATIONS 10000000u /* of all loops together */
#define DD_FLAT_MAX_ERRORS 100u          /* then the rest is skipped */

/* One --set, parsed. */
typedef struct dd_flat_setting {
    struct dd_flat_setting *next; /* in the order given */
    struct dd_flat_setting *same; /* of the same declaration */
    const char *path;             /* "arm[2].J": without the subscripts at its end */
    bool used;
    dd_form reference; /* NAME with subscripts */
    dd_form value;     /* no names in it but time */
    dd_span span;      /* of the name */
    dd_span value_span;
} dd_flat_setting;

typedef enum dd_flat_state { DD_FLAT_NEW, DD_FLAT_OPEN, DD_FLAT_DONE } dd_flat_state;

/* A variable or parameter of one instance, which becomes an array of the model. */
typedef struct dd_flat_decl {
    dd_member *member;
    dd_ast_decl *ast;
    const char *printed; /* its path, quoted where needed */
    dd_ast_variability variability;
    bool is_input, is_output; /* of the whole model */
    bool is_final;            /* cannot be set from outside */
    dd_base_type type;
    uint32_t ndim;
    dd_form dims[DD_MAX_DIMS]; /* unresolved; COLON: from the binding */
    dd_place places[DD_MAX_DIMS];
    dd_form binding;    /* unresolved, DD_FORM_NONE without; its place is that of member->value_mod */
    dd_span value_span; /* where the value is given: the declaration, a modification or --set */
    dd_flat_setting *settings;
    uint32_t array; /* in the model; DD_NO_INDEX until declared */
    dd_flat_state state;
    bool broken;                     /* wrong and reported */
    bool valueless;                  /* parameter declared without a value */
    bool waits;                      /* its value needs that of a free parameter, which is its guess */
    uint32_t deps, n_deps, next_dep; /* what must be declared before it: range of fl->deps */
} dd_flat_decl;

struct dd_flattener {
    dd_context *ctx;
    dd_model *m;
    dd_pool *pool;    /* lives as long as the flattening */
    dd_pool *scratch; /* values of the equation at hand; replaced from time to time */
    uint32_t scratch_use;
    uint32_t file; /* source number */
    dd_library *library;
    dd_ast_class *class;
    dd_instance *root;
    DD_VEC(dd_instance *) packages; /* whose constants are used */
    dd_map package_by_class;
    uint32_t n_instances;
    dd_place place; /* where the names at hand are written */
    DD_VEC(dd_flat_decl *) decls;
    DD_VEC(uint32_t) order; /* decls of the tree in the order of the text */
    DD_VEC(uint32_t) deps;
    bool declaring_done; /* all of the tree is declared */
    dd_flat_setting *settings;
    const char *settings_from; /* their source in messages */
    dd_map family_by_name;     /* name id -> symbol */
    dd_map resolved_mods;      /* value of a modification and its place -> resolved form */
    dd_map enumerations;       /* symbol -> number of the enumeration it is of, see dd_flat_is_of */
    DD_VEC(const dd_ast_class *) enumeration_classes;
    struct dd_connections *connections; /* flatten_connect.c; NULL before the first */
    dd_resolver resolver;
    dd_elaborator el;
    uint32_t suggestions; /* made so far: each costs a look at every name */
    uint64_t iterations;
    struct dd_phases *phases; /* phases.h; NULL: the class has none */
    dd_expr *inlined;         /* per var: its binding in unbound variables (flatten_inline.c) */
    uint8_t *inline_state;
    uint32_t n_inlined;
    bool (*draw_call)(void *user, dd_resolver *r, dd_form f, dd_form *out); /* draw.c: calls that are no shapes */
};

/* ---- flatten.c ---- */
/* Fills the model from the class of this name (NULL: chosen). Reports errors; the caller asks the context for
 * their number. */
void dd_flatten(dd_flattener *fl, const char *class_name, const dd_setting *settings, uint32_t n_settings,
                const char **choice);
dd_flattener dd_flattener_new(dd_model *m, dd_library *library, uint32_t file);
dd_flat_decl *dd_flat_find(dd_flattener *fl, uint32_t name);     /* of the model itself; NULL when absent */
bool dd_flat_may_suggest(dd_flattener *fl);                      /* only a few times per run */
const char *dd_flat_suggest(dd_flattener *fl, const char *name); /* nearest declared name or NULL */
/* Functions of the user for the present model, without values of earlier calls. */
dd_functions *dd_flat_functions(dd_flattener *fl);
/* A form with its names resolved as written at a place; DD_FORM_NONE after a message. */
dd_form dd_flat_resolve_at(dd_flattener *fl, dd_form f, dd_place place);
/* The value in a modification or declaration: resolved at its place, and the element of it that applies. */
dd_form dd_flat_resolve_mod(dd_flattener *fl, dd_form value, const dd_mod *mod);
/* Numbers that shape the tree of components: parameters in them are declared now, and become structural. */
bool dd_flat_boolean_at(dd_flattener *fl, dd_form f, dd_place place, bool *out);
bool dd_flat_size_at(dd_flattener *fl, dd_form f, dd_place place, const char *of, uint32_t *out);
/* Lets the scratch pool go when it has grown; call between equations, with the number of scalars just made. */
void dd_flat_recycle(dd_flattener *fl, uint32_t scalars);
/* The value of a resolved form; parameters_only: sizes, attributes, parameters. */
bool dd_flat_value(dd_flattener *fl, dd_form f, const dd_form_env *env, bool parameters_only, dd_value *out);
/* The number of a resolved scalar form in parameters, finite. */
bool dd_flat_number(dd_flattener *fl, dd_form f, double *out);
const char *dd_flat_size(dd_flattener *fl, const dd_value *v); /* "3", "2 x 3", "a scalar" */
const char *dd_flat_array_size(dd_flattener *fl, const dd_array *a);
bool dd_flat_fits(const dd_array *a, const dd_value *v); /* same shape, or a scalar for all */

/* ---- reference.c: the meaning of a path of names ---- */
#define DD_TARGET_MAX 64 /* parts of a path */
typedef enum dd_target_kind {
    DD_TARGET_NONE, /* part `part` names nothing */
    DD_TARGET_BROKEN,
    DD_TARGET_LEAF,
    DD_TARGET_COMPONENT,
    DD_TARGET_REMOVED,     /* a conditional component that is not there */
    DD_TARGET_PROTECTED,   /* members[0] */
    DD_TARGET_EMPTY,       /* below an array of no components */
    DD_TARGET_NO_CONSTANT, /* members[0], reached through its class */
    DD_TARGET_LITERAL,
    DD_TARGET_CLASS
} dd_target_kind;
typedef struct dd_target {
    dd_target_kind kind;
    dd_member *members[DD_TARGET_MAX]; /* one representative of each part, from first_part on */
    uint32_t n, first_part, part;
    uint32_t open;     /* the first member that stands for several instances; UINT32_MAX: none */
    dd_instance *last; /* where the last member was looked for */
    dd_ast_class *class;
    uint32_t literal;
    bool package;
} dd_target;
void dd_flat_follow(dd_flattener *fl, dd_place place, dd_form f, dd_target *t);
dd_form dd_flat_reference(void *user, dd_resolver *r, dd_form f);
bool dd_flat_is_variable(void *user, dd_form f);
/* An instance has no member of this name. */
void dd_flat_report_member(dd_flattener *fl, const dd_instance *in, uint32_t name, dd_span span);
bool dd_flat_component_size(void *user, dd_form f, dd_form *out);
void dd_flat_add_needs(dd_flattener *fl, dd_place place, dd_form f);

/* ---- flatten_leaf.c: variables and parameters of the tree ---- */
/* Notes that the values of this symbol are of an enumeration. */
void dd_flat_is_of(dd_flattener *fl, uint32_t symbol, const dd_ast_class *enumeration);
/* Does a resolved value suit a declaration: values of its enumeration for one of such a type, numbers for others? */
bool dd_flat_check_enumeration(dd_flattener *fl, const dd_flat_decl *decl, dd_form value);
bool dd_flat_add_leaf(dd_flattener *fl, dd_member *member, dd_base_type type, uint32_t ndim, const dd_form *dims,
                      const dd_place *places);
void dd_flat_report_unknown_type(dd_flattener *fl, dd_ast_class *scope, const dd_ast_name *name,
                                 const dd_element *found, uint32_t rest);

bool dd_flat_may_extend(dd_flattener *fl, const dd_ast_class *class, const dd_ast_class *base, const dd_ast_extends *e);

/* ---- flatten_record.c ---- */
/* R r = expression: its members are bound to those of the value. */
bool dd_record_bind(dd_flattener *fl, dd_member *member);
/* r1 = r2 between records: one equation per member, as a list in its place. False: it is not an equation between
 * records. */
bool dd_record_equation(dd_flattener *fl, dd_ast_equation *eq);
/* A record used as a value: the call of its constructor with its members. */
dd_form dd_record_value(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_member *member);
/* Equations with functions on one side: (a, b) = f(x), r = f(x) for a record r. Residuals in the scratch pool. */
bool dd_function_equation(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, dd_expr_vec *rows);

/* ---- flatten_connect.c ---- */
void dd_flat_resolve_connect(dd_flattener *fl, dd_ast_equation *eq);
void dd_flat_add_connect(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env);
/* After all instances: one equation per connection set and flow variable that nothing is connected to. */
void dd_flat_connections(dd_flattener *fl);

/* ---- flatten_data.c ---- */
/* Reads the table that annotation(Daedal(data = ...)) names and declares its columns. */
void dd_flat_declare_data(dd_flattener *fl);
/* Which inputs they are, once all is declared. */
void dd_flat_connect_data(dd_flattener *fl);
/* After errors: notes that the file is missing, which may be their cause. */
void dd_flat_explain_data(dd_flattener *fl);

/* ---- flatten_setting.c ---- */
void dd_flat_read_settings(dd_flattener *fl, const dd_setting *settings, uint32_t n);
void dd_flat_attach_settings(dd_flattener *fl, dd_flat_decl *decl);                          /* those that name it */
uint32_t dd_flat_setting_subscripts(const dd_flattener *fl, const dd_flat_setting *setting); /* at its end */
void dd_flat_report_unused_settings(dd_flattener *fl);
/* Calls apply(fl, var, expr) for each scalar that the settings of a declaration set. */
typedef void (*dd_apply_setting)(dd_flattener *fl, uint32_t var, dd_expr value);
void dd_flat_apply_settings(dd_flattener *fl, dd_flat_decl *decl, dd_apply_setting apply);

/* ---- flatten_declare.c ---- */
void dd_flat_declare_all(dd_flattener *fl);
void dd_flat_declare_with_needs(dd_flattener *fl, uint32_t decl);
void dd_flat_declare_needs(dd_flattener *fl, dd_form f, dd_place place); /* what an unresolved form names */
void dd_flat_report_valueless(dd_flattener *fl, dd_flat_decl *decl);
/* The numbers of a bound parameter. False after a message. */
bool dd_flat_evaluate(dd_flattener *fl, dd_flat_decl *decl);

/* ---- flatten_attribute.c ---- */
void dd_flat_attributes(dd_flattener *fl);
/* `free` is among its attributes (true or false). */
bool dd_flat_may_be_free(const dd_flattener *fl, const dd_flat_decl *decl);

/* ---- flatten_equation.c ---- */
void dd_flat_bindings(dd_flattener *fl);
void dd_flat_equations(dd_flattener *fl); /* of all instances */
void dd_flat_check_assertions(dd_flattener *fl);

/* ---- flatten_statement.c: the tree of statements, resolved ---- */
/* A copy to be resolved in one instance: the same text means other variables in each. */
dd_ast_equation *dd_flat_copy_list(dd_flattener *fl, dd_ast_equation *list);
void dd_flat_note_failures(dd_ast_equation *original, const dd_ast_equation *copy);
void dd_flat_resolve_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section);
/* Walks loops and branches; leaf(fl, eq, section, env) for each statement that is neither. */
typedef void (*dd_flat_leaf)(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env);
void dd_flat_walk_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section, const dd_form_env *env,
                       dd_flat_leaf leaf);

/* ---- flatten_lagrange.c, flatten_inline.c ---- */
void dd_flat_lagrange(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env);
/* e with every variable that is bound in its declaration replaced by its binding. False after a cycle was
 * reported. */
bool dd_flat_inline(dd_flattener *fl, dd_expr *e);

/* ---- flatten_optimization.c ---- */
void dd_flat_declare_times(dd_flattener *fl); /* startTime and finalTime as parameters */
void dd_flat_optimization(dd_flattener *fl);

/* A time of an instance as a parameter, with what the header item says (NULL: the default value; NaN: none). */
void dd_flat_declare_time(dd_flattener *fl, dd_instance *in, const char *name, const dd_ast_mod *mod, dd_span span,
                          double default_value);
void dd_flat_check_header(dd_flattener *fl, const dd_ast_class *class);
const dd_ast_mod *dd_flat_header_item(const dd_flattener *fl, const dd_ast_class *class, const char *name);
/* Adds the objective of a header; returns the integrand. */
dd_expr dd_flat_objectives(dd_flattener *fl, const dd_ast_class *class);
void dd_flat_constraints(dd_flattener *fl, dd_ast_equation *list);
/* One constraint with its names resolved. */
void dd_flat_add_constraint(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env);
/* A free final time without a guess begins one second after the start. */
void dd_flat_guess_final_time(dd_flattener *fl, uint32_t final_var, double start);

/* ---- phases.c: components that are optimization classes ---- */
/* Can this member be a phase? False after a message. */
bool dd_phase_allowed(dd_flattener *fl, const dd_member *member, const dd_ast_class *class);
/* Looks whether the class has phases: fl->phases. */
bool dd_phases_find(dd_flattener *fl);
void dd_flat_declare_phase_times(dd_flattener *fl, dd_instance *in);
/* startTime or finalTime where only phases have one; true after a message. */
bool dd_phase_report_time(dd_flattener *fl, const char *name, dd_span span);
void dd_phase_resolve_connect(dd_flattener *fl, dd_ast_equation *eq);
void dd_phase_add_connect(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env);
/* The phase whose class is read, from 1; 0: none. */
uint32_t dd_phase_current(const dd_flattener *fl);
/* All of the optimization of a class with phases. */
void dd_flat_phases(dd_flattener *fl);

/* ---- flatten_annotation.c ---- */
void dd_flat_annotations(dd_flattener *fl, dd_ast_class *class);

/* ---- draw.c ---- */
/* The drawings of all instances, for model->drawing: the last step, after which nothing else can be elaborated. */
void dd_flat_draw(dd_flattener *fl);

#endif
