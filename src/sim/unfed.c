/* unfed.c - inputs without values from --set or a table: they keep their start value, as Modelica tools do, or are
 * 0; either is said, since a run under a forgotten input looks like any other. */
#include "sim/sim_impl.h"
#include "structure/numeric.h"

enum { MOST_NAMES = 8 };

bool dd_sim_is_fed(const dd_sim *sim, uint32_t var)
{
    const dd_variable *v = &sim->system->model->vars.data[var];
    bool fed = v->kind != DD_KIND_INPUT || v->has_value;
    const dd_index_vec *supplied = sim->inputs ? dd_inputs_supplied(sim->inputs) : NULL;
    for (uint32_t i = 0; supplied && i < supplied->len && !fed; i++) {
        fed = supplied->data[i] == var;
    }
    return fed;
}

/* "u, w and 3 more", of those with a start value or without; how many. */
static uint32_t list_unfed(const dd_sim *sim, bool with_start, dd_text *out)
{
    const dd_model *m = sim->system->model;
    uint32_t count = 0;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (m->vars.data[v].kind != DD_KIND_INPUT || m->vars.data[v].has_start != with_start || dd_sim_is_fed(sim, v)) {
            continue;
        }
        if (count++ >= MOST_NAMES) {
            continue;
        }
        dd_text_add(out, count > 1 ? ", " : "");
        dd_model_var_name(m, v, out);
        if (with_start) {
            dd_text_printf(out, " = %.6g", dd_system_unfed_input(sim->system, v));
        }
    }
    if (count > MOST_NAMES) {
        dd_text_printf(out, " and %u more", count - MOST_NAMES);
    }
    return count;
}

static void tell(dd_sim *sim, bool with_start)
{
    dd_text list = dd_text_new(sim->pool);
    const uint32_t count = list_unfed(sim, with_start, &list);
    if (count == 0) {
        return;
    }
    const char *file = sim->inputs ? dd_inputs_path(sim->inputs) : NULL;
    const char *where = file        ? dd_pool_printf(sim->pool, "%s has no column for", file)
                        : count > 1 ? "nothing feeds the inputs"
                                    : "nothing feeds the input";
    const char *remedy = file ? ""
                              : dd_pool_printf(sim->pool, " (%s NAME=EXPRESSION or %s FILE.csv sets values)",
                                               dd_option_word(sim->ctx, "--set"), dd_option_word(sim->ctx, "--input"));
    dd_vec_push(sim->pool, &sim->messages,
                (const char *)dd_pool_printf(sim->pool, "%s %s, which %s%s", where, dd_text_str(&list),
                                             with_start
                                                 ? (count > 1 ? "keep their start values" : "keeps its start value")
                                                 : (count > 1 ? "are 0" : "is 0"),
                                             remedy));
}

void dd_sim_tell_unfed(dd_sim *sim)
{
    if (!sim->told_unfed) {
        tell(sim, true);
        tell(sim, false);
        sim->told_unfed = true;
    }
}
