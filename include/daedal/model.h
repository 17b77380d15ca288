/* model.h - models: read from text or built by calls.
 *
 *     dd_model *m;  dd_model_new(&m, ctx, "Pendulum");
 *     dd_expr p[3];  dd_model_add_variable(m, "p", 3, NULL, p);      // p[1], p[2], p[3]
 *     dd_model_add_equation(m, "rod", dd_expr_dot(m, p, p, 3), dd_expr_number(m, 1));
 *     dd_system *s;  dd_model_analyse(&s, m, NULL);                  // see check.h
 *
 * The first failure of a building call stays with the model: every later one and dd_model_analyse return the same
 * status and put the same message into the context. So a long list of calls needs one check at its end.
 * DD_INVALID_ARGUMENT: the message names the call and the argument. DD_LIMIT: more than 10^7 scalar variables.
 */
#ifndef DAEDAL_MODEL_H
#define DAEDAL_MODEL_H

#include <stdbool.h>

#include "daedal/export.h"
#include "daedal/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- from text ---- */

typedef struct dd_load_options {
    const char *class_name;      /* model or optimization to load; NULL: the last one that no other class uses */
    const char *const *settings; /* "NAME=VALUE" strings: parameters, start values, inputs; n_settings of them */
    uint32_t n_settings;
    const char *settings_from;    /* where they are written, for messages; NULL: the option set */
    const char *const *libraries; /* folders where classes of other files are looked for; n_libraries of them */
    uint32_t n_libraries;
} dd_load_options;

DD_API dd_load_options dd_load_options_default(void);

/* Reads a file. A class that it does not define is looked for as NAME.mo or NAME/package.mo in the folder of the file,
 * in `libraries`, in the folders of the environment variable DAEDAL_PATH (separated by colons) and in the model library
 * that is installed with Daedal, in this order. DD_IO when it cannot be read, DD_INVALID_MODEL with diagnostics in the
 * context when it is wrong. */
DD_API dd_status dd_model_load_file(dd_model **out, dd_context *ctx, const char *path, const dd_load_options *options);

/* Reads `length` bytes of text, called `name` in messages; other files are looked for as above, except in the folder of
 * the file. */
DD_API dd_status dd_model_load_text(dd_model **out, dd_context *ctx, const char *name, const char *text, size_t length,
                                    const dd_load_options *options);

/* ---- by calls ---- */

/* An empty model. The name of a model or variable is any text on one line; in the language, names other than plain
 * identifiers are quoted: "a b" becomes 'a b'. */
DD_API dd_status dd_model_new(dd_model **out, dd_context *ctx, const char *name);

/* Frees the model; NULL is fine. Systems analysed from it must be freed before it. */
DD_API void dd_model_free(dd_model *model);

/* Attributes of variables; start from dd_attributes_default(). NaN means "not given". */
typedef struct dd_attributes {
    double start;           /* a guess, or the initial value when fixed */
    double min, max;        /* an infinite bound is no bound */
    double nominal;         /* typical size, not 0 */
    bool fixed;             /* not for inputs */
    const char *unit, *doc; /* NULL: none; they belong to the whole vector, which takes the first ones given */
} dd_attributes;

DD_API dd_attributes dd_attributes_default(void);

/* Declares a variable: size 0 is a scalar, size n > 0 a vector of n elements. Variables are the unknowns of the model,
 * inputs are supplied from outside. attributes: NULL, or max(size, 1) entries, one per element. Writes max(size, 1)
 * symbols to `symbols` (may be NULL); after a failure they are DD_EXPR_NONE. All texts are copied. */
DD_API dd_status dd_model_add_variable(dd_model *model, const char *name, uint32_t size,
                                       const dd_attributes *attributes, dd_expr *symbols);
DD_API dd_status dd_model_add_input(dd_model *model, const char *name, uint32_t size, const dd_attributes *attributes,
                                    dd_expr *symbols);
/* A parameter; values: max(size, 1) finite numbers. */
DD_API dd_status dd_model_add_parameter(dd_model *model, const char *name, uint32_t size, const double *values,
                                        dd_expr *symbols);

/* Adds the equation lhs = rhs. label is used in messages and in the flat text ("" or NULL: none). */
DD_API dd_status dd_model_add_equation(dd_model *model, const char *label, dd_expr lhs, dd_expr rhs);
/* The same for the initial time only. */
DD_API dd_status dd_model_add_initial_equation(dd_model *model, const char *label, dd_expr lhs, dd_expr rhs);

/* Lagrange's equations of motion, see lagrange(...) in the language reference. Unused parts are 0/NULL; expressions
 * that are needed must not be DD_EXPR_NONE. T, V and c contain only q, der(q) (T alone), time, parameters, inputs. */
typedef struct dd_lagrange_input {
    const dd_expr *q; /* nq coordinates: different variables */
    uint32_t nq;
    dd_expr T, V, D;  /* kinetic and potential energy, dissipation; V and D may be DD_EXPR_NONE */
    const dd_expr *c; /* nc holonomic constraints c = 0 */
    uint32_t nc;
    const dd_expr *a; /* na constraints a = 0, linear in der(q) */
    uint32_t na;
    const dd_expr *lambda;          /* nc + na multipliers: different variables, none of q */
    const dd_expr *Q;               /* nq generalised forces or NULL */
    const dd_expr *forces, *points; /* nf scalar components each: Cartesian forces and the points they act at */
    uint32_t nf;
} dd_lagrange_input;

/* Adds nq equations of motion and the nc + na constraints. */
DD_API dd_status dd_model_add_lagrange(dd_model *model, const dd_lagrange_input *input);

/* ---- name and text ---- */

/* The name, in quotes if the language requires them. Lives as long as the model. */
DD_API const char *dd_model_name(const dd_model *model);

/* The flat model in the modelling language: the text reads back as the same model. It lives as long as the model. */
DD_API dd_status dd_model_flat_text(const char **out, dd_model *model);

#ifdef __cplusplus
}
#endif
#endif
