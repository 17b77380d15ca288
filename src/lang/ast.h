/* ast.h - classes as parsed. Lists are linked in source order; expressions are forms (expr/form.h) with unresolved
 * names: NAME, PATH and UNKNOWN_CALL.
 *
 *   file ── class ── classes (nested), imports, extends, declarations ── modifications (nested)
 *             ├───── equations / initial equations / constraints / algorithm ── for, if ── statements
 *             └───── annotation
 */
#ifndef DD_LANG_AST_H
#define DD_LANG_AST_H

#include "base/hash.h"
#include "expr/form.h"

/* a.b.c as written where a class is named; .a.b begins at the top level. */
typedef struct dd_ast_name {
    const uint32_t *parts; /* name ids */
    uint32_t n;            /* 0: none */
    bool global;
    dd_span span;
} dd_ast_name;

/* name(nested...) = value, in a declaration, an extends clause, an optimization's header or an annotation. Written
 * with dots, a.b = 1, it is a(b = 1). */
typedef struct dd_ast_mod {
    struct dd_ast_mod *next, *nested;
    uint32_t name; /* name id */
    bool each, is_final;
    dd_form value; /* DD_FORM_NONE without */
    dd_span span;  /* of the name */
} dd_ast_mod;

/* Real[3], A.B.T: a type as written before a name. */
typedef struct dd_ast_type_ref {
    dd_ast_name name;
    dd_form dims; /* ARRAY of sizes, COLON for `:`; DD_FORM_NONE without */
    dd_span span;
} dd_ast_type_ref;

typedef enum dd_ast_variability { DD_AST_VARIABLE, DD_AST_PARAMETER, DD_AST_CONSTANT } dd_ast_variability;

typedef struct dd_ast_decl {
    struct dd_ast_decl *next;
    dd_ast_variability variability;
    bool is_input, is_output, is_final, is_flow, is_protected;
    dd_ast_type_ref type;
    uint32_t name;
    dd_form dims; /* of the name itself, before those of the type */
    dd_ast_mod *mods;
    dd_form binding;
    dd_form condition; /* component if condition; DD_FORM_NONE without */
    uint32_t doc;      /* name id of the text, 0 without */
    dd_span span;      /* of the name */
} dd_ast_decl;

typedef enum dd_ast_equation_kind {
    DD_AST_EQUALITY,   /* lhs = rhs; lhs may be a TUPLE, (a, b) = f(x) */
    DD_AST_CONSTRAINT, /* lhs rel rhs, in a constraint section */
    DD_AST_FOR,        /* loop, range, body */
    DD_AST_IF,         /* branches */
    DD_AST_ASSERT,     /* lhs: condition, rhs: message */
    DD_AST_LAGRANGE,   /* mods: the named arguments */
    DD_AST_CONNECT,    /* connect(lhs, rhs) */
    DD_AST_CALL,       /* f(x) alone, for its assertions; lhs: the call */
    DD_AST_LIST,   /* body: statements in the place of one; an `if` whose condition changes with time becomes this */
    DD_AST_ASSIGN, /* algorithm: lhs := rhs; lhs is a NAME or PATH with subscripts, or a TUPLE */
    DD_AST_WHILE,  /* algorithm: rhs: condition, body */
    DD_AST_RETURN, /* algorithm */
    DD_AST_BREAK   /* algorithm */
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
    bool failed;     /* reported as wrong: not elaborated again in a loop */
    bool is_warning; /* ASSERT: AssertionLevel.warning */
    dd_span span;
} dd_ast_equation;

typedef struct dd_ast_branch {
    struct dd_ast_branch *next;
    dd_form condition; /* DD_FORM_NONE for else */
    dd_ast_equation *body;
    dd_span span;
} dd_ast_branch;

/* The result of looking up a class named in extends or in a short definition. */
typedef enum dd_ast_found {
    DD_AST_UNKNOWN, /* not looked up yet */
    DD_AST_FOUND,
    DD_AST_PREDEFINED, /* Real, Integer, Boolean, String */
    DD_AST_WRONG       /* reported */
} dd_ast_found;

