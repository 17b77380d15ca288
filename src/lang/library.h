/* library.h - the classes that a model can name: those of its file, and those of the files that are found for them.
 *
 * A top-level name that the model's file does not define is looked for as NAME.mo or NAME/package.mo in the folder of
 * the file, in --library folders, in those of DAEDAL_PATH, in share/daedal/lib of the installation and in lib/ of the
 * source tree, in this order. Members of a folder package are read when they are first named (package.order only
 * determines their order in listings). Every file is parsed once.
 */
#ifndef DD_LANG_LIBRARY_H
#define DD_LANG_LIBRARY_H

#include "lang/ast.h"

typedef struct dd_library dd_library;

/* The meaning of a name. */
typedef enum dd_element_kind {
    DD_ELEMENT_NONE,      /* nothing */
    DD_ELEMENT_BROKEN,    /* something wrong that was reported */
    DD_ELEMENT_CLASS,     /* class */
    DD_ELEMENT_DECL,      /* decl of class `owner` (where it is written), reached through class `class` */
    DD_ELEMENT_LITERAL,   /* literal number `literal` (from 1) of the enumeration `class` */
    DD_ELEMENT_PREDEFINED /* Real, Integer, Boolean, String; `type` */
} dd_element_kind;

typedef struct dd_element {
    dd_element_kind kind;
    dd_ast_class *class, *owner;
    dd_ast_decl *decl;
    uint32_t literal;
    int type; /* 0 Real, 1 Integer, 2 Boolean, 3 String */
} dd_element;

/* ast: the model's own file. paths: folders of --library, NULL-terminated or NULL. */
dd_library *dd_library_new(dd_pool *pool, dd_forms *forms, dd_ast_file *ast, uint32_t file, const char *const *paths);

/* One name as seen from inside `scope` (NULL: top level): members of the class itself with those it inherits, its
 * imports, then the classes around it (none outside an encapsulated one but predefined names), then the top level.
 * Nothing is reported when it is not found. */
dd_element dd_lookup(dd_library *lib, dd_ast_class *scope, uint32_t name);
/* A member of a class or package by name: its own or an inherited one (not imports). */
dd_element dd_lookup_member(dd_library *lib, dd_ast_class *class, uint32_t name);
/* a.b.c from inside scope. *rest (may be NULL) receives how many parts were read: n, less when part number *rest was
 * not found, and less with DD_ELEMENT_DECL, when the remaining parts are members of that component. */
dd_element dd_lookup_path(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, uint32_t *rest);
/* The class that `name` names there; NULL after a message ("there is no class Resistr in Daedal.Electrical: did you
 * mean Resistor?", with the kinds of things named when it is something else than a class). */
dd_ast_class *dd_lookup_class(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name);
/* The class an extends clause of `class` names: looked up without the members inherited through that clause, so that
 * cycles end; NULL after a message. */
dd_ast_class *dd_lookup_base(dd_library *lib, dd_ast_class *class, const dd_ast_extends *extends);
/* The meaning of B in a short definition class A = B: a class, a predefined type, or DD_ELEMENT_BROKEN after a
 * message. */
dd_element dd_lookup_short(dd_library *lib, dd_ast_class *class);
/* Says why `element`, found for `name` up to part `rest`, is not what is needed ("a class", "a function"): not there,
 * or something else. Silent for DD_ELEMENT_BROKEN. */
void dd_lookup_report(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, dd_element element, uint32_t rest,
                      const char *needed);
/* "Daedal.Electrical.Resistor". */
const char *dd_class_full_name(dd_library *lib, const dd_ast_class *class, dd_pool *pool);
/* The nearest name visible there, for messages; NULL without (also after many: each looks at every name). */
const char *dd_lookup_suggest(dd_library *lib, dd_ast_class *scope, const char *name);
/* The nearest name of a member of a class or package; NULL without. */
const char *dd_lookup_suggest_member(dd_library *lib, dd_ast_class *class, const char *name);
/* Top-level classes of the model's file, in order. */
dd_ast_class *dd_library_classes(dd_library *lib);
/* The class to take: the one of this name (with dots, or the last part alone when that is clear), or without a name the
 * last model, block or optimization of the file that no other class there uses. *several: it was chosen among several.
 * NULL after a message. */
dd_ast_class *dd_library_main_class(dd_library *lib, const char *name, bool *several);

#endif
