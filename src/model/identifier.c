/* identifier.c - plain names and quoted ones.
 *
 *   x_1      letters, digits and _, no reserved word: as it is
 *   'a.b'    anything else between quotes, with \' and \\ for the two characters that mean something there
 */
#include "model/identifier.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* Reserved words of the language, sorted. */
static const char *const reserved[] = {
    "algorithm",    "and",           "annotation",  "block",     "break",      "class",     "connect",  "connector",
    "constant",     "constrainedby", "der",         "discrete",  "each",       "else",      "elseif",   "elsewhen",
    "encapsulated", "end",           "enumeration", "equation",  "expandable", "extends",   "external", "false",
    "final",        "flow",          "for",         "function",  "if",         "import",    "impure",   "in",
    "initial",      "inner",         "input",       "loop",      "model",      "not",       "operator", "or",
    "outer",        "output",        "package",     "parameter", "partial",    "protected", "public",   "pure",
    "record",       "redeclare",     "replaceable", "return",    "stream",     "then",      "true",     "type",
    "when",         "while",         "within"};

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_plain(const char *name)
{
    if (!is_letter(name[0])) {
        return false;
    }
    for (const char *s = name; *s; s++) {
        if (!is_letter(*s) && !(*s >= '0' && *s <= '9')) {
            return false;
        }
    }
    return !is_reserved(name);
}

static bool is_text(const char *name, size_t length)
{
    /* valid UTF-8 without control characters: a name is one line in every report */
    for (size_t i = 0; i < length;) {
        uint32_t code;
        i += dd_utf8_decode(name + i, length - i, &code);
        if (code == UINT32_MAX || code < 0x20 || code == 0x7f) {
            return false;
        }
    }
    return true;
}

/* 'a\'b': the quote that closes it is the last character. */
static bool is_quoted(const char *name, size_t length)
{
    if (length < 3 || name[0] != '\'') {
        return false;
    }
    /* a backslash protects the next character; the first free quote must be the last byte */
    size_t i = 1;
    while (i < length && name[i] != '\'') {
        i += name[i] == '\\' ? 2 : 1;
    }
    return i == length - 1;
}

static const char *quote(dd_pool *pool, const char *name, size_t length)
{
    /* at worst every character is escaped, and two quotes and the end are added */
    char *out = dd_pool_alloc(pool, 2 * length + 3), *to = out;
    *to++ = '\'';
    for (const char *s = name; *s; s++) {
        if (*s == '\'' || *s == '\\') {
            *to++ = '\\';
        }
        *to++ = *s;
    }
    *to = '\'';
    return out;
}

const char *dd_identifier(dd_pool *pool, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length > DD_IDENTIFIER_MAX || !is_text(name, length)) {
        return NULL;
    }
    if (is_plain(name) || is_quoted(name, length)) {
        return dd_pool_strdup(pool, name);
    }
    /* quoting may make a name too long for the language to read back */
    const char *quoted = quote(pool, name, length);
    return strlen(quoted) <= DD_IDENTIFIER_MAX ? quoted : NULL;
}
