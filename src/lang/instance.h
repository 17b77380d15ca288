/* instance.h - the tree of components of a class.
 *
 *   instance (one object of a class: the model itself, arm[2], a package's constants)
 *     └ member (one declaration in it, own or inherited)
 *         ├ leaf: a variable or parameter, scalar or array     -> one flat declaration
 *         └ component: instances, one per element of its array
 *
 * Members are expanded when they are needed: the number of elements of an array of components is a parameter
 * expression, which may need other members first. Modifications travel down the tree as a list, the strongest
 * (outermost) first, each with the place where its values are written.
 */
#ifndef DD_LANG_INSTANCE_H
#define DD_LANG_INSTANCE_H

#include "lang/library.h"
#include "model/model.h"

typedef struct dd_flattener dd_flattener;
typedef struct dd_instance dd_instance;
typedef struct dd_member dd_member;

/* Where a name is written: first the members of the instance are searched, then the scope of the class. */
typedef struct dd_place {
    dd_instance *instance; /* NULL: only classes and constants */
    dd_ast_class *class;   /* NULL: top level */
} dd_place;

/* A modification, as it is passed down to the member that it modifies. */
typedef struct dd_mod {
    struct dd_mod *next; /* weaker */
    const dd_ast_mod *ast;
    dd_place place;          /* its values are written there */
    const uint32_t *element; /* values are arrays, of which this element applies, subscripts from 1 */
    const uint32_t *sizes;   /* of the arrays of components those subscripts are of */
    uint32_t n_element;      /* 0: the whole value */
    uint32_t own;            /* how many of these the array directly above gave: `each` takes them back */
    bool optimization;       /* written in an optimization: free and initialGuess are known */
    bool is_final;
    bool *used; /* set when something of this name was found */
} dd_mod;

typedef enum dd_member_state { DD_MEMBER_NEW, DD_MEMBER_OPEN, DD_MEMBER_DONE } dd_member_state;

struct dd_member {
    dd_instance *parent;
    dd_ast_decl *ast;
    dd_ast_class *owner; /* the class it is written in */
    dd_mod *mods;        /* of the declaration: attributes of a leaf, members of a component */
    const char *path;    /* as printed: arm.th without its own subscripts */
    dd_member_state state;
    bool broken;  /* wrong and reported */
    bool removed; /* conditional, and the condition is false; or is_text */
    bool is_text; /* a parameter of the type String: read, and left out */
    bool is_final, is_protected;
    bool is_connector;
    bool is_flow;                     /* with those of its type and of the component around */
    bool causal_input, causal_output; /* with those of its type */
    dd_ast_variability variability;   /* with that of the components around it */
    /* its binding: the strongest value, with its place; DD_FORM_NONE without */
    dd_form value;
    dd_mod value_mod; /* place and element of the value */
    dd_span value_span;
    /* leaf */
    bool is_leaf;
    dd_ast_class *enumeration; /* whose values it has; NULL otherwise */
    uint32_t decl;             /* in the flattener's list */
    /* component */
    dd_ast_class *class;
    uint32_t ndim, dims[DD_MAX_DIMS], count;
    dd_instance **elements;
};

struct dd_instance {
    dd_instance *parent; /* NULL: the model itself, or a package */
    dd_member *of;       /* the member it is an element of */
    dd_ast_class *class;
    const char *path; /* "arm[2]", "" for the model itself */
    uint32_t depth;
    bool is_package;
    bool broken;
    DD_VEC(dd_ast_class *) sources; /* the classes its equations come from: bases first */
    dd_member **members;
    uint32_t n_members, cap_members;
    dd_map by_name; /* name id -> index + 1, when they are more than a few */
    dd_mod *mods;
};

/* The model itself: collects its members and expands all of them, then theirs. */
dd_instance *dd_instance_root(dd_flattener *fl, dd_ast_class *class);
/* The instance that holds the constants of a package (or of a class around a component). */
dd_instance *dd_instance_package(dd_flattener *fl, dd_ast_class *class);
/* One more declaration: a time of an optimization or phase. */
void dd_instance_add(dd_flattener *fl, dd_instance *in, dd_ast_decl *ast);
/* NULL when it has no such member. */
dd_member *dd_instance_find(const dd_instance *instance, uint32_t name);
/* The nearest name of a member (of a package: of a constant) for messages; NULL without. instance may be NULL. */
const char *dd_instance_suggest(dd_flattener *fl, const dd_instance *instance, const char *name);
/* Determines its kind: leaf or component, with all its elements and their members (not yet expanded). False when
 * it is wrong (reported). */
bool dd_member_expand(dd_flattener *fl, dd_member *member);
/* The element with these subscripts (from 1, all in range). */
dd_instance *dd_member_element(const dd_member *member, const int64_t *subscripts);

/* ---- instance_type.c ---- */
#define DD_INSTANCE_MAX_DEPTH 200 /* components inside components, types of types */

/* The type of a declaration followed to its end. */
typedef struct dd_type_end {
    int predefined;      /* 0 Real, 1 Integer, 2 Boolean; -1: class */
    dd_ast_class *class; /* component class, or the enumeration of an Integer */
    dd_form dims[DD_MAX_DIMS];
    dd_place places[DD_MAX_DIMS];
    uint32_t ndim;
} dd_type_end;

/* Finds the type of a member and its prefixes; false after a message. */
bool dd_member_type(dd_flattener *fl, dd_member *member, dd_type_end *end);

/* ---- instance_mods.c ---- */
/* The modifications as written; a name that occurs twice is reported. */
dd_mod *dd_mods_new(dd_flattener *fl, const dd_ast_mod *list, dd_place place, bool optimization);
/* A copy of `strong` that ends in `weak`. */
dd_mod *dd_mods_join(dd_flattener *fl, const dd_mod *strong, dd_mod *weak);
/* A modification of a member as it applies below it: `each` takes the subscripts of the component around away. */
dd_mod dd_mod_below(const dd_mod *mod);
/* Those that apply inside a member: those in `mods`, then its declaration. */
dd_mod *dd_mods_for_member(dd_flattener *fl, const dd_member *member, dd_mod *mods);
/* Those of one element of an array of components. */
dd_mod *dd_mods_for_element(dd_flattener *fl, const dd_mod *mods, const uint32_t *at, const uint32_t *dims, uint32_t n);
/* Reports those that matched nothing. */
void dd_mods_check(dd_flattener *fl, dd_instance *in, const dd_mod *mods, const dd_ast_class *class);

/* The same of a list as written, before names are resolved; mod is left with the subscripts that remain. */
dd_form dd_mod_listed(const dd_flattener *fl, dd_form value, dd_mod *mod);
/* The part of a value that is for one element of an array of components: an element of the form as written. */
dd_form dd_mod_value(dd_flattener *fl, const dd_mod *mod, dd_form resolved);

/* "arm[2] is an Arm, declared here" behind errors that arose inside a component. */
void dd_instance_note(dd_flattener *fl, const dd_instance *instance);
/* The same behind errors of a value or attribute of a member that is written at this place: where the member is
 * declared when that is elsewhere. */
void dd_member_note(dd_flattener *fl, const dd_member *member, dd_place written);

#endif
