/* library_private.h - shared by library.c (files) and lookup.c (names). */
#ifndef DD_LANG_LIBRARY_PRIVATE_H
#define DD_LANG_LIBRARY_PRIVATE_H

#include "lang/library.h"

#define DD_LIBRARY_MAX_DEPTH 100 /* lookups that wait for each other; bounds the recursion */
#define DD_LIBRARY_MAX_SUGGESTIONS 20
#define DD_LIBRARY_MISSING UINT32_MAX /* in `top`: looked for and not there */
#define DD_LIBRARY_BROKEN (UINT32_MAX - 1)

struct dd_library {
    dd_context *ctx;
    dd_pool *pool;
    dd_forms *forms;
    dd_names *names;
    dd_ast_file *ast;
    uint32_t file;
    const char *const *paths;   /* given by the caller */
    DD_VEC(const char *) roots; /* where files are looked for; filled when the first is needed */
    bool has_roots;
    bool own_only; /* no files are read: who uses whom inside the model's file */
    dd_map top;    /* name id -> index + 1 in classes, or one of the marks above */
    DD_VEC(dd_ast_class *) classes;
    DD_VEC(dd_ast_class *) stack; /* of searches under way */
    uint32_t search;              /* number of the last one */
    uint32_t depth;               /* of lookups inside each other */
    uint32_t suggestions;
    uint32_t predefined[4];     /* name ids of Real, Integer, Boolean, String */
    dd_ast_class *enumerations; /* StateSelect, AssertionLevel */
};

/* ---- library.c ---- */
/* A top-level class: of the model's file, or of a file that is found for it. */
dd_element dd_library_top(dd_library *lib, uint32_t name);
/* A member of a folder package that was not read yet; NONE without a file for it. */
dd_element dd_library_folder_member(dd_library *lib, dd_ast_class *package, uint32_t name);
/* Names of files and folders that could be members; for suggestions. */
void dd_library_folder_candidates(dd_library *lib, const dd_ast_class *package, dd_pool *pool, const char ***names,
                                  uint32_t *count);

/* ---- lookup.c ---- */
void dd_library_index(dd_library *lib, dd_ast_class *class);
/* Forgets what was looked up while own_only was set and not found. */
void dd_library_forget_bases(dd_ast_class *const *classes, uint32_t n);
/* The bases of a class that were found, onto lib->stack, the first on top. */
void dd_library_push_bases(dd_library *lib, dd_ast_class *class);
/* A name as it is printed, with quotes where needed. */
const char *dd_library_name(const dd_library *lib, uint32_t id);
void dd_library_add_nested(dd_library *lib, dd_ast_class *class, dd_ast_class *nested);

#endif
