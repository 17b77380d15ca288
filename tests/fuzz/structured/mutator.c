/* mutator.c - libFuzzer's mutations by the rules of the inputs: statements, names, numbers, operators and calls of a model,
 * options of a table, cells and rows of a CSV file; bytes now and then. Start reading at LLVMFuzzerCustomMutator. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "structured.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t most,
                                 unsigned int seed);

enum { MOST_TEXT = 16384, MOST_PIECES = 4096, CHANGES = 3, BYTES_ONE_IN = 12 };

/* ---- chance ---- */

static uint64_t state;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n == 0 ? 0 : (uint32_t)(state >> 33) % n;
}

/* ---- a text, and the pieces of it ---- */

typedef struct text {
    char s[MOST_TEXT + 1];
    size_t n;
} text;

typedef struct piece {
    size_t at, n;
} piece;

typedef struct pieces {
    piece all[MOST_PIECES];
    uint32_t count;
} pieces;

/* Puts what[0..n) in the place of piece p; not where it would not fit. */
static void replace(text *t, piece p, const char *what, size_t n)
{
    if (t->n - p.n + n > MOST_TEXT) {
        return;
    }
    char copy[MOST_TEXT];
    if (n > sizeof copy) {
        return;
    }
    memcpy(copy, what, n); /* it may be a part of the text */
    memmove(t->s + p.at + n, t->s + p.at + p.n, t->n - p.at - p.n);
    memcpy(t->s + p.at, copy, n);
    t->n += n - p.n;
    t->s[t->n] = 0;
}

static void replace_by(text *t, piece p, const char *what)
{
    replace(t, p, what, strlen(what));
}

static void add(pieces *list, size_t at, size_t n)
{
    if (list->count < MOST_PIECES) {
        list->all[list->count++] = (piece){at, n};
    }
}

static piece pick(const pieces *list)
{
    return list->all[below(list->count)];
}

/* Where the model ends and the table begins. */
static size_t model_end(const text *t)
{
    const char *table = strstr(t->s, FUZZ_FILE_MARK);
    return table ? (size_t)(table - t->s) : t->n;
}

static size_t model_begin(const text *t)
{
    return strncmp(t->s, FUZZ_OPTIONS_MARK, strlen(FUZZ_OPTIONS_MARK)) == 0 ? strcspn(t->s, "\n") : 0;
}

