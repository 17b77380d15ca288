/* lang.h - the front end: model text to a flat model. */
#ifndef DD_LANG_LANG_H
#define DD_LANG_LANG_H

#include "model/model.h"

/* One --set NAME=VALUE: a parameter or start value, or an input's expression in time. Text as given. */
typedef struct dd_setting {
    const char *name, *value;
    const char *from; /* where it is written, for messages; NULL: the option set */
} dd_setting;

/* A text and how it is read. */
typedef struct dd_lang_source {
    const char *file; /* its name in messages */
    const char *text; /* length bytes */
    size_t length;
    const char *const *paths; /* folders searched first for other classes, NULL-terminated or NULL (lang/library.h) */
    const char *class_name;   /* to flatten; NULL: the last class that no other class of the file uses */
    const dd_setting *settings;
    uint32_t n_settings;
} dd_lang_source;

/* Parses the text and flattens the class. Inside dd_protect; raises DD_INVALID_MODEL after at least one diagnostic.
 * *choice (may be NULL) receives the name when it was chosen among several. The model owns pool. */
dd_model *dd_lang_load(dd_context *ctx, dd_pool *pool, const dd_lang_source *source, const char **choice);

/* Reads one equation "lhs = rhs" or expression in the scope of a flat model and elaborates it to scalar residuals
 * (lhs - rhs); for tests, the command line and annotations. Reports and returns false on errors. */
bool dd_lang_read_equation(dd_model *m, dd_pool *scratch, const char *text, dd_expr **rows, uint32_t *count);
/* The same for a text from somewhere else: messages call its place source_name, "option --exact". */
bool dd_lang_read_relation(dd_model *m, dd_pool *scratch, const char *source_name, const char *text, dd_expr **rows,
                           uint32_t *count);

/* "time" for a name that may mean it: t, as in most texts, or a slip of the pen; NULL for others. */
const char *dd_lang_time_meant(const char *name);

#endif
