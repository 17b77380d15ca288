/* regions.c - stability regions of several methods in one picture. */
#include <math.h>

#include "base/context.h"
#include "methods/method.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {{"method", NULL, 0},
                                         {"order", NULL, 3},
                                         {"real", "real axis to", 5},
                                         {"imaginary", "imaginary axis to", 5},
                                         {"angle", "A(angle)-stable", 5},
                                         {"l_stable", "L-stable", 0}};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void release(void *method)
{
    dd_method_free(method);
}

static void add_row(dd_study *study, const dd_method *m)
{
    dd_grid *g = &study->points;
    /* the angle of the wedge around the negative real axis: of formulas known, of the others only whether it is 90 */
    const double angle = m->tableau == NULL ? m->bdf.angle : dd_method_a_stable(m) ? 90 : NAN;
    dd_grid_word(g, dd_method_name(m));
    dd_grid_number(g, dd_method_order(m));
    dd_grid_number(g, m->tableau == NULL ? -INFINITY : -m->stability->real);
    dd_grid_number(g, m->tableau != NULL ? m->stability->imaginary : angle == 90 ? INFINITY : NAN);
    dd_grid_number(g, angle);
    dd_grid_word(g, dd_method_l_stable(m) ? "yes" : "no");
}

void dd_study_regions(dd_study *study)
{
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    study->method = dd_pool_alloc_array(study->pool, study->methods.len + 1, sizeof(dd_method *));
    study->planned = study->methods.len;
    study->headline = "|R(z)| <= 1: the factor of one step for x' = lambda x, z = h lambda";
    for (uint32_t i = 0; i < study->methods.len; i++) {
        dd_method *m;
        dd_study_begin_run(study, study->methods.data[i]);
        const dd_status st = dd_method_new(&m, study->ctx, study->methods.data[i]);
        if (st != DD_OK) {
            dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
        }
        dd_pool_keep(study->pool, m, release);
        study->method[i] = m;
        study->info.runs++;
        add_row(study, m);
    }
}

void dd_study_regions_picture(dd_study *study, const char *title, const char *subtitle, dd_text *out)
{
    dd_region *regions = dd_pool_alloc_array(out->pool, study->methods.len + 1, sizeof *regions);
    uint32_t count = 0;
    for (; count < study->methods.len && study->method[count]; count++) {
        regions[count] = dd_method_region(study->method[count]);
        regions[count].label = dd_method_name(study->method[count]);
    }
    dd_regions_svg(out, title, subtitle, regions, count);
}