typedef struct dd_ast_extends {
    struct dd_ast_extends *next;
    dd_ast_name name;
    dd_ast_mod *mods;
    dd_ast_decl *before; /* the last declaration before it, NULL: none; keeps the order of variables */
    bool is_protected;
    dd_span span;
    struct dd_ast_class *target; /* lookup.c: the class it names; NULL: not looked up yet, wrong or predefined */
    dd_ast_found found;
} dd_ast_extends;

/* import A.B; (alias 0)  import C = A.B; (alias C)  import A.*; (all)  import A.{B, C}: one entry for each. */
typedef struct dd_ast_import {
    struct dd_ast_import *next;
    dd_ast_name name;
    uint32_t alias; /* the name it is known by here: the last part when no other is given; 0 with all */
    bool all;
    bool reported; /* as wrong */
    dd_span span;
} dd_ast_import;

typedef struct dd_ast_literal {
    struct dd_ast_literal *next;
    uint32_t name, doc;
    dd_span span;
} dd_ast_literal;

typedef enum dd_ast_section {
    DD_AST_EQUATIONS,
    DD_AST_INITIAL,
    DD_AST_CONSTRAINTS,
    DD_AST_ALGORITHM, /* of a function */
    DD_AST_SECTIONS
} dd_ast_section;

typedef enum dd_ast_class_kind {
    DD_CLASS_MODEL,
    DD_CLASS_CLASS,
    DD_CLASS_BLOCK,
    DD_CLASS_CONNECTOR,
    DD_CLASS_RECORD,
    DD_CLASS_PACKAGE,
    DD_CLASS_FUNCTION,
    DD_CLASS_TYPE,
    DD_CLASS_OPTIMIZATION
} dd_ast_class_kind;

typedef struct dd_ast_class {
    struct dd_ast_class *next;   /* sibling */
    struct dd_ast_class *parent; /* the class it is written in; NULL at the top level */
    dd_ast_class_kind kind;
    bool is_partial, is_encapsulated, is_final, is_protected;
    uint32_t name, doc;
    uint32_t file;      /* source number */
    dd_span span;       /* of the name */
    dd_ast_mod *header; /* optimization NAME(header) */

    /* class NAME = [input|output|flow] base(mods): `is_short`; base.dims are those of the definition */
    bool is_short, short_input, short_output, short_flow;
    dd_ast_type_ref base;
    dd_ast_mod *mods;
    bool is_enumeration; /* type E = enumeration(a, b) */
    dd_ast_literal *literals;
    uint32_t n_literals;

    struct dd_ast_class *classes; /* nested, in order; those of a folder's files are added when they are asked for */
    dd_ast_import *imports;
    dd_ast_extends *extends;
    dd_ast_decl *decls;
    dd_ast_equation *equations[DD_AST_SECTIONS];
    dd_ast_mod *annotation;
    const char *folder; /* of a package kept as a folder: its path; NULL otherwise */

    dd_map class_by_name, decl_by_name; /* name id -> index + 1 in the order of the lists; made when first asked for */
    struct dd_ast_class **nested;       /* by that index */
    dd_ast_decl **members;
    uint32_t n_nested, cap_nested;
    bool indexed, looking;            /* looking: marks of lookups and instantiations under way, against cycles */
    struct dd_ast_class *base_target; /* of a short definition, as in dd_ast_extends */
    dd_ast_found base_found;
    uint8_t bases;    /* lookup.c: are the classes it extends looked up? 0 no, 1 under way, 2 yes */
    bool used;        /* library_main.c: by another class of the file */
    uint32_t visited; /* lookup.c: the number of the last search that came here */

    struct dd_ast_class **classes_end; /* where the next one is appended */
    dd_ast_import **imports_end;
    dd_ast_extends **extends_end;
    dd_ast_decl **decls_end;
    dd_ast_decl *last_decl;
    dd_ast_equation **equations_end[DD_AST_SECTIONS];
    dd_ast_mod **annotation_end;
} dd_ast_class;

typedef struct dd_ast_file {
    dd_ast_class *classes; /* top level; types are classes too */
    dd_ast_name within;    /* n == 0 without, or `within ;` */
    bool has_within;
    bool is_base; /* Base Modelica: `//! base ...` in the first line */
} dd_ast_file;

/* a.b.c as written, with quotes where they are needed. */
const char *dd_ast_name_text(const dd_names *names, const dd_ast_name *name, dd_pool *pool);

#endif
