/* shooting_words.c - why the steps from a point cannot be computed, in the user's words. */
#include <math.h>
#include <string.h>

#include "ocp/shooting_impl.h"

enum { MOST_VALUES = 4 };

static void output_name(const dd_shooting *s, uint32_t output, dd_text *out)
{
    const dd_ocp_problem *o = s->t->o;
    if (output < s->nx) {
        dd_text_add(out, "the equation of der(");
        dd_model_var_name(o->model, o->x.data[output].var, out);
        dd_text_add(out, ")");
    } else if (output < s->ns) {
        const dd_eq *eq = &o->system->eqs.data[o->equations->row_eq.data[o->g_row.data[output - s->nx]]];
        dd_text_add(out, dd_system_row_words(o->system, eq, s->pool));
    } else if (output == s->out_cost) {
        dd_text_add(out, "the objective");
    } else if (output - s->out_path < s->path.len) {
        dd_text_add(out, o->path.data[s->path.data[output - s->out_path]].name);
    } else {
        dd_text_add(out, "a kink of the cost, of a constraint or of a rate");
    }
}

static bool depends(const dd_shooting *s, uint32_t output, uint32_t input)
{
    bool found = false;
    for (uint32_t e = s->jacobian->ptr[input]; e < s->jacobian->ptr[input + 1]; e++) {
        found = found || s->jacobian->idx[e] == output;
    }
    return found;
}

/* ", where x = 1, y = 2": values that the output is made of. */
static void add_values(const dd_shooting *s, const dd_level *level, uint32_t lane, uint32_t output, dd_text *out)
{
    const dd_ocp_problem *o = s->t->o;
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->u, &o->p};
    uint32_t input = 0, shown = 0;
    for (uint32_t l = 0; l < 4; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++, input++) {
            const dd_decision *d = &lists[l]->data[i];
            if (shown == MOST_VALUES || d->order > 0 || !depends(s, output, input)) {
                continue;
            }
            dd_text_add(out, shown++ == 0 ? ", where " : ", ");
            dd_model_var_name(o->model, d->var, out);
            dd_text_printf(out, " = %.4g", level->in[input * level->ld + lane]);
        }
    }
}

/* The first value that is not finite, in the order in which they were computed. */
static bool find_nonfinite(const dd_shooting *s, const dd_level **level, uint32_t *lane, uint32_t *output)
{
    /* levels before the failed one were computed */
    for (uint32_t l = 0; l <= s->failed_level && l < s->n_levels; l++) {
        *level = &s->levels[l];
        for (*lane = 0; *lane < (*level)->lanes; (*lane)++) {
            for (*output = 0; *output < s->n_out; (*output)++) {
                if (!isfinite((*level)->out[*output * (*level)->ld + *lane])) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* A derivative of the stage functions that is not finite, though the values are. */
static const char *derivative_words(dd_shooting *s, const char *where)
{
    /* in the order of computation */
    for (uint32_t l = 0; l < s->n_levels; l++) {
        const dd_level *level = &s->levels[l];
        for (uint32_t input = 0; input < s->n_live; input++) {
            for (uint32_t e = s->jacobian->ptr[input]; e < s->jacobian->ptr[input + 1]; e++) {
                for (uint32_t lane = 0; lane < level->lanes; lane++) {
                    if (isfinite(level->first_out[(size_t)e * level->ld + lane])) {
                        continue;
                    }
                    dd_text text = dd_text_new(s->pool);
                    dd_text_add(&text, "the derivative of ");
                    output_name(s, s->jacobian->idx[e], &text);
                    dd_text_printf(&text, " is not a finite number at time %.4g%s",
                                   level->in[(s->ns + s->nu + s->np + s->nk) * level->ld + lane], where);
                    add_values(s, level, lane, s->jacobian->idx[e], &text);
                    dd_text_add(&text, "; give an initialGuess or bounds that keep it defined");
                    return dd_text_str(&text);
                }
            }
        }
    }
    return NULL;
}

/* A step that cannot be solved because a slope is not finite there. */
static const char *slope_of_failed(dd_shooting *s, const char *where)
{
    if (s->failed_level >= s->n_levels) {
        return NULL;
    }
    for (uint32_t l = 0; l < s->n_levels; l++) { /* the others have none that is newer */
        memset(s->levels[l].first_out, 0, (size_t)s->jacobian->ptr[s->n_live] * s->levels[l].ld * sizeof(double));
    }
    const dd_level *level = &s->levels[s->failed_level];
    dd_shooting_run(&s->first, level, level->first_out);
    return derivative_words(s, where);
}

const char *dd_shooting_derivative_failure(dd_shooting *s, const double *y, const char *where)
{
    s->have_y = false;
    return !dd_shooting_values(s, y) || dd_shooting_first(s) ? NULL : derivative_words(s, where);
}

const char *dd_shooting_failure(dd_shooting *s, const double *y, const char *where)
{
    const dd_level *level;
    const char *words;
    uint32_t lane, output;
    s->have_y = false; /* the elements have not seen y */
    if (dd_shooting_values(s, y)) {
        s->failed_level = s->n_levels; /* of no step, but of the cost or the rows along them */
        if (isfinite(s->objective) && !find_nonfinite(s, &level, &lane, &output)) {
            return NULL;
        }
    }
    dd_text text = dd_text_new(s->pool);
    if (find_nonfinite(s, &level, &lane, &output)) {
        output_name(s, output, &text);
        dd_text_printf(&text, " is not a finite number at time %.4g%s",
                       level->in[(s->ns + s->nu + s->np + s->nk) * level->ld + lane], where);
        add_values(s, level, lane, output, &text);
        dd_text_add(&text, "; give an initialGuess or bounds that keep it defined");
    } else if ((words = slope_of_failed(s, where)) != NULL) {
        return words;
    } else {
        dd_text_printf(&text,
                       "from time %.4g%s no step of %s can be computed: its stage equations are singular or have no "
                       "solution nearby; give an initialGuess, more intervals or more substeps",
                       dd_transcription_time(s->t, y, s->t->mesh.theta[s->failed_interval]), where, s->tableau->name);
    }
    return dd_text_str(&text);
}
