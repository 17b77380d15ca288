/* export_code.h - a model as source code: C99 that depends on nothing, or a Functional Mock-up Unit.
 *
 *     dd_export_options o = dd_export_options_default();
 *     const char *json;
 *     dd_export *x;
 *     if (dd_export_c(&x, system, "out", &o) == DD_OK) ... dd_export_json(x) ...
 *     dd_export_free(x);
 *
 * Files are written all or none: an interrupted call leaves what was there before.
 */
#ifndef DAEDAL_EXPORT_CODE_H
#define DAEDAL_EXPORT_CODE_H

#include "daedal/check.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_export dd_export;

typedef struct dd_export_options {
    const char *method;  /* a Runge-Kutta method by name; NULL: rk4 for explicit rates, else radau-3; FMUs: radau-3 */
    double step;         /* of main.c and the FMU's first step; 0: a five-hundredth of the experiment */
    double tol;          /* of an FMU's co-simulation; 0: the model's Tolerance, else 1e-6 */
    uint32_t iterations; /* Newton iterations at most, per step; 0: 10 */
    int fmi;             /* version of an FMU: 2 or 3 */
    bool auto_init, project; /* of the start, as in simulations */
} dd_export_options;
DD_API dd_export_options dd_export_options_default(void);

/* Writes the folder `path` with NAME.h, NAME.c, main.c, CMakeLists.txt and README.md. DD_INVALID_MODEL when the model is
 * wrong, has no consistent start, or contains what the code cannot express; DD_INVALID_ARGUMENT for a method that does
 * not fit; DD_IO when something else is at `path` or cannot be written. *out holds the report, also of failures after
 * which it is NULL. The system must outlive it. */
DD_API dd_status dd_export_c(dd_export **out, const dd_system *system, const char *path,
                             const dd_export_options *options);

/* Writes an FMU: modelDescription.xml, sources, and a binary by the C compiler of this machine (CC in the environment,
 * else cc). DD_IO when there is none or it fails. */
DD_API dd_status dd_export_fmu(dd_export **out, const dd_system *system, const char *path,
                               const dd_export_options *options);

/* {"status":"ok","files":[..],"functions":[..],"bytes":..}; lives as long as x. */
DD_API const char *dd_export_json(const dd_export *x);
DD_API void dd_export_free(dd_export *x); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
