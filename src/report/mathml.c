/* mathml.c - LaTeX to MathML by recursive descent: row() reads atoms up to the end of a group, atom() one of them,
 * and scripts stand behind it. */
#include "report/mathml.h"

#include <ctype.h>
#include <string.h>

#include "report/plot.h"

enum { MOST_DEPTH = 300 }; /* groups inside each other; what is deeper is left out */

typedef struct tex {
    const char *at, *end;
    dd_pool *pool;
    const char *tag; /* text of \tag; NULL: none */
    uint32_t depth;
} tex;

static void row(tex *t, dd_text *out);
static void atom(tex *t, dd_text *out);

/* ---- tokens ---- */

static bool next_is(const tex *t, const char *token)
{
    const size_t n = strlen(token);
    return (size_t)(t->end - t->at) >= n && memcmp(t->at, token, n) == 0;
}

static bool take(tex *t, const char *token)
{
    if (!next_is(t, token)) {
        return false;
    }
    t->at += strlen(token);
    return true;
}

static void skip_blanks(tex *t)
{
    while (t->at < t->end && isspace((unsigned char)*t->at)) {
        t->at++;
    }
}

/* The words of {...}, with escapes of TeX undone; commands inside are dropped. */
static const char *words(tex *t)
{
    dd_text text = dd_text_new(t->pool);
    uint32_t depth = take(t, "{") ? 1 : 0;
    while (depth > 0 && t->at < t->end) {
        const char c = *t->at++;
        if (c == '\\' && t->at < t->end && !isalpha((unsigned char)*t->at)) {
            dd_text_add_char(&text, *t->at++);
        } else if (c == '\\') {
            while (t->at < t->end && isalpha((unsigned char)*t->at)) {
                t->at++;
            }
        } else if (c == '{') {
            depth++;
        } else if (c == '}') {
            depth--;
        } else if (c != '$') {
            dd_text_add_char(&text, c);
        }
    }
    return dd_text_str(&text);
}

/* ---- elements ---- */

static void element(dd_text *out, const char *tag, const char *text)
{
    dd_text_printf(out, "<%s>", tag);
    dd_html_text(out, text);
    dd_text_printf(out, "</%s>", tag);
}

/* The next group, or the next atom alone, as one element. */
static void argument(tex *t, dd_text *out)
{
    skip_blanks(t);
    dd_text_add(out, "<mrow>");
    if (take(t, "{")) {
        row(t, out);
        take(t, "}");
    } else if (t->at < t->end) {
        atom(t, out);
    }
    dd_text_add(out, "</mrow>");
}

/* ---- commands ---- */

static const struct {
    const char *name, *text;
} signs[] = {{"cdot", "\xE2\x8B\x85"},  {"le", "\xE2\x89\xA4"},     {"ge", "\xE2\x89\xA5"},
             {"ne", "\xE2\x89\xA0"},    {"wedge", "\xE2\x88\xA7"},  {"vee", "\xE2\x88\xA8"},
             {"neg", "\xC2\xAC"},       {"mid", "\xE2\x88\xA3"},    {"dots", "\xE2\x80\xA6"},
             {"times", "\xC3\x97"},     {"pm", "\xC2\xB1"},         {"to", "\xE2\x86\x92"},
             {"infty", "\xE2\x88\x9E"}, {"approx", "\xE2\x89\x88"}, {"Rightarrow", "\xE2\x87\x92"}};

/* A Greek letter by its name: its code in Unicode; 0: it is none. */
static uint32_t greek(const char *name, size_t n)
{
    static const char *const letters[] = {"alpha", "beta", "gamma", "delta",  "epsilon", "zeta", "eta",
                                          "theta", "iota", "kappa", "lambda", "mu",      "nu",   "xi",
                                          "",      "pi",   "rho",   "",       "sigma",   "tau",  "upsilon",
                                          "phi",   "chi",  "psi",   "omega"};
    for (uint32_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (strlen(letters[i]) == n && n > 0 && strncmp(letters[i] + 1, name + 1, n - 1) == 0) {
            if (letters[i][0] == name[0]) {
                return 0x3b1 + i;
            }
            if (letters[i][0] == tolower((unsigned char)name[0])) {
                return 0x391 + i;
            }
        }
    }
    return 0;
}

