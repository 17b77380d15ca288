/* The whole of `daedal check` on any bytes: read, analyse, report as JSON and as text. */
#include <stdint.h>
#include <stdlib.h>

#include "daedal/daedal.h"
#include "structured/structured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096 };

static void check_answer(dd_system *s)
{
    const char *json, *text;
    if (dd_system_json(&json, s) == DD_OK) {
        fuzz_check_json(json);
    }
    if (dd_system_text(&text, s, true) == DD_OK && *text == 0) {
        fuzz_complain("an empty report", "");
    }
    if (dd_system_verdict(s) == DD_VERDICT_OK) {
        const int sum = dd_system_dof(s) + (int)dd_system_constraint_count(s) + (int)dd_system_hidden_count(s);
        if (sum != (int)dd_system_unknown_count(s) || dd_system_index(s) < 0) {
            fuzz_complain("dof, constraints and unknowns do not add up", json);
        }
    } else if (*dd_system_reason(s) == 0) {
        fuzz_complain("a refusal without a reason", json);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES) {
        return 0;
    }
    dd_context_options options = dd_context_options_default();
    options.max_memory = (size_t)16 << 20;
    options.max_seconds = 2;
    dd_context *ctx;
    if (dd_context_new(&ctx, &options) != DD_OK) {
        abort();
    }
    dd_analyse_options few = dd_analyse_options_default();
    few.max_index = 3; /* keeps the dense derivative array small: more inputs per second */
    dd_model *model = NULL;
    dd_system *s = NULL;
    if (dd_model_load_text(&model, ctx, "input", (const char *)data, size, NULL) == DD_OK &&
        dd_model_analyse(&s, model, &few) == DD_OK) {
        check_answer(s);
    }
    dd_system_free(s);
    dd_model_free(model);
    dd_context_free(ctx);
    return 0;
}
