/* latex.h - formulas of the modelling language as LaTeX. */
#ifndef DD_EXPR_LATEX_H
#define DD_EXPR_LATEX_H

#include "base/text.h"

/* What a formula does not say itself: the number of dimensions of a name. A product of two vectors is set with a dot. */
typedef struct dd_latex_names {
    void *user;
    int (*dimensions)(void *user, const char *name, size_t length); /* 0: a scalar, or unknown */
} dd_latex_names;

/* Adds a formula or an equation, as the printers write it ("p*der(v) + v*v = 0"), as LaTeX for math mode. The commands
 * are those of LaTeX and amsmath. What is no formula, or nests too deeply, is set as it is, in typewriter letters.
 * Raises when memory runs out. */
void dd_latex_formula(const char *formula, const dd_latex_names *names, dd_text *out);

/* Adds text for a paragraph: characters with a meaning in LaTeX are written by their commands. */
void dd_latex_text(const char *text, dd_text *out);

/* ---- latex_name.c ---- */
/* A name in two parts: theta1 is \theta with the subscript 1. */
typedef struct dd_latex_name {
    const char *base, *sub; /* in the pool; sub is "" without a subscript */
} dd_latex_name;
dd_latex_name dd_latex_name_of(const char *name, size_t length, dd_pool *pool);

#endif