static void fence(tex *t, dd_text *out)
{
    const char sign[2] = {t->at < t->end ? *t->at++ : '.', '\0'};
    if (sign[0] != '.') {
        element(out, "mo", sign);
    }
}

static void fenced(tex *t, dd_text *out)
{
    dd_text_add(out, "<mrow>");
    fence(t, out);
    row(t, out);
    if (take(t, "\\right")) {
        fence(t, out);
    }
    dd_text_add(out, "</mrow>");
}

static void accented(tex *t, dd_text *out, const char *dots)
{
    dd_text_add(out, "<mover>"); /* as an accent it would touch the letter, in fonts without data for mathematics */
    argument(t, out);
    element(out, "mo", dots);
    dd_text_add(out, "</mover>");
}

/* Cells up to \end: cases with a brace before them, a matrix between parentheses. */
static void environment(tex *t, dd_text *out)
{
    const bool cases = strcmp(words(t), "cases") == 0;
    dd_text_add(out, cases ? "<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>"
                           : "<mrow><mo>(</mo><mtable><mtr><mtd>");
    while (t->at < t->end && !next_is(t, "\\end")) {
        const char *before = t->at;
        row(t, out);
        if (take(t, "&")) {
            dd_text_add(out, "</mtd><mtd>");
        } else if (take(t, "\\\\")) {
            dd_text_add(out, "</mtd></mtr><mtr><mtd>");
        } else if (t->at == before) {
            t->at++; /* nothing that belongs here */
        }
    }
    if (take(t, "\\end")) {
        words(t);
    }
    dd_text_add(out, cases ? "</mtd></mtr></mtable></mrow>" : "</mtd></mtr></mtable><mo>)</mo></mrow>");
}

/* Commands with arguments; false: the name is none of them. */
static bool structure(tex *t, dd_text *out, const char *name)
{
    /* fractions and roots have arguments; \\left opens a fence; dots are accents; the rest are words */
    if (strcmp(name, "frac") == 0) {
        dd_text_add(out, "<mfrac>");
        argument(t, out);
        argument(t, out);
        dd_text_add(out, "</mfrac>");
    } else if (strcmp(name, "sqrt") == 0) {
        dd_text_add(out, "<msqrt>");
        argument(t, out);
        dd_text_add(out, "</msqrt>");
    } else if (strcmp(name, "left") == 0) {
        fenced(t, out);
    } else if (strcmp(name, "begin") == 0) {
        environment(t, out);
    } else if (strcmp(name, "dot") == 0) {
        accented(t, out, "\xCB\x99");
    } else if (strcmp(name, "ddot") == 0) {
        accented(t, out, "\xC2\xA8");
    } else if (strcmp(name, "dddot") == 0) {
        accented(t, out, "...");
    } else if (strcmp(name, "tag") == 0) {
        t->tag = words(t);
    } else if (strcmp(name, "mathit") == 0 || strcmp(name, "operatorname") == 0) {
        element(out, "mi", words(t));
    } else if (strncmp(name, "text", 4) == 0) {
        element(out, "mtext", words(t));
    } else {
        return false;
    }
    return true;
}

static void symbol(dd_text *out, const char *name)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strcmp(name, signs[i].name) == 0) {
            element(out, "mo", signs[i].text);
            return;
        }
    }
    const uint32_t code = greek(name, strlen(name));
    if (code != 0) {
        dd_text_printf(out, "<mi>&#%u;</mi>", code);
    } else if (strcmp(name, "partial") == 0) {
        dd_text_add(out, "<mi>\xE2\x88\x82</mi>");
    } else if (strcmp(name, "quad") == 0) {
        dd_text_add(out, "<mspace width=\"1em\"/>");
    } else {
        element(out, "mi", name); /* sin, arctan, log */
    }
}

