/* relax_groups.c - constraints, bounds, start values and times of the user as groups, and what of the program
 * belongs to each. */
#include <math.h>

#include "ocp/precheck.h"
#include "ocp/relax_impl.h"

#define WEIGHT_OF_START 4  /* where one begins is given away last */
#define LEAST_HORIZON 1e-6 /* a guess may have none */
#define NO_UNIT 1e-12      /* a row whose gradient is rounding keeps the unit 1 */

static uint32_t add_group(dd_relaxer *r, const char *name, double factor, double weight, bool limit)
{
    dd_relax_group g = {.name = name,
                        .unit = 1,
                        .factor = factor,
                        .weight = weight,
                        .limit = limit,
                        .room = INFINITY,
                        .most = INFINITY};
    dd_vec_push(r->pool, &r->groups, g);
    return r->groups.len - 1;
}

static const char *side_name(dd_relaxer *r, const dd_ocp_row *row, bool upper)
{
    bool both = isfinite(row->lower) && isfinite(row->upper) && row->lower != row->upper;
    return !both ? row->name
                 : dd_pool_printf(r->p->pool, "%s, %s %g,", row->name, upper ? "at most" : "at least",
                                  upper ? row->upper : row->lower);
}

static void group_rows(dd_relaxer *r, const dd_ocp_row_vec *rows, uint32_t *of[2])
{
    for (uint32_t i = 0; i < rows->len; i++) {
        /* invariants are the model's own, so they never give way; an equality is one group, an inequality one
         * per finite side */
        const dd_ocp_row *row = &rows->data[i];
        of[0][i] = of[1][i] = HARD;
        if (row->invariant) {
            continue;
        }
        bool equality = row->lower == row->upper && !row->dropped;
        of[0][i] = isfinite(row->lower) ? add_group(r, side_name(r, row, false), 1, 1, false) : HARD;
        of[1][i] = equality || !isfinite(row->upper) ? of[0][i] : add_group(r, side_name(r, row, true), 1, 1, false);
        of[0][i] = isfinite(row->lower) ? of[0][i] : HARD;
        of[1][i] = isfinite(row->upper) ? of[1][i] : HARD;
    }
}

static void group_decisions(dd_relaxer *r, const dd_decision_vec *list, uint32_t *of[2], bool limit)
{
    for (uint32_t i = 0; i < list->len; i++) {
        /* bounds are groups too, one per side; room is the distance between both in scaled units */
        const dd_decision *d = &list->data[i];
        for (int side = 0; side < 2; side++) {
            bool there = isfinite(side == 0 ? d->lower : d->upper);
            of[side][i] = there ? add_group(r, dd_ocp_bound_name(r->t->o, d, side == 1), d->scale, 1, limit) : HARD;
            if (there && d->upper > d->lower) {
                r->groups.data[of[side][i]].room = (d->upper - d->lower) / d->scale;
            }
        }
    }
}

static void group_start(dd_relaxer *r)
{
    const dd_ocp_problem *o = r->t->o;
    for (uint32_t i = 0; i < o->x.len; i++) {
        r->start[i] = HARD;
        if (o->start_known && o->equations->invariants.len == 0) { /* else the constraints of the model would break */
            const char *name = dd_model_var_name_dup(o->model, o->x.data[i].var, o->pool);
            r->start[i] = add_group(r, dd_pool_printf(r->p->pool, "%s = %g at the start", name, o->x_start[i]),
                                    o->x.data[i].scale, WEIGHT_OF_START, false);
            r->groups.data[r->start[i]].first = true;
        }
    }
}

static uint32_t group_time(dd_relaxer *r, bool is_free, const char *name, bool upper, double bound)
{
    const dd_ocp_problem *o = r->t->o;
    /* without a free time there is nothing to relax */
    if (!is_free || !isfinite(bound)) {
        return HARD;
    }
    /* a slack as long as the horizon costs as much as one expected size of a state */
    double horizon = fmax(fabs(o->tf_value - o->t0_value), LEAST_HORIZON);
    const char *words = dd_pool_printf(r->p->pool, "%s %s %g", name, upper ? "<=" : ">=", bound);
    return add_group(r, words, 1, 1 / horizon, false);
}

uint32_t *dd_relax_indices(dd_relaxer *r, size_t n)
{
    uint32_t *v = dd_pool_alloc_array(r->pool, n + 1, sizeof *v);
    for (size_t i = 0; i <= n; i++) {
        v[i] = HARD;
    }
    return v;
}

