/* print_form.c - the reduced system as a model (structure/printed.h) with consistent start values, which a simulation
 * finds. */
#include <math.h>

#include "sim/sim_impl.h"
#include "structure/printed.h"

typedef struct print_call {
    dd_system *s;
    dd_printed_form form;
    dd_sim *sim; /* NULL: no start was found */
    const char *text;
} print_call;

static void print_body(void *arg)
{
    print_call *call = arg;
    dd_pool *pool = call->s->pool;
    const dd_printed *p = dd_printed_new(call->s, call->form, pool);
    if (p->refusal) {
        dd_raise(call->s->ctx, DD_INVALID_MODEL, "%s", p->refusal);
    }
    /* the values of all declared variables at the start */
    dd_sim *sim = call->sim;
    if (sim) {
        dd_numbers_outputs(sim->numbers, sim->t0, sim->w0, sim->wdot0, sim->values);
    }
    dd_text text = dd_text_new(pool);
    dd_printed_write(p, sim ? sim->values : NULL, &text);
    call->text = dd_text_str(&text);
}

dd_status dd_system_print_form(const char **out, dd_system *s, dd_printed_form form)
{
    if (out) {
        *out = "";
    }
    if (!out || !s || (unsigned)form > DD_PRINT_NORMAL) {
        return DD_INVALID_ARGUMENT;
    }
    print_call call = {.s = s, .form = form, .text = ""};
    dd_status st = DD_OK;
    /* a start that is missing, or has no regular point, leaves the starts as they are written */
    if (s->verdict == DD_VERDICT_OK && !s->model->optimization) {
        st = dd_sim_new(&call.sim, s, NULL);
        if (st == DD_OK && dd_sim_get_info(call.sim).status != DD_SIM_OK) {
            dd_sim_free(call.sim);
            call.sim = NULL;
        }
    }
    if (st == DD_OK) {
        st = dd_protect(s->ctx, print_body, &call);
    }
    if (st != DD_OK) {
        dd_printed_restore(s);
    }
    dd_sim_free(call.sim);
    *out = st == DD_OK ? call.text : "";
    return st;
}