static void command(tex *t, dd_text *out)
{
    const char *begin = ++t->at;
    while (t->at < t->end && isalpha((unsigned char)*t->at)) {
        t->at++;
    }
    /* \, and \; are spaces, \_ and the like are the sign itself */
    if (t->at == begin) {
        const char sign[2] = {t->at < t->end ? *t->at++ : ' ', '\0'};
        if (sign[0] == ',' || sign[0] == ';') {
            dd_text_add(out, "<mspace width=\"0.17em\"/>");
        } else {
            element(out, "mo", sign);
        }
        return;
    }
    const char *name = dd_pool_strndup(t->pool, begin, (size_t)(t->at - begin));
    if (!structure(t, out, name)) {
        symbol(out, name);
    }
}

/* ---- atoms and rows ---- */

static void number(tex *t, dd_text *out)
{
    const char *begin = t->at;
    while (t->at < t->end && (isdigit((unsigned char)*t->at) || *t->at == '.')) {
        t->at++;
    }
    element(out, "mn", dd_pool_strndup(t->pool, begin, (size_t)(t->at - begin)));
}

static void atom(tex *t, dd_text *out)
{
    if (++t->depth > MOST_DEPTH) {
        t->at = t->end;
    } else if (*t->at == '{') {
        argument(t, out);
    } else if (*t->at == '\\') {
        command(t, out);
    } else if (isdigit((unsigned char)*t->at)) {
        number(t, out);
    } else {
        /* a point inside a name is no operator: no space around it */
        const char sign[2] = {*t->at++, '\0'};
        element(out, isalpha((unsigned char)sign[0]) || sign[0] == '.' ? "mi" : "mo",
                sign[0] == '-' ? "\xE2\x88\x92" : sign);
    }
    t->depth--;
}

/* An atom with its subscript and superscript. */
static void scripted(tex *t, dd_text *out)
{
    dd_text base = dd_text_new(t->pool), sub = dd_text_new(t->pool), super = dd_text_new(t->pool);
    atom(t, &base);
    while (t->at < t->end && (*t->at == '_' || *t->at == '^')) {
        const bool below = *t->at++ == '_';
        argument(t, below ? &sub : &super);
    }
    const char *tag = sub.len > 0 && super.len > 0 ? "msubsup" : sub.len > 0 ? "msub" : super.len > 0 ? "msup" : NULL;
    if (tag == NULL) {
        dd_text_add(out, dd_text_str(&base));
        return;
    }
    dd_text_printf(out, "<%s><mrow>", tag);
    dd_text_add(out, dd_text_str(&base));
    dd_text_add(out, "</mrow>");
    dd_text_add(out, dd_text_str(&sub));
    dd_text_add(out, dd_text_str(&super));
    dd_text_printf(out, "</%s>", tag);
}

/* Up to the end of the group: }, \right, the end of a cell. */
static void row(tex *t, dd_text *out)
{
    for (skip_blanks(t); t->at < t->end; skip_blanks(t)) {
        if (*t->at == '}' || *t->at == '&' || next_is(t, "\\\\") || next_is(t, "\\right") || next_is(t, "\\end")) {
            return;
        }
        scripted(t, out);
    }
}

void dd_mathml(dd_text *out, const char *latex, size_t length, bool block)
{
    dd_pool *scratch = dd_pool_child(out->pool);
    tex t = {.at = latex, .end = latex + length, .pool = scratch};
    dd_text_add(out, block ? "<math display=\"block\"><mrow>" : "<math><mrow>");
    while (t.at < t.end) {
        row(&t, out);
        t.at += t.at < t.end ? 1 : 0; /* a closing sign without its opening one */
    }
    dd_text_add(out, "</mrow>");
    if (t.tag != NULL) {
        dd_text_add(out, "<mspace width=\"2em\"/>");
        element(out, "mtext", dd_pool_printf(scratch, "(%s)", t.tag));
    }
    dd_text_add(out, "</math>");
    dd_pool_free(scratch);
}
