/* The front end on any bytes: read, resolve, flatten, print flat; what was printed must be readable again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal/daedal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096 };

static dd_context *new_context(void)
{
    dd_context_options options = dd_context_options_default();
    options.max_memory = (size_t)16 << 20;
    options.max_seconds = 5;
    dd_context *ctx;
    if (dd_context_new(&ctx, &options) != DD_OK) {
        abort();
    }
    return ctx;
}

/* A model that was accepted reads back from its flat text, unless a limit stops that. */
static void read_back(const char *flat)
{
    dd_context *ctx = new_context();
    dd_model *model = NULL;
    const dd_status st = dd_model_load_text(&model, ctx, "flat", flat, strlen(flat), NULL);
    if (st == DD_INVALID_MODEL) {
        fprintf(stderr, "the flat text is not accepted:\n%s\n", flat);
        for (size_t i = 0; i < dd_context_diagnostic_count(ctx); i++) {
            const dd_diagnostic d = dd_context_diagnostic(ctx, i);
            fprintf(stderr, "%u:%u: %s\n", d.line, d.column, d.message);
        }
        abort();
    }
    dd_model_free(model);
    dd_context_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES) {
        return 0;
    }
    dd_context *ctx = new_context();
    dd_model *model = NULL;
    const dd_status st = dd_model_load_text(&model, ctx, "input", (const char *)data, size, NULL);
    if (st == DD_INVALID_MODEL && dd_context_error_count(ctx) == 0) {
        fprintf(stderr, "a refusal without an error message\n");
        abort();
    }
    char line[512];
    for (size_t i = 0; i < dd_context_diagnostic_count(ctx); i++) {
        dd_context_format_diagnostic(ctx, i, line, sizeof line);
    }
    const char *flat;
    if (st == DD_OK && dd_model_flat_text(&flat, model) == DD_OK) {
        read_back(flat);
    }
    dd_model_free(model);
    dd_context_free(ctx);
    return 0;
}
