/* ocp_kit.h - one optimization from text to answer, with files beside it. */
#ifndef DD_TESTS_OCP_KIT_H
#define DD_TESTS_OCP_KIT_H

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "daedal/daedal.h"
#include "daedal/optimize.h"
#include "ocp/ocp_impl.h"
#include "unit/base/support.h"

typedef struct kit {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_ocp *ocp;
    dd_ocp_info info;
    dd_status status;
} kit;

static inline void near_at(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("line %d: %.17g is not %.17g within %g", line, a, b, tolerance);
    }
}
#define assert_near(a, b, tolerance) near_at(a, b, tolerance, __LINE__)

/* Loads, analyses, solves. name: of the model file, beside which its data are looked for. */
static inline kit kit_solve(const char *name, const char *text, const dd_ocp_options *options)
{
    kit k = {.ctx = new_context()};
    assert_int_equal(dd_model_load_text(&k.model, k.ctx, name, text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&k.system, k.model, NULL), DD_OK);
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, options), DD_OK);
    k.status = dd_ocp_solve(k.ocp);
    k.info = dd_ocp_get_info(k.ocp);
    return k;
}

static inline void kit_free(kit *k)
{
    dd_ocp_free(k->ocp);
    dd_system_free(k->system);
    dd_model_free(k->model);
    dd_context_free(k->ctx);
}

/* The program is solved. On a mesh that is coarse on purpose its solution is no motion of the model, and called so. */
static inline void kit_assert_solved(const dd_ocp_info *info)
{
    bool coarse = !(info->estimated_error <= 1e-3), apart = !(info->simulation_difference <= 1e-2);
    if (!coarse && !apart) {
        assert_int_equal(info->status, DD_OCP_OPTIMAL);
    } else if (coarse) {
        assert_int_equal(info->status, DD_OCP_INACCURATE);
        assert_non_null(strstr(info->reason, "this is not a motion of the model: "));
    } else {
        assert_true(info->status == DD_OCP_INACCURATE || info->note[0] != '\0');
    }
}

static inline double kit_parameter(const kit *k, uint32_t i)
{
    return k->ocp->result.x[k->ocp->transcription->p_at + i] * k->ocp->problem->p.data[i].scale;
}

static inline bool kit_says(const kit *k, const char *words)
{
    bool found = false;
    for (uint32_t i = 0; i < k->ocp->problem->messages.len; i++) {
        found = found || strstr(k->ocp->problem->messages.data[i], words) != NULL;
    }
    return found;
}

/* A folder of its own for the files of a test. */
typedef struct kit_folder {
    char path[64], file[128], model[128];
} kit_folder;

static inline kit_folder kit_folder_new(const char *file)
{
    kit_folder f;
    strcpy(f.path, "/tmp/daedal-ocp-XXXXXX");
    assert_non_null(mkdtemp(f.path));
    snprintf(f.file, sizeof f.file, "%s/%s", f.path, file);
    snprintf(f.model, sizeof f.model, "%s/m.mop", f.path);
    return f;
}

static inline void kit_folder_free(const kit_folder *f)
{
    unlink(f->file);
    rmdir(f->path);
}

#endif