static bool is_keyword(const char *s, size_t n)
{
    static const char *const words[] = {
        "model",   "end",          "equation",   "initial",    "parameter", "Real",     "input",    "output", "for",
        "loop",    "in",           "if",         "then",       "else",      "elseif",   "true",     "false",  "extends",
        "connect", "optimization", "constraint", "annotation", "each",      "function", "algorithm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == n && strncmp(words[i], s, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Pieces of one kind: 'a' names, '0' numbers, '+' operators, ';' statements, '(' bracketed parts with their brackets. */
static void find(const text *t, char kind, pieces *out)
{
    out->count = 0;
    size_t statement = model_begin(t), stack[64], depth = 0;
    for (size_t i = model_begin(t), end = model_end(t), n; i < end; i += n) {
        n = 1;
        const char c = t->s[i];
        if (isalpha((unsigned char)c) || c == '_') {
            while (i + n < end && (isalnum((unsigned char)t->s[i + n]) || t->s[i + n] == '_' || t->s[i + n] == '.')) {
                n++;
            }
            if (kind == 'a' && !is_keyword(t->s + i, n)) {
                add(out, i, n);
            }
        } else if (isdigit((unsigned char)c)) {
            while (i + n < end && (isalnum((unsigned char)t->s[i + n]) || t->s[i + n] == '.')) {
                n++;
            }
            if (kind == '0') {
                add(out, i, n);
            }
        } else if (strchr("+-*/^<>=", c) != NULL && c != 0) {
            if (kind == '+') {
                add(out, i, n);
            }
        } else if (c == ';') {
            if (kind == ';') {
                add(out, statement, i + 1 - statement);
            }
            statement = i + 1;
        } else if (c == '(' && depth < 64) {
            stack[depth++] = i;
        } else if (c == ')' && depth > 0) {
            depth--;
            if (kind == '(') {
                add(out, stack[depth], i + 1 - stack[depth]);
            }
        }
    }
}

/* ---- changes of a model ---- */

static void change_number(text *t, pieces *list)
{
    static const char *const values[] = {"0",      "1",     "-1",  "2",    "3",   "0.5",  "1e-9", "1e9",
                                         "1e-300", "1e300", "0.1", "9.81", "100", "1e-3", "10",   "7"};
    find(t, '0', list);
    if (list->count > 0) {
        replace_by(t, pick(list), values[below(sizeof values / sizeof *values)]);
    }
}

static void change_name(text *t, pieces *list)
{
    find(t, 'a', list);
    if (list->count > 1) {
        const piece from = pick(list), to = pick(list);
        replace(t, to, t->s + from.at, from.n);
    }
}

static void change_operator(text *t, pieces *list)
{
    static const char *const values[] = {"+", "-", "*", "/", "^", "=", "<", ">", "<=", ">=", "+", "-", "*"};
    find(t, '+', list);
    if (list->count > 0) {
        replace_by(t, pick(list), values[below(sizeof values / sizeof *values)]);
    }
}

/* A name or a bracket becomes the argument of a function, or a branch. */
static void wrap(text *t, pieces *list)
{
    static const char *const before[] = {"der(",
                                         "sin(",
                                         "exp(",
                                         "sqrt(",
                                         "log(",
                                         "abs(",
                                         "sign(",
                                         "max(0, ",
                                         "min(1, ",
                                         "mod(1, ",
                                         "floor(",
                                         "(-",
                                         "(if time > 0.5 then 1 else ",
                                         "(if x > 0 then 0 else ",
                                         "noEvent(",
                                         "tanh(",
                                         "(1/",
                                         "(1e-8*",
                                         "(0*",
                                         "atan2(1, ",
                                         "der(der("};
    find(t, below(2) == 0 ? 'a' : '(', list);
    if (list->count == 0) {
        return;
    }
    const piece p = pick(list);
    const char *open = before[below(sizeof before / sizeof *before)];
    char what[512];
    if (p.n < sizeof what - 64) {
        const int n = snprintf(what, sizeof what, "%s%.*s%s", open, (int)p.n, t->s + p.at,
                               strcmp(open, "der(der(") == 0 ? "))" : ")");
        replace(t, p, what, (size_t)n);
    }
}

/* One bracketed part in the place of another. */
static void exchange_brackets(text *t, pieces *list)
{
    find(t, '(', list);
    if (list->count > 1) {
        const piece from = pick(list), to = pick(list);
        replace(t, to, t->s + from.at, from.n);
    }
}

static void change_statements(text *t, pieces *list)
{
    find(t, ';', list);
    if (list->count < 2) {
        return;
    }
    const piece a = pick(list), b = pick(list);
    switch (below(4)) {
    case 0: /* leave one out */
        replace(t, a, "", 0);
        break;
    case 1: /* one again, elsewhere */
        replace(t, (piece){b.at + b.n, 0}, t->s + a.at, a.n);
        break;
    case 2: /* one in the place of another */
        replace(t, b, t->s + a.at, a.n);
        break;
    default: /* two as one: the left side of a, the right side of b */ {
        const char *ea = memchr(t->s + a.at, '=', a.n), *eb = memchr(t->s + b.at, '=', b.n);
        if (ea && eb) {
            const size_t at = (size_t)(ea - t->s);
            replace(t, (piece){at, a.at + a.n - at}, eb, (size_t)(t->s + b.at + b.n - eb));
        }
    }
    }
}

/* A new statement made of names of the text. */
static void add_statement(text *t, pieces *list)
{
    static const char *const forms[] = {"\n%s = %s;",
                                        "\nder(%s) = %s;",
                                        "\n%s*der(%s) = 1;",
                                        "\n%s^2 + %s^2 = 1;",
                                        "\n%s*%s = 0;",
                                        "\nReal %s, %s;",
                                        "\n%s <= %s;",
                                        "\n%s(finalTime) = %s(startTime);",
                                        "\nder(der(%s)) = -%s;",
                                        "\nassert(%s < 1, \"%s\");",
                                        "\n%s = if %s > 0 then 1 else -1;",
                                        "\ninitial equation %s = %s; equation",
                                        "\n%s(finalTime) = 0; %s(startTime) = 1;",
                                        "\nexp(%s) = -%s;",
                                        "\nsin(%s + der(%s)) = time;",
                                        "\nparameter Real %s(free = true) = 1, %s = 2;"};
    find(t, 'a', list);
    if (list->count < 2) {
        return;
    }
    const piece a = pick(list), b = pick(list);
    char one[64], two[64], what[256];
    snprintf(one, sizeof one, "%.*s", (int)a.n, t->s + a.at);
    snprintf(two, sizeof two, "%.*s", (int)b.n, t->s + b.at);
    snprintf(what, sizeof what, forms[below(sizeof forms / sizeof *forms)], one, two);
    find(t, ';', list);
    if (list->count > 0) {
        const piece p = pick(list);
        replace_by(t, (piece){p.at + p.n, 0}, what);
    }
}

/* Attributes behind a name. */
static void add_attributes(text *t, pieces *list)
{
    static const char *const values[] = {"(start = 1, fixed = true)",
                                         "(fixed = true)",
                                         "(start = 0)",
                                         "(start = -1)",
                                         "(min = 0)",
                                         "(max = 1)",
                                         "[3]",
                                         "[2](each start = 1)",
                                         "(nominal = 1e6)",
                                         "(free = true)",
                                         "(stateSelect = StateSelect.always)"};
    find(t, 'a', list);
    if (list->count > 0) {
        const piece p = pick(list);
        replace_by(t, (piece){p.at + p.n, 0}, values[below(sizeof values / sizeof *values)]);
    }
}

/* ---- changes of options and tables ---- */

static void change_options(text *t, pieces *list)
{
    (void)list;
    char line[512] = FUZZ_OPTIONS_MARK;
    uint32_t many = 0;
    while (fuzz_options[many] != NULL) {
        many++;
    }
    for (uint32_t i = 1 + below(4); i > 0; i--) {
        strcat(line, fuzz_options[below(many)]); /* each is short */
        strcat(line, " ");
    }
    const size_t begin = model_begin(t);
    if (begin == 0) {
        strcat(line, "\n");
    }
    replace_by(t, (piece){0, begin}, line);
}

/* The columns of a new table are the text's names. */
static void add_table(text *t, pieces *list)
{
    find(t, 'a', list);
    char what[512];
    int n = snprintf(what, sizeof what, "\n%stime", FUZZ_FILE_MARK);
    const uint32_t columns = 1 + below(3);
    for (uint32_t k = 0; k < columns && list->count > 0; k++) {
        const piece p = pick(list);
        n += snprintf(what + n, sizeof what - (size_t)n, ",%.*s", (int)(p.n < 40 ? p.n : 40), t->s + p.at);
    }
    for (uint32_t row = 0; row < 4; row++) {
        n += snprintf(what + n, sizeof what - (size_t)n, "\n%.3g", 0.5 * row);
        for (uint32_t k = 0; k < columns; k++) {
            n += snprintf(what + n, sizeof what - (size_t)n, ",%d", (int)below(5) - 2);
        }
    }
    replace(t, (piece){t->n, 0}, what, (size_t)n);
}

static void change_table(text *t, pieces *list)
{
    static const char *const cells[] = {"0",   "1",   "-1",  "1e300", "nan",     "",
                                        "0.5", "0.5", "inf", "x",     "\"a,b\"", "2\n2"};
    if (model_end(t) == t->n) {
        add_table(t, list);
        return;
    }
    list->count = 0;
    const size_t begin = model_end(t) + strlen(FUZZ_FILE_MARK);
    const bool rows = below(3) == 0;
    for (size_t i = begin, last = begin; i <= t->n; i++) {
        if (i == t->n || t->s[i] == '\n' || (!rows && t->s[i] == ',')) {
            add(list, last, i - last);
            last = i + 1;
        }
    }
    if (list->count == 0) {
        return;
    }
    const piece a = pick(list), b = pick(list);
    if (rows) {
        replace(t, b, t->s + a.at, below(2) * a.n);
    } else {
        replace_by(t, b, cells[below(sizeof cells / sizeof *cells)]);
    }
}

/* ---- the calls of libFuzzer ---- */

typedef void (*change)(text *t, pieces *list);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const change changes[] = {
        change_number,     change_number, change_name,    change_name,       change_operator,   wrap,
        exchange_brackets, add_statement, add_attributes, change_statements, change_statements, change_options,
        change_table,      change_options};
    static text t;
    static pieces list;
    state = seed * 2654435761u + 12345;
    if (below(BYTES_ONE_IN) == 0 || size > MOST_TEXT || memchr(data, 0, size)) {
        return LLVMFuzzerMutate(data, size, most);
    }
    memcpy(t.s, data, size);
    t.n = size;
    t.s[size] = 0;
    for (uint32_t k = 1 + below(CHANGES); k > 0; k--) {
        changes[below(sizeof changes / sizeof *changes)](&t, &list);
    }
    if (t.n > most) {
        return LLVMFuzzerMutate(data, size, most);
    }
    memcpy(data, t.s, t.n);
    return t.n;
}

/* A few statements of b go into a. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b, size_t nb, uint8_t *out, size_t most,
                                 unsigned int seed)
{
    static text ta, tb;
    static pieces la, lb;
    state = seed * 2654435761u + 54321;
    if (na > MOST_TEXT || nb > MOST_TEXT || memchr(a, 0, na) || memchr(b, 0, nb)) {
        return 0;
    }
    memcpy(ta.s, a, na);
    ta.s[ta.n = na] = 0;
    memcpy(tb.s, b, nb);
    tb.s[tb.n = nb] = 0;
    for (uint32_t k = 1 + below(CHANGES); k > 0; k--) {
        find(&ta, ';', &la);
        find(&tb, ';', &lb);
        if (la.count > 0 && lb.count > 0) {
            const piece from = pick(&lb), to = pick(&la);
            replace(&ta, (piece){to.at + to.n, 0}, tb.s + from.at, from.n);
        }
    }
    if (ta.n > most) {
        return 0;
    }
    memcpy(out, ta.s, ta.n);
    return ta.n;
}
