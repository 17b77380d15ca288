/* names.c - names of the language as names of C. */
#include <ctype.h>
#include <string.h>

#include "export/export_impl.h"

/* Words that C or the generated code itself uses. */
static const char *const taken[] = {
    "auto",     "break",  "case",     "char",     "const",  "continue", "default", "do",     "double",   "else",
    "enum",     "extern", "float",    "for",      "goto",   "if",       "inline",  "int",    "long",     "register",
    "restrict", "return", "short",    "signed",   "sizeof", "static",   "struct",  "switch", "typedef",  "union",
    "unsigned", "void",   "volatile", "while",    "main",   "bool",     "true",    "false",  "asm",      "typeof",
    "abs",      "sin",    "cos",      "tan",      "exp",    "log",      "pow",     "sqrt",   "floor",    "ceil",
    "fabs",     "double", "printf",   "readline", "fmi2",   "fmi3",     "step",    "time",   "constexpr"};

/* Letters, digits and single underscores; p[1] -> p_1, a.b -> a_b, der(x) -> der_x. */
static char *plain(dd_pool *pool, const char *name)
{
    char *out = dd_pool_alloc(pool, strlen(name) + 3);
    size_t n = 0;
    for (const char *at = name; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool word = c < 128 && (isalnum(c) || c == '_');
        if (word) {
            out[n++] = (char)c;
        } else if (n > 0 && out[n - 1] != '_') {
            out[n++] = '_';
        }
    }
    while (n > 0 && out[n - 1] == '_') {
        n--;
    }
    out[n] = '\0';
    return n > 0 ? out : dd_pool_strdup(pool, "n");
}

const char *dd_export_c_name(dd_pool *pool, const char *name, dd_names *used)
{
    const char *base = plain(pool, name), *out = base;
    /* different names may become the same: a_1 and a[1] */
    for (uint32_t k = 2; dd_names_find(used, out, strlen(out)) != 0; k++) {
        out = dd_pool_printf(pool, "%s__%u", base, k);
    }
    dd_names_intern(used, out, strlen(out));
    return out;
}

const char *dd_export_prefix(dd_pool *pool, const char *model)
{
    char *name = plain(pool, model);
    bool bad = isdigit((unsigned char)name[0]) != 0;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        bad = bad || strcmp(name, taken[i]) == 0;
    }
    return bad || name[0] == '_' ? dd_pool_printf(pool, "model_%s", name + (name[0] == '_')) : name;
}
