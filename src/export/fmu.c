/* fmu.c - an FMU from beginning to end: variables, sources, description, binary, archive. */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "export/fmu_impl.h"

/* An identifier of the model's functions, in the form that importers are used to. */
static const char *guid_of(const dd_export *x)
{
    const char *code = dd_text_str(&x->writer.code);
    const uint64_t a = dd_hash_bytes(code, strlen(code)), b = dd_hash_mix(a, (uint64_t)x->options.fmi + x->p.len);
    return dd_pool_printf(x->pool, "{%08x-%04x-%04x-%04x-%08x%04x}", (uint32_t)(a >> 32), (uint32_t)(a >> 16 & 0xffff),
                          (uint32_t)(a & 0xffff), (uint32_t)(b >> 48), (uint32_t)(b >> 16), (uint32_t)(b & 0xffff));
}

void dd_export_fmu_files(dd_export *x, dd_export_files *files)
{
    const bool three = x->options.fmi == 3;
    dd_fmu f = {.x = x};
    dd_export_files sources = {0};
    dd_fmu_list(&f);
    dd_fmu_find_dependencies(&f);
    f.guid = guid_of(x);
    dd_fmu_files(&f, &sources);
    dd_export_add_file(x, files, "modelDescription.xml", dd_fmu_description(&f));
    for (uint32_t i = 0; i < sources.len; i++) {
        dd_export_add_file(x, files, dd_pool_printf(x->pool, "sources/%s", sources.data[i].path), sources.data[i].data);
    }
    if (three) {
        dd_export_add_file(x, files, "sources/buildDescription.xml", dd_fmu_build_description(&f));
    }
    dd_export_file binary = dd_fmu_compile(x, &sources);
    binary.path = dd_pool_printf(x->pool, "binaries/%s/%s.so", three ? "x86_64-linux" : "linux64", x->name);
    dd_vec_push(x->pool, files, binary);
}

void dd_export_write_fmu(dd_export *x, const dd_export_files *files, const char *path)
{
    dd_text archive = dd_text_new(x->pool);
    dd_zip_write(x, files, &archive);
    const dd_status st = dd_file_write(x->ctx, path, archive.data, archive.len);
    if (st != DD_OK) {
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
}
