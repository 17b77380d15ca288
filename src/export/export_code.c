/* export_code.c - the public calls of daedal/export_code.h. Start at export_c_body. */
#include <string.h>

#include "base/json.h"
#include "daedal/control.h"
#include "export/export_impl.h"
#include "export/program.h"

dd_export_options dd_export_options_default(void)
{
    return (dd_export_options){0};
}

/* {"status":"ok","files":[..],"functions":[..],"bytes":..} */
static void write_result(dd_export *x, const char *const *files, uint32_t n, size_t bytes)
{
    x->result = dd_text_new(x->pool);
    dd_json j = dd_json_new(&x->result);
    dd_json_begin_object(&j);
    dd_json_put_string(&j, "status", "ok");
    dd_json_put_string(&j, "name", x->name);
    if (x->tableau != NULL) {
        dd_json_put_string(&j, "method", x->tableau->name);
    } else {
        dd_json_put_string(&j, "kind", x->control != NULL ? "controller" : "solver");
    }
    dd_json_put_strings(&j, "files", files, n);
    dd_json_put_strings(&j, "functions", x->functions.data, x->functions.len);
    dd_json_put_int(&j, "bytes", (int64_t)bytes);
    dd_json_end_object(&j);
}

typedef struct export_call {
    dd_export *x;
    const char *path;
} export_call;

static void report(dd_export *x, const dd_export_files *files)
{
    dd_string_vec names = {0};
    size_t bytes = 0;
    for (uint32_t i = 0; i < files->len; i++) {
        dd_vec_push(x->pool, &names, files->data[i].path);
        bytes += files->data[i].length;
    }
    write_result(x, names.data, names.len, bytes);
}

static void export_c_body(void *arg)
{
    const export_call *call = arg;
    dd_export *x = call->x;
    dd_export_files files = {0};
    x->options.fmi = 0;
    if (x->system->model->optimization != NULL) {
        dd_program_export_body(x, &files);
    } else {
        dd_export_collect(x);
        dd_export_write_functions(x);
        dd_export_c_files(x, &files);
    }
    dd_export_write_folder(x, &files, call->path);
    report(x, &files);
}

static void export_fmu_body(void *arg)
{
    const export_call *call = arg;
    dd_export *x = call->x;
    dd_export_files files = {0};
    x->options.fmi = x->options.fmi == 3 ? 3 : 2;
    dd_export_collect(x);
    dd_export_write_functions(x);
    dd_export_fmu_files(x, &files);
    dd_export_write_fmu(x, &files, call->path);
    report(x, &files);
}

static dd_status run(dd_export **out, const dd_system *system, const char *path, const dd_export_options *options,
                     void (*body)(void *))
{
    if (out) {
        *out = NULL;
    }
    if (!out || !system || !path) {
        return DD_INVALID_ARGUMENT;
    }
    dd_context *ctx = system->ctx;
    dd_pool *pool = dd_pool_new(ctx);
    dd_export *x = pool ? dd_mem_new_array(ctx, 1, sizeof *x) : NULL;
    if (!x) {
        dd_pool_free(pool);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    *x = (dd_export){.ctx = ctx, .system = system, .pool = pool};
    x->options = options ? *options : dd_export_options_default();
    export_call call = {x, path};
    const dd_status st = dd_protect(ctx, body, &call);
    if (st != DD_OK) {
        dd_export_free(x);
        return st;
    }
    *out = x;
    return DD_OK;
}

dd_status dd_export_c(dd_export **out, const dd_system *system, const char *path, const dd_export_options *options)
{
    return run(out, system, path, options, export_c_body);
}

dd_status dd_export_fmu(dd_export **out, const dd_system *system, const char *path, const dd_export_options *options)
{
    return run(out, system, path, options, export_fmu_body);
}

const char *dd_export_json(const dd_export *x)
{
    return x ? dd_text_str(&x->result) : "";
}

void dd_export_free(dd_export *x)
{
    if (x) {
        dd_export_release(x);
        dd_control_free(x->control);
        dd_ocp_free(x->ocp);
        dd_pool_free(x->pool);
        dd_mem_free(x->ctx, x, sizeof *x);
    }
}
