/* Tableau files of any bytes: read, analyse, print; what was printed must be readable again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/order.h"
#include "methods/stability.h"
#include "methods/tableau_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096, MOST_STAGES = 12 };

static void use(dd_context *ctx, const dd_tableau *t)
{
    dd_stability *f = malloc(sizeof *f);
    dd_order order;
    if (!f) {
        abort();
    }
    (void)dd_order_row_sums(t);
    if (t->stages <= MOST_STAGES) { /* larger ones take their time */
        (void)dd_order_find(&order, ctx, t, t->exact.b);
        if (dd_stability_find(f, ctx, t) == DD_OK && f->l_stable && !f->a_stable) {
            abort();
        }
    }
    free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_context_options options = dd_context_options_default();
    options.max_memory = (size_t)64 << 20;
    options.max_seconds = 5;
    dd_context *ctx;
    dd_tableau *t;
    if (size > MOST_BYTES || dd_context_new(&ctx, &options) != DD_OK) {
        return 0;
    }
    const dd_status st = dd_tableau_read_text(&t, ctx, "fuzz.json", (const char *)data, size);
    if ((st == DD_INVALID_MODEL) != (dd_context_error_count(ctx) > 0)) {
        abort(); /* a refusal has a message, and nothing else has one */
    }
    if (st == DD_OK) {
        use(ctx, t);
    }
    dd_tableau_free(t);
    dd_context_free(ctx);
    return 0;
}
