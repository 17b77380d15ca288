/* shooting_kinks.c - kinks of the integrand and of rates (kinks.h) at the stages of shooting: variables, and rows at stages. */
#include <math.h>

#include "ocp/shooting_impl.h"
#include "ocp/transcription_kinks.h"

/* A stage with a negative weight would reward a variable that is larger than its kink. */
bool dd_shooting_takes_kinks(const dd_tableau *b)
{
    bool fine = true;
    for (uint32_t i = 0; i < b->stages; i++) {
        fine = fine && b->b[i] >= 0;
    }
    return fine;
}

const dd_kink *dd_shooting_kink(const dd_shooting *s, uint32_t i)
{
    return &s->t->o->kinks.data[s->t->o->integrand_lifted.kinks.data[i]];
}

dd_expr dd_shooting_integrand(const dd_shooting *s)
{
    /* without its own kinks where a list has those of rates alone */
    const dd_expr lifted = s->t->o->integrand_lifted.e;
    return s->nk > 0 && lifted != DD_EXPR_NONE ? lifted : dd_ocp_integrand(s->t->o);
}

/* Does kink i of the list have a value at stage g? In the cost where the stage has a weight, in rates everywhere. */
static bool is_at_stage(const dd_shooting *s, uint32_t i, uint32_t g)
{
    const dd_ocp_problem *o = s->t->o;
    const bool of_rate = o->rounded && o->integrand_lifted.kinks.data[i] >= o->first_of_rates;
    return of_rate || s->tableau->b[g % s->stages] > 0;
}

void dd_shooting_list_kinks(dd_shooting *s)
{
    const uint32_t all = s->substeps * s->stages;
    s->nk = dd_shooting_takes_kinks(s->tableau) ? s->t->o->integrand_lifted.kinks.len : 0;
    s->kink_slot = dd_pool_alloc_array(s->pool, (size_t)all * s->nk + 1, sizeof *s->kink_slot);
    for (uint32_t i = 0; i < s->nk; i++) {
        const bool shared = dd_transcription_shares(s->t, dd_shooting_kink(s, i));
        uint32_t last = DD_NO_ROW;
        /* one in the interval, or one at each stage that has it */
        for (uint32_t g = 0; g < all; g++) {
            const bool counts = is_at_stage(s, i, g);
            last = !counts || (shared && last != DD_NO_ROW) ? last : s->n_slots++;
            s->kink_slot[(size_t)g * s->nk + i] = counts ? last : DD_NO_ROW;
        }
        s->n_kink_rows += dd_shooting_kink(s, i)->pieces.len;
    }
}

/* Does a slot belong to this stage first? */
static bool begins_here(const dd_shooting *s, uint32_t g, uint32_t i)
{
    const uint32_t slot = s->kink_slot[(size_t)g * s->nk + i];
    bool first = slot != DD_NO_ROW;
    for (uint32_t before = 0; before < g && first; before++) {
        first = s->kink_slot[(size_t)before * s->nk + i] != slot;
    }
    return first;
}

void dd_shooting_add_kinks(dd_shooting *s)
{
    const dd_index_vec *list = &s->t->o->integrand_lifted.kinks;
    s->kinks_at = dd_pool_alloc_array(s->pool, (size_t)s->intervals * s->n_slots + 1, sizeof *s->kinks_at);
    for (uint32_t k = 0; k < s->intervals; k++) {
        for (uint32_t i = 0; i < s->nk; i++) {
            for (uint32_t g = 0; g < s->substeps * s->stages; g++) {
                if (begins_here(s, g, i)) {
                    const uint32_t slot = s->kink_slot[(size_t)g * s->nk + i];
                    s->kinks_at[(size_t)k * s->n_slots + slot] =
                        dd_transcription_add_kink(s->t, list->data[i], k, g + 1);
                }
            }
        }
    }
}

uint32_t dd_shooting_kink_outputs(const dd_shooting *s, dd_expr *out)
{
    dd_dag *dag = s->t->o->dag;
    uint32_t n = 0;
    /* side (s - a)/scale >= 0 */
    for (uint32_t i = 0; i < s->nk; i++) {
        const dd_kink *kink = dd_shooting_kink(s, i);
        for (uint32_t p = 0; p < kink->pieces.len; p++) {
            const dd_expr off = dd_sub(dag, kink->symbol, kink->pieces.data[p]);
            out[n++] = dd_mul(dag, dd_num(dag, kink->side / kink->scale), off);
        }
    }
    return n;
}

void dd_shooting_number_kink_rows(dd_shooting *s, uint32_t g, uint32_t *rows)
{
    for (uint32_t i = 0; i < s->nk; i++) {
        const bool here = begins_here(s, g, i);
        for (uint32_t p = 0; p < dd_shooting_kink(s, i)->pieces.len; p++) {
            *rows++ = here ? s->n_rows++ : DD_NO_ROW;
        }
    }
}

void dd_shooting_add_kink_rows(const dd_shooting *s, uint32_t k, uint32_t g, double theta)
{
    dd_transcription *t = s->t;
    for (uint32_t i = 0; i < s->nk; i++) {
        const dd_kink *kink = dd_shooting_kink(s, i);
        const uint32_t slot = s->kink_slot[(size_t)g * s->nk + i];
        for (uint32_t p = 0; begins_here(s, g, i) && p < kink->pieces.len; p++) {
            const uint32_t row =
                dd_transcription_add_row(t, DD_ROW_KINK, kink->first_piece + p, k, g + 1, theta, 0, INFINITY);
            const dd_kink_row of = {row, s->kinks_at[(size_t)k * s->n_slots + slot],
                                    t->o->integrand_lifted.kinks.data[i]};
            dd_vec_push(t->pool, &t->kink_rows, of);
        }
    }
}
