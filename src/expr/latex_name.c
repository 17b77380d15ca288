/* latex_name.c - names and plain text as LaTeX: Greek letters by their commands, digits at the end as a subscript,
 * characters with a meaning in LaTeX escaped. Only ASCII is written, so that every TeX reads it. */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "expr/latex.h"

/* In the order of the alphabet; omicron looks like o and has no command. */
static const char *const greek[] = {
    "alpha", "beta",  "gamma",  "delta", "epsilon", "zeta",  "eta",     "theta", "iota", "kappa", "lambda", "mu",
    "nu",    "xi",    "pi",     "rho",   "sigma",   "tau",   "upsilon", "phi",   "chi",  "psi",   "omega",  "Gamma",
    "Delta", "Theta", "Lambda", "Xi",    "Pi",      "Sigma", "Upsilon", "Phi",   "Psi",  "Omega"};

/* Letters that people write in quoted names: code of the character and its command. */
static const struct {
    uint32_t code;
    const char *command;
} letters[] = {{0x3b1, "alpha"}, {0x3b2, "beta"},  {0x3b3, "gamma"}, {0x3b4, "delta"}, {0x3b5, "epsilon"},
               {0x3b6, "zeta"},  {0x3b7, "eta"},   {0x3b8, "theta"}, {0x3ba, "kappa"}, {0x3bb, "lambda"},
               {0x3bc, "mu"},    {0x3bd, "nu"},    {0x3be, "xi"},    {0x3c0, "pi"},    {0x3c1, "rho"},
               {0x3c3, "sigma"}, {0x3c4, "tau"},   {0x3c6, "phi"},   {0x3c7, "chi"},   {0x3c8, "psi"},
               {0x3c9, "omega"}, {0x393, "Gamma"}, {0x394, "Delta"}, {0x398, "Theta"}, {0x39b, "Lambda"},
               {0x3a3, "Sigma"}, {0x3a6, "Phi"},   {0x3a8, "Psi"},   {0x3a9, "Omega"}};

static bool is_greek(const char *name, size_t length)
{
    bool found = false;
    for (size_t i = 0; i < sizeof greek / sizeof *greek && !found; i++) {
        found = strlen(greek[i]) == length && memcmp(greek[i], name, length) == 0;
    }
    return found;
}

/* A character beyond ASCII: a Greek letter, or its number. */
static void add_foreign(uint32_t code, dd_text *out)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].code == code) {
            dd_text_printf(out, "\\ensuremath{\\%s}", letters[i].command);
            return;
        }
    }
    dd_text_printf(out, "[U+%04X]", (unsigned)(code == UINT32_MAX ? 0xfffd : code));
}

/* The characters of TeX's own syntax, in text and in math alike. */
static void add_character(char c, dd_text *out)
{
    static const char special[] = "#$%&_{}";
    if (strchr(special, c)) {
        dd_text_printf(out, "\\%c", c);
    } else if (c == '\\') {
        dd_text_add(out, "\\textbackslash{}");
    } else if (c == '^') {
        dd_text_add(out, "\\textasciicircum{}");
    } else if (c == '~') {
        dd_text_add(out, "\\textasciitilde{}");
    } else if (c == '<' || c == '>' || c == '|') {
        dd_text_printf(out, "\\ensuremath{%c}", c);
    } else {
        dd_text_add_char(out, (unsigned char)c < ' ' ? ' ' : c);
    }
}

static void add_escaped(const char *text, size_t length, dd_text *out)
{
    for (size_t i = 0; i < length;) {
        uint32_t code;
        const size_t n = dd_utf8_decode(text + i, length - i, &code);
        if (n == 1 && code < 0x80) {
            add_character(text[i], out);
        } else {
            add_foreign(code, out);
        }
        i += n;
    }
}

void dd_latex_text(const char *text, dd_text *out)
{
    add_escaped(text, strlen(text), out);
}

/* One letter as it is, a Greek name by its command, a word in letters that stand together. */
static const char *word(const char *name, size_t length, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    if (is_greek(name, length)) {
        dd_text_add(&text, "\\");
        dd_text_add_n(&text, name, length);
    } else if (length == 1 && isalpha((unsigned char)*name)) {
        dd_text_add_n(&text, name, length);
    } else {
        dd_text_add(&text, "\\mathit{");
        add_escaped(name, length, &text);
        dd_text_add(&text, "}");
    }
    return dd_text_str(&text);
}

dd_latex_name dd_latex_name_of(const char *name, size_t length, dd_pool *pool)
{
    /* x1, theta12: the digits are a subscript; v_max: what follows the only underscore is */
    size_t letters_end = length;
    while (letters_end > 0 && isdigit((unsigned char)name[letters_end - 1])) {
        letters_end--;
    }
    const char *bar = memchr(name, '_', length);
    const size_t head = bar ? (size_t)(bar - name) : 0;
    const bool plain = !memchr(name, '.', length) && !memchr(name, '\'', length);
    const bool one_bar = bar && head > 0 && head + 1 < length && !memchr(bar + 1, '_', length - head - 1);
    if (plain && one_bar) {
        return (dd_latex_name){word(name, head, pool), word(bar + 1, length - head - 1, pool)};
    }
    if (plain && !bar && letters_end > 0 && letters_end < length) {
        return (dd_latex_name){word(name, letters_end, pool),
                               dd_pool_strndup(pool, name + letters_end, length - letters_end)};
    }
    return (dd_latex_name){word(name, length, pool), ""};
}
