/* ocp_curves.h - the trajectory of a solution as curves for pictures: in groups, with bounds. */
#ifndef DD_OCP_OCP_CURVES_H
#define DD_OCP_OCP_CURVES_H

#include "ocp/ocp_impl.h"
#include "report/panel.h"

typedef enum dd_curve_group {
    DD_GROUP_STATES,
    DD_GROUP_CONTROLS,
    DD_GROUP_ALGEBRAIC,
    DD_GROUP_PATH,
    DD_GROUP_COSTATES,
    DD_GROUP_MULTIPLIERS,
    DD_GROUPS
} dd_curve_group;

typedef struct dd_ocp_curves {
    dd_curves curves;
    uint32_t first[DD_GROUPS + 1]; /* columns of group g: first[g] .. first[g + 1] - 1 */
} dd_ocp_curves;

/* p has a trajectory. path: compiled path rows, or NULL. costates: with them, also where --multipliers does not ask for
 * them. Raises. */
dd_ocp_curves dd_ocp_curves_new(dd_ocp *p, dd_ocp_outputs *path, bool costates, dd_pool *pool);
typedef struct dd_final_value {
    const char *name;
    double value; /* from the left; what is rounding beside the rest of its curve is 0 */
} dd_final_value;

typedef DD_VEC(dd_final_value) dd_final_values;

/* Values at the end: of what --show asks for (costates among it), or of all variables as they are declared; of more than
 * `most` those first that people look for first. Raises. */
dd_final_values dd_ocp_final_values(dd_ocp *p, uint32_t most, dd_pool *pool);
/* Names alone, before there is a solution: variables and inputs. Raises. */
dd_curves dd_ocp_curve_names(const dd_system *s, dd_pool *pool);

#endif
