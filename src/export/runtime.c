/* runtime.c - the code that all exports share, stored in the library by cmake/Embed.cmake. */
#include <string.h>

#include "export/export_impl.h"
#include "export/runtime.h"

static const char token[] = "NAME";

static const char *find(const char *file)
{
    for (uint32_t i = 0; dd_runtime_files[i].name; i++) {
        if (strcmp(dd_runtime_files[i].name, file) == 0) {
            return dd_runtime_files[i].text;
        }
    }
    return "";
}

const char *dd_export_runtime(const dd_export *x, const char *file)
{
    dd_text out = dd_text_new(x->pool);
    const char *at = find(file), *next;
    while ((next = strstr(at, token)) != NULL) {
        dd_text_add_n(&out, at, (size_t)(next - at));
        dd_text_add(&out, x->name);
        at = next + sizeof token - 1;
    }
    dd_text_add(&out, at);
    return dd_text_str(&out);
}
