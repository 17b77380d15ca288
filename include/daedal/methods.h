/* methods.h - Runge-Kutta methods and backward differentiation formulas: order, stability, cost.
 *
 *     dd_method *m;  dd_method_new(&m, ctx, "gauss-2");      // or dd_method_read for a file with a tableau
 *     dd_method_order(m);                                    // 4
 *     const char *text;  dd_method_json(&text, m, 0);
 *
 * Orders come from the order conditions over rooted trees, stability from R(z) = det(I - z(A - 1 b^T)) / det(I - zA).
 */
#ifndef DAEDAL_METHODS_H
#define DAEDAL_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "daedal/context.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_method dd_method;

typedef enum dd_method_kind { DD_METHOD_EXPLICIT, DD_METHOD_IMPLICIT, DD_METHOD_MULTISTEP } dd_method_kind;

/* A method by its name, see docs/methods.md. DD_INVALID_ARGUMENT for an unknown name; the message may suggest
 * another. */
DD_API dd_status dd_method_new(dd_method **out, dd_context *ctx, const char *name);

/* A method from a JSON file with A, b and optionally c, bhat, name. DD_IO, DD_LIMIT or DD_INVALID_MODEL with
 * diagnostics. */
DD_API dd_status dd_method_read(dd_method **out, dd_context *ctx, const char *path);

DD_API void dd_method_free(dd_method *method); /* NULL is fine */

DD_API const char *dd_method_name(const dd_method *method);
DD_API dd_method_kind dd_method_kind_of(const dd_method *method);
DD_API const char *dd_method_kind_name(dd_method_kind kind); /* "explicit", "implicit", "multistep" */
DD_API uint32_t dd_method_stages(const dd_method *method);   /* 1 for multistep formulas */
DD_API uint32_t dd_method_order(const dd_method *method);
DD_API uint32_t dd_method_embedded_order(const dd_method *method); /* 0: there is no embedded formula */
DD_API bool dd_method_row_sums_ok(const dd_method *method);        /* c_i = sum_j A_ij for all i */
DD_API bool dd_method_a_stable(const dd_method *method);
DD_API bool dd_method_l_stable(const dd_method *method);

/* Coefficients, or NULL: A stages x stages, row-major; b, c, bhat: stages. They live as long as the method. */
DD_API const double *dd_method_A(const dd_method *method);
DD_API const double *dd_method_b(const dd_method *method);
DD_API const double *dd_method_c(const dd_method *method);
DD_API const double *dd_method_bhat(const dd_method *method);

/* The factor by which the method multiplies the solution of x' = lambda x in one step: |R(z)|, z = h lambda =
 * re + i im; for multistep formulas the largest root. */
DD_API double dd_method_factor(const dd_method *method, double re, double im);

/* The least number of evaluations of the right-hand side for a global error of tol, if the error is c h^order: the
 * smallest whole n >= stages T (tol/c)^(-1/order) for an interval of length T, with c = T = 1. NaN unless 0 < tol <
 * 1. */
DD_API double dd_method_evaluations(const dd_method *method, double tol);

/* The method as one JSON object, without line end; tol > 0 adds "cost". For people: its tableau and properties, with
 * decimals of `digits` digits (0: fractions where they are short). The texts live until the method is freed. */
DD_API dd_status dd_method_json(const char **out, dd_method *method, double tol);
DD_API dd_status dd_method_text(const char **out, dd_method *method, double tol, uint32_t digits);

/* Writes a picture of the stability region to an SVG file, atomically. */
/* Writes a page with the tableau and the stability region: one HTML file that needs no other. */
DD_API dd_status dd_method_write_report(dd_method *method, const char *path);
DD_API dd_status dd_method_plot(dd_method *method, const char *path);

/* ---- all of them ---- */

typedef struct dd_method_list dd_method_list;

/* All single methods and the small members of the families. */
DD_API dd_status dd_method_list_new(dd_method_list **out, dd_context *ctx);
DD_API void dd_method_list_free(dd_method_list *list);
DD_API uint32_t dd_method_list_count(const dd_method_list *list);
DD_API const dd_method *dd_method_list_get(const dd_method_list *list, uint32_t i); /* i < count */

/* The pair (DD_METHOD_EXPLICIT) or L-stable method (DD_METHOD_IMPLICIT) of the list that takes the fewest
 * evaluations for tol; NULL when there is none. */
DD_API const dd_method *dd_method_list_suggest(const dd_method_list *list, dd_method_kind kind, double tol);

/* {"methods":[...]}, and as a table; tol > 0 adds costs and suggestions. The texts live until the list is freed. */
DD_API dd_status dd_method_list_json(const char **out, dd_method_list *list, double tol);
DD_API dd_status dd_method_list_text(const char **out, dd_method_list *list, double tol);

#ifdef __cplusplus
}
#endif
#endif
