/* failure_json.c - a failure as JSON, for programs. Falls back to a fixed text when there is no memory to build it. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"

typedef struct failure_call {
    dd_context *ctx;
    dd_status status;
    dd_text text;
} failure_call;

static const char *first_error(const dd_context *ctx)
{
    for (size_t i = 0; i < dd_context_diagnostic_count(ctx); i++) {
        dd_diagnostic d = dd_context_diagnostic(ctx, i);
        if (d.severity == DD_SEVERITY_ERROR) {
            return d.message;
        }
    }
    return dd_context_message(ctx);
}

static void add_errors(dd_json *j, const dd_context *ctx)
{
    dd_json_key(j, "errors");
    dd_json_begin_array(j);
    for (size_t i = 0; i < dd_context_diagnostic_count(ctx); i++) {
        dd_diagnostic d = dd_context_diagnostic(ctx, i);
        if (d.severity != DD_SEVERITY_ERROR) {
            continue;
        }
        dd_json_begin_object(j);
        dd_json_key(j, "file");
        dd_json_string(j, d.file);
        dd_json_key(j, "line");
        dd_json_int(j, d.line);
        dd_json_key(j, "column");
        dd_json_int(j, d.column);
        dd_json_key(j, "message");
        dd_json_string(j, d.message);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

static void build(void *arg)
{
    failure_call *call = arg;
    /* failures that have a place in a file carry the list of errors */
    bool model = call->status == DD_INVALID_MODEL || call->status == DD_IO || call->status == DD_LIMIT;
    dd_json j = dd_json_new(&call->text);
    dd_json_begin_object(&j);
    dd_json_key(&j, "status");
    dd_json_string(&j, model ? "invalid_model" : dd_status_name(call->status));
    dd_json_key(&j, "reason");
    dd_json_string(&j, call->status == DD_INVALID_MODEL ? first_error(call->ctx) : dd_context_message(call->ctx));
    if (model) {
        add_errors(&j, call->ctx);
    }
    dd_json_end_object(&j);
}

size_t dd_context_failure_json(dd_context *ctx, dd_status status, char *buffer, size_t size)
{
    if (!ctx) {
        return 0;
    }
    dd_pool *pool = dd_pool_new(ctx);
    failure_call call = {.ctx = ctx, .status = status, .text = dd_text_new(pool)};
    size_t length;
    /* no memory for a proper object: names and texts of statuses need no escaping */
    if (!pool || dd_protect(ctx, build, &call) != DD_OK) {
        length = (size_t)snprintf(buffer, size, "{\"status\":\"%s\",\"reason\":\"%s\"}", dd_status_name(status),
                                  dd_status_text(status));
    } else {
        length = call.text.len;
        /* truncated like snprintf; the caller sees it by the length */
        if (size > 0) {
            size_t n = length < size - 1 ? length : size - 1;
            memcpy(buffer, dd_text_str(&call.text), n);
            buffer[n] = 0;
        }
    }
    dd_pool_free(pool);
    return length;
}
