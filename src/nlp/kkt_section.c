/* kkt_section.c - the first intervals of a pattern (kkt_section.h). */
#include "nlp/kkt_section.h"

static bool is_inside(uint32_t place, uint32_t intervals)
{
    return place == DD_PLACE_BORDER || place <= DD_PLACE_NODE(intervals);
}

/* Entries of which both ends are there, with their new numbers. */
static uint32_t select_entries(uint32_t count, const uint32_t *row, const uint32_t *col, const uint32_t *new_row,
                               const uint32_t *new_col, uint32_t *to_row, uint32_t *to_col)
{
    uint32_t kept = 0;
    for (uint32_t e = 0; e < count; e++) {
        if (new_row[row[e]] != DD_NO_INDEX && new_col[col[e]] != DD_NO_INDEX) {
            to_row[kept] = new_row[row[e]];
            to_col[kept++] = new_col[col[e]];
        }
    }
    return kept;
}

/* Numbers what is in the first intervals; returns how many there are. */
static uint32_t number_places(uint32_t count, const uint32_t *place, uint32_t intervals, uint32_t *number,
                              uint32_t *new_place)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        number[i] = DD_NO_INDEX;
        if (is_inside(place[i], intervals)) {
            new_place[kept] = place[i];
            number[i] = kept++;
        }
    }
    return kept;
}

dd_status dd_kkt_section_take(dd_kkt_section *s, dd_context *ctx, const dd_kkt_pattern *p, uint32_t intervals)
{
    *s = (dd_kkt_section){.work = {.ctx = ctx}};
    dd_work *w = &s->work;
    uint32_t *variable = dd_work_array(w, p->n, sizeof *variable), *row = dd_work_array(w, p->m, sizeof *row);
    uint32_t *variable_place = dd_work_array(w, p->n, sizeof *variable_place);
    uint32_t *row_place = dd_work_array(w, p->m, sizeof *row_place);
    uint32_t *determines = dd_work_array(w, p->m, sizeof *determines);
    uint32_t *entry[4];
    for (int i = 0; i < 4; i++) {
        entry[i] = dd_work_array(w, i < 2 ? p->hessian_nnz : p->jacobian_nnz, sizeof *entry[i]);
    }
    bool *fixed = dd_work_array(w, p->n, sizeof *fixed), *equality = dd_work_array(w, p->m, sizeof *equality);
    if (w->failed) {
        return DD_OUT_OF_MEMORY;
    }
    /* variables, rows, then entries between them */
    const uint32_t n = number_places(p->n, p->shape->variable_place, intervals, variable, variable_place);
    const uint32_t m = number_places(p->m, p->shape->row_place, intervals, row, row_place);
    for (uint32_t j = 0; j < p->n; j++) {
        if (variable[j] != DD_NO_INDEX) {
            fixed[variable[j]] = p->fixed != NULL && p->fixed[j];
        }
    }
    for (uint32_t i = 0; i < p->m; i++) {
        const uint32_t of = p->shape->determines[i];
        if (row[i] != DD_NO_INDEX) {
            equality[row[i]] = p->equality[i];
            determines[row[i]] =
                of == DD_DETERMINES_NONE || variable[of] == DD_NO_INDEX ? DD_DETERMINES_NONE : variable[of];
        }
    }
    s->shape = (dd_nlp_shape){intervals, variable_place, row_place, determines};
    s->pattern = (dd_kkt_pattern){.n = n,
                                  .m = m,
                                  .hessian_nnz = select_entries(p->hessian_nnz, p->hessian_row, p->hessian_col,
                                                                variable, variable, entry[0], entry[1]),
                                  .jacobian_nnz = select_entries(p->jacobian_nnz, p->jacobian_row, p->jacobian_col, row,
                                                                 variable, entry[2], entry[3]),
                                  .hessian_row = entry[0],
                                  .hessian_col = entry[1],
                                  .jacobian_row = entry[2],
                                  .jacobian_col = entry[3],
                                  .fixed = fixed,
                                  .equality = equality,
                                  .shape = &s->shape};
    return DD_OK;
}

void dd_kkt_section_free(dd_kkt_section *s)
{
    dd_work_free(&s->work);
}
