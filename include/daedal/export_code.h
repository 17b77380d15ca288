/* export_code.h - a model, a controller or a solver as source code: C99 without dependencies; a model also as a
 * Functional Mock-up Unit.
 *
 *     dd_export_options o = dd_export_options_default();
 *     dd_export *x;
 *     if (dd_export_c(&x, system, "out", &o) == DD_OK) ... dd_export_json(x) ...
 *     dd_export_free(x);
 *
 * A new folder or archive appears complete or not at all; in an existing folder files are replaced one by one.
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
    double step;         /* of main.c and first of an FMU; 0: the model's Interval, else a 500th of the experiment */
    double tol;          /* of an FMU's co-simulation; 0: the model's Tolerance, else 1e-6 */
    uint32_t iterations; /* maximum number of Newton iterations per step; 0: 10 */
    int fmi;             /* version of an FMU: 2 or 3 */
    bool auto_init, project; /* for the start, as in simulations */
    /* Of optimization classes; 0 and NULL: the class's annotation, else the defaults of control.h and optimize.h. */
    uint32_t intervals, degree;
    const char *control; /* constant, linear or polynomial */
    const char *mode;    /* of controllers: converge or rti */
} dd_export_options;
DD_API dd_export_options dd_export_options_default(void);

/* Writes the folder `path` with NAME.h, NAME.c, main.c, CMakeLists.txt and README.md. A class with nmpc(...) is written
 * as its controller, another optimization class as its solver. Both are solved once during the export, and the
 * generated code starts from that solution. DD_INVALID_MODEL when the model is wrong, has no consistent start, or
 * cannot be expressed in C; DD_INVALID_ARGUMENT for a method that does not fit; DD_IO when `path` is not a folder or
 * cannot be written. *out holds the report, NULL after a failure. The system must outlive it. */
DD_API dd_status dd_export_c(dd_export **out, const dd_system *system, const char *path,
                             const dd_export_options *options);

/* Writes an FMU: modelDescription.xml, sources, and a binary built with the C compiler of this machine (CC in the
 * environment, else cc). DD_IO when there is no compiler or it fails. */
DD_API dd_status dd_export_fmu(dd_export **out, const dd_system *system, const char *path,
                               const dd_export_options *options);

/* {"status":"ok","files":[..],"functions":[..],"bytes":..}; lives as long as x. */
DD_API const char *dd_export_json(const dd_export *x);
DD_API void dd_export_free(dd_export *x); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
