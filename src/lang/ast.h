/* ast.h - classes as parsed. Lists are linked in source order; expressions are forms (expr/form.h) with unresolved
 * names.
 *
 *   file ── class ── types, extends, declarations ── modifications (nested)
 *             ├───── equations / initial equations / constraints ── for, if ── equations
 *             └───── annotation
 */
#ifndef DD_LANG_AST_H
#define DD_LANG_AST_H

#include "expr/form.h"

/* name(nested...) = value, in a declaration, an extends clause, an optimization's header or an annotation. */
typedef struct dd_ast_mod {
    struct dd_ast_mod *next, *nested;
    uint32_t name; /* name id */
    bool each;
    dd_form value; /* DD_FORM_NONE without */
    dd_span span;  /* of the name */
} dd_ast_mod;

/* Real[3], T: a type as written before a name. */
typedef struct dd_ast_type_ref {
    uint32_t name;
    bool dotted;  /* a.b: a class in a package */
    dd_form dims; /* ARRAY of sizes, COLON for `:`; DD_FORM_NONE without */
    dd_span span;
} dd_ast_type_ref;

/* type T = Real[3](unit = "m"); */
typedef struct dd_ast_type {
    struct dd_ast_type *next;
    uint32_t name;
    dd_ast_type_ref base;
    dd_ast_mod *mods;
    dd_span span;
} dd_ast_type;

typedef enum dd_ast_variability { DD_AST_VARIABLE, DD_AST_PARAMETER, DD_AST_CONSTANT } dd_ast_variability;

typedef struct dd_ast_decl {
    struct dd_ast_decl *next;
    dd_ast_variability variability;
    bool is_input, is_output, is_final;
    dd_ast_type_ref type;
    uint32_t name;
    dd_form dims; /* of the name itself, before those of the type */
    dd_ast_mod *mods;
    dd_form binding;
    uint32_t doc; /* name id of the text, 0 without */
    dd_span span; /* of the name */
} dd_ast_decl;

typedef enum dd_ast_equation_kind {
    DD_AST_EQUALITY,   /* lhs = rhs */
    DD_AST_CONSTRAINT, /* lhs rel rhs, in a constraint section */
    DD_AST_FOR,        /* loop, range, body */
    DD_AST_IF,         /* branches */
    DD_AST_ASSERT,     /* lhs: condition, rhs: message */
    DD_AST_LAGRANGE,   /* mods: the named arguments */
    DD_AST_LIST /* body: statements in the place of one; an `if` whose condition changes with time becomes this */
} dd_ast_equation_kind;

typedef struct dd_ast_equation {
    struct dd_ast_equation *next, *body; /* body of FOR: one loop variable each, `for i, j` is nested */
    struct dd_ast_branch *branches;
    dd_ast_mod *mods;
    dd_ast_equation_kind kind;
    dd_form_rel rel;
    dd_form lhs, rhs; /* FOR: rhs is the range */
    uint32_t loop;    /* number of the loop variable */
    uint32_t doc;
    bool failed; /* reported as wrong: not elaborated again in a loop */
    dd_span span;
} dd_ast_equation;

typedef struct dd_ast_branch {
    struct dd_ast_branch *next;
    dd_form condition; /* DD_FORM_NONE for else */
    dd_ast_equation *body;
    dd_span span;
} dd_ast_branch;

typedef struct dd_ast_extends {
    struct dd_ast_extends *next;
    uint32_t name;
    dd_ast_mod *mods;
    dd_ast_decl *before; /* the last declaration before it, NULL: none; keeps the order of variables */
    dd_span span;
} dd_ast_extends;

typedef enum dd_ast_section { DD_AST_EQUATIONS, DD_AST_INITIAL, DD_AST_CONSTRAINTS, DD_AST_SECTIONS } dd_ast_section;

typedef struct dd_ast_class {
    struct dd_ast_class *next;
    bool is_optimization;
    uint32_t name, doc;
    dd_span span;       /* of the name */
    dd_ast_mod *header; /* optimization NAME(header) */
    dd_ast_type *types;
    dd_ast_extends *extends;
    dd_ast_decl *decls;
    dd_ast_equation *equations[DD_AST_SECTIONS];
    dd_ast_mod *annotation;
    dd_ast_extends **extends_end; /* where the next one is appended */
    dd_ast_equation **equations_end[DD_AST_SECTIONS];
    dd_ast_mod **annotation_end;
} dd_ast_class;

typedef struct dd_ast_file {
    dd_ast_class *classes;
    dd_ast_type *types; /* at the top level */
} dd_ast_file;

#endif