void dd_relax_groups(dd_relaxer *r)
{
    const dd_ocp_problem *o = r->t->o;
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->u, &o->p};
    /* per side: who belongs to which group; everything is hard until a group is made for it */
    for (int side = 0; side < 2; side++) {
        r->path[side] = dd_relax_indices(r, o->path.len);
        r->point[side] = dd_relax_indices(r, o->points.len);
        r->time[side] = dd_relax_indices(r, 2);
        for (int k = 0; k < 4; k++) {
            r->decided[k][side] = dd_relax_indices(r, lists[k]->len);
        }
    }
    r->start = dd_relax_indices(r, o->x.len);
    /* points and paths first: of equal relaxations the first is reported, and users write these */
    group_rows(r, &o->points, r->point);
    group_rows(r, &o->path, r->path);
    /* limits of controls and parameters (k >= 2) are physical: they give way last */
    for (int k = 0; k < 4; k++) {
        group_decisions(r, lists[k], r->decided[k], k >= 2);
    }
    group_start(r);
    /* one bound of a time is its order: no motion runs backwards, so that this one does not give way */
    const bool end_is_order = !o->free_t0 && o->tf_lower <= o->t0_value;
    const bool start_is_order = !o->free_tf && o->t0_upper >= o->tf_value;
    /* nor beyond it where it is asked to be longer than that */
    r->time[0][0] = group_time(r, o->free_t0, "startTime", false, o->t0_lower);
    r->time[1][0] = group_time(r, o->free_t0 && !start_is_order, "startTime", true, o->t0_upper);
    r->time[0][1] = group_time(r, o->free_tf && !end_is_order, "finalTime", false, o->tf_lower);
    r->time[1][1] = group_time(r, o->free_tf, "finalTime", true, o->tf_upper);
    if (!o->free_t0 && r->time[0][1] != HARD) {
        r->groups.data[r->time[0][1]].most = o->tf_lower - o->t0_value;
    }
    if (!o->free_tf && r->time[1][0] != HARD) {
        r->groups.data[r->time[1][0]].most = o->tf_value - o->t0_upper;
    }
}

/* Which group each side of each row and variable of the program belongs to. */
void dd_relax_assign_rows(dd_relaxer *r)
{
    r->row_lower = dd_relax_indices(r, r->nlp->m);
    r->row_upper = dd_relax_indices(r, r->nlp->m);
    for (uint32_t i = 0; i < r->nlp->m; i++) {
        const dd_row_tag *tag = &r->t->tags.data[i];
        /* only rows that come from constraints of the user can give way; the dynamics cannot */
        uint32_t *const *of = tag->kind == DD_ROW_PATH              ? r->path
                              : tag->kind == DD_ROW_POINT           ? r->point
                              : tag->kind == DD_ROW_STATE_BOUND     ? r->decided[0]
                              : tag->kind == DD_ROW_ALGEBRAIC_BOUND ? r->decided[1]
                                                                    : NULL;
        if (of != NULL) {
            r->row_lower[i] = of[0][tag->index];
            r->row_upper[i] = of[1][tag->index];
        } else if (tag->kind == DD_ROW_START) {
            r->row_lower[i] = r->row_upper[i] = r->start[tag->index];
        }
    }
}

void dd_relax_assign_variables(dd_relaxer *r)
{
    static const int list_of[] = {
        [DD_COLUMN_STATE] = 0, [DD_COLUMN_ALGEBRAIC] = 1, [DD_COLUMN_CONTROL] = 2, [DD_COLUMN_PARAMETER] = 3};
    r->variable_lower = dd_relax_indices(r, r->nlp->n);
    r->variable_upper = dd_relax_indices(r, r->nlp->n);
    for (uint32_t j = 0; j < r->nlp->n; j++) {
        const dd_column *c = &r->columns[j];
        if (c->kind == DD_COLUMN_OTHER) {
            continue;
        }
        /* times are lists of two, everything else is a list per kind */
        bool is_time = c->kind == DD_COLUMN_START_TIME || c->kind == DD_COLUMN_FINAL_TIME;
        uint32_t *const *of = is_time ? r->time : r->decided[list_of[c->kind]];
        uint32_t index = is_time ? c->kind == DD_COLUMN_FINAL_TIME : c->index;
        r->variable_lower[j] = of[0][index];
        r->variable_upper[j] = of[1][index];
    }
}

/* Rows in the user's units: their largest change when one scaled variable changes by 1. */
void dd_relax_units(dd_relaxer *r, const double *y)
{
    const dd_nlp *nlp = r->nlp;
    double *values = dd_pool_alloc_array(r->pool, nlp->jacobian_nnz + 1, sizeof *values);
    double *most = dd_pool_alloc_array(r->pool, r->groups.len + 1, sizeof *most);
    /* the gradient at the point determines the unit: then slacks of different rows compare */
    bool ok = nlp->jacobian(nlp->user, y, true, values);
    for (uint32_t k = 0; k < nlp->jacobian_nnz && ok; k++) {
        uint32_t row = nlp->jacobian_row[k], sides[] = {r->row_lower[row], r->row_upper[row]};
        dd_row_kind kind = r->t->tags.data[row].kind;
        for (int s = 0; s < 2 && (kind == DD_ROW_PATH || kind == DD_ROW_POINT); s++) {
            if (sides[s] != HARD && isfinite(values[k])) {
                most[sides[s]] = fmax(most[sides[s]], fabs(values[k]));
            }
        }
    }
    for (uint32_t g = 0; g < r->groups.len; g++) {
        r->groups.data[g].unit = most[g] > NO_UNIT ? most[g] : 1;
    }
}
