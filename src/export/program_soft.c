/* program_soft.c - which rows and bounds of a controller may give way, as tables. */
#include <math.h>

#include "export/program.h"
#include "nlp/elastic.h"
#include "ocp/again.h"

static bool has_bound(const dd_nlp *nlp, uint32_t variable)
{
    return isfinite(nlp->x_lower[variable]) || isfinite(nlp->x_upper[variable]);
}

/* Groups with a finite bound, from 1 on; 0: nothing of the group can give way. Returns how many. */
static uint32_t number_groups(const dd_program_export *px, const dd_soft_groups *all, uint32_t *number)
{
    const dd_nlp *nlp = px->t->nlp;
    uint32_t count = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (all->variable[i] != DD_ELASTIC_HARD && has_bound(nlp, i)) {
            number[all->variable[i]] = 1;
        }
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        if (all->row[i] != DD_ELASTIC_HARD && px->s->new_row[i] != DD_NO_INDEX) {
            number[all->row[i]] = 1;
        }
    }
    for (uint32_t g = 0; g < all->count; g++) {
        number[g] = number[g] > 0 ? ++count : 0;
    }
    return count;
}

void dd_program_soften(dd_program_export *px)
{
    const dd_nlp *nlp = px->t->nlp;
    const dd_sections *s = px->s;
    dd_program_soft *soft = &px->soft;
    const dd_soft_groups all = dd_soft_groups_of(px->t, px->pool);
    uint32_t *number = dd_pool_alloc_array(px->pool, (size_t)all.count + 1, sizeof *number);
    soft->count = number_groups(px, &all, number);
    soft->variable = dd_pool_alloc_array(px->pool, (size_t)nlp->n + 1, sizeof *soft->variable);
    soft->row = dd_pool_alloc_array(px->pool, (size_t)s->rows + 1, sizeof *soft->row);
    soft->factor = dd_pool_alloc_array(px->pool, (size_t)soft->count + 1, sizeof *soft->factor);
    soft->unit = dd_pool_alloc_array(px->pool, (size_t)soft->count + 1, sizeof *soft->unit);
    /* what belongs to each group; an amount of 1 in units of the generated program */
    for (uint32_t i = 0; i < nlp->n; i++) {
        const uint32_t g = all.variable[i];
        if (g != DD_ELASTIC_HARD && has_bound(nlp, i)) {
            soft->variable[i] = number[g];
            soft->factor[number[g]] = all.size[g] / s->unit[i];
        }
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        const uint32_t g = all.row[i];
        if (g != DD_ELASTIC_HARD && s->new_row[i] != DD_NO_INDEX) {
            soft->row[s->new_row[i]] = number[g];
            soft->factor[number[g]] = all.size[g] * s->row_unit[i];
        }
    }
    /* names and units of the user */
    for (uint32_t g = 0; g < all.count; g++) {
        for (uint32_t upper = 0; upper < 2 && number[g] > 0; upper++) {
            const dd_export_item item = {.name = dd_soft_name(px->o, g, upper == 1, px->pool), .formula = DD_EXPR_NONE};
            dd_vec_push(px->pool, &soft->names, item);
            soft->unit[number[g]] = all.size[g] * dd_soft_unit(px->o, g);
        }
    }
}
