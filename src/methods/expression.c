/* expression.c - operator precedence with two stacks of fixed size. A formula alternates between "a value comes next"
 * (number, parenthesis, sign, sqrt) and "an operator comes next"; an operator first carries out those on the stack that
 * bind at least as strongly. */
#include "methods/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, STACK = 4 * DEEPEST, LONGEST_NUMBER = 100, LARGEST_EXPONENT = 1000, ROUNDED_DIGITS = 12 };
enum { OPEN = '(', ROOT = 's', NEGATE = 'n' }; /* beside + - * / ^ */

typedef struct {
    const char *text;
    size_t length, at;
    dd_quad values[STACK];
    size_t places[STACK]; /* of operators, for messages */
    char operators[STACK];
    uint32_t n_values, n_operators, depth;
    dd_quad accuracy;
    dd_expression_error *error;
} machine;

static bool fail(machine *m, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(machine *m, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m->error->at = at;
    vsnprintf(m->error->message, sizeof m->error->message, format, args);
    va_end(args);
    return false;
}

static int strength(char operator)
{
    switch (operator) {
    case '+':
    case '-':
        return 1;
    case '*':
    case '/':
        return 2;
    case NEGATE:
        return 3;
    case '^':
        return 4;
    default:
        return 0;
    }
}

static bool push_operator(machine *m, char operator)
{
    if (m->n_operators == STACK || m->n_values + 1 >= STACK) {
        return fail(m, m->at, "this formula is too long");
    }
    m->places[m->n_operators] = m->at;
    m->operators[m->n_operators++] = operator;
    return true;
}

static bool power(machine *m, size_t at, dd_quad base, dd_quad exponent, dd_quad *value)
{
    if (dd_quad_abs(exponent) > LARGEST_EXPONENT || exponent != (int)exponent) {
        return fail(m, at, "an exponent must be a whole number of at most %d", LARGEST_EXPONENT);
    }
    *value = 1;
    for (int k = (int)dd_quad_abs(exponent); k > 0; k--) {
        *value *= base;
    }
    *value = exponent < 0 ? 1 / *value : *value;
    return true;
}

/* carries out the operator on top of the stack */
static bool reduce(machine *m)
{
    /* the operator leaves its stack, and unary ones replace the top value */
    const size_t at = m->places[--m->n_operators];
    const char operator= m->operators[m->n_operators];
    dd_quad *top = &m->values[m->n_values - 1];
    if (operator== NEGATE) {
        *top = -*top;
        return true;
    }
    if (operator== ROOT) {
        if (*top < 0) {
            return fail(m, at, "the square root of a negative number");
        }
        *top = dd_quad_sqrt(*top);
        return true;
    }
    /* binary operators take the two topmost values and leave one */
    const dd_quad right = *top;
    m->n_values--;
    top--;
    switch (operator) {
    case '+':
        *top += right;
        return true;
    case '-':
        *top -= right;
        return true;
    case '*':
        *top *= right;
        return true;
    case '/':
        if (right == 0) {
            return fail(m, at, "division by zero");
        }
        *top /= right;
        return true;
    default:
        return power(m, at, *top, right, top);
    }
}

static void skip_blanks(machine *m)
{
    while (m->at < m->length && (m->text[m->at] == ' ' || m->text[m->at] == '\t')) {
        m->at++;
    }
}

static bool open_parenthesis(machine *m)
{
    if (++m->depth > DEEPEST) {
        return fail(m, m->at, "more than %d parentheses inside each other", DEEPEST);
    }
    const bool fine = push_operator(m, OPEN);
    m->at++;
    return fine;
}

static bool read_root(machine *m)
{
    size_t end = m->at;
    while (end < m->length && ((m->text[end] | 32) >= 'a' && (m->text[end] | 32) <= 'z')) {
        end++;
    }
    if (end - m->at != 4 || memcmp(m->text + m->at, "sqrt", 4) != 0) {
        const int shown = end - m->at < 40 ? (int)(end - m->at) : 40;
        return fail(m, m->at, "\"%.*s\" is not known here; numbers, + - * / ^ and sqrt() are", shown, m->text + m->at);
    }
    if (!push_operator(m, ROOT)) {
        return false;
    }
    m->at = end;
    skip_blanks(m);
    if (m->at == m->length || m->text[m->at] != '(') {
        return fail(m, m->at, "sqrt needs parentheses: sqrt(3)");
    }
    return open_parenthesis(m);
}

static bool read_number(machine *m)
{
    /* a copy with an end: the text may continue with other entries */
    char copy[LONGEST_NUMBER + 1];
    const size_t left = m->length - m->at, n = left < LONGEST_NUMBER ? left : LONGEST_NUMBER;
    memcpy(copy, m->text + m->at, n);
    copy[n] = '\0';
    const char *end;
    uint32_t digits;
    const dd_quad value = dd_quad_parse(copy, &end, &digits);
    if (end == copy + LONGEST_NUMBER) {
        return fail(m, m->at, "a number with more than %d characters", LONGEST_NUMBER);
    }
    if (!dd_quad_is_finite(value)) {
        return fail(m, m->at, "a number that is too large");
    }
    /* many digits behind a point are a rounded value; it is off by up to a unit of its last digit */
    if (digits >= ROUNDED_DIGITS && memchr(copy, '.', (size_t)(end - copy))) { /* whole numbers are exact */
        dd_quad rounding = 1;
        for (uint32_t k = 0; k < digits; k++) {
            rounding /= 10;
        }
        m->accuracy = dd_quad_max(m->accuracy, rounding);
    }
    m->values[m->n_values++] = value;
    m->at += (size_t)(end - copy);
    return true;
}

/* a value comes next; *complete: whether one was read, not only its sign or parenthesis */
static bool read_operand(machine *m, bool *complete)
{
    const char c = m->at < m->length ? m->text[m->at] : '\0';
    *complete = false;
    if ((c >= '0' && c <= '9') ||
        (c == '.' && m->at + 1 < m->length && m->text[m->at + 1] >= '0' && m->text[m->at + 1] <= '9')) {
        *complete = true;
        return read_number(m);
    }
    if (c == '(') {
        return open_parenthesis(m);
    }
    /* a sign: minus becomes a separate operator that binds weaker than ^, plus does nothing */
    if (c == '-' || c == '+') {
        const bool fine = c == '+' || push_operator(m, NEGATE);
        m->at++;
        return fine;
    }
    if ((c | 32) >= 'a' && (c | 32) <= 'z') {
        return read_root(m);
    }
    if (m->at == m->length) {
        return fail(m, m->at,
                    m->length == 0 ? "an empty text is not a number" : "the formula ends where a number is missing");
    }
    return fail(m, m->at, c == ')' ? "a number is missing before \")\"" : "a number is missing here");
}

static bool close_parenthesis(machine *m)
{
    /* everything inside the parentheses is carried out first */
    while (m->n_operators > 0 && m->operators[m->n_operators - 1] != OPEN) {
        if (!reduce(m)) {
            return false;
        }
    }
    if (m->n_operators == 0) {
        return fail(m, m->at, "\")\" without \"(\"");
    }
    m->n_operators--;
    m->depth--;
    m->at++;
    /* sqrt binds to its parentheses alone */
    return m->n_operators == 0 || m->operators[m->n_operators - 1] != ROOT || reduce(m);
}

/* an operator comes next; *complete: whether another one must follow, as after ")" */
static bool read_operator(machine *m, bool *complete)
{
    const char c = m->text[m->at];
    *complete = c == ')';
    if (c == ')') {
        return close_parenthesis(m);
    }
    if (strength(c) == 0 || c == NEGATE) {
        const bool number = (c >= '0' && c <= '9') || c == '.' || c == '(';
        return fail(m, m->at,
                    number ? "an operator is missing before this" : "an operator (+ - * / ^) is expected here");
    }
    /* carry out what binds at least as strongly; ^ associates to the right, 2^3^2 = 2^9 */
    while (m->n_operators > 0) {
        const int other = strength(m->operators[m->n_operators - 1]);
        if (other < strength(c) || (other == strength(c) && c == '^')) {
            break;
        }
        if (!reduce(m)) {
            return false;
        }
    }
    const bool fine = push_operator(m, c);
    m->at++;
    return fine;
}

static bool evaluate(machine *m)
{
    bool complete = false;
    /* operands and operators alternate until the text ends behind an operand */
    for (;;) {
        skip_blanks(m);
        if (complete && m->at == m->length) {
            break;
        }
        if (!(complete ? read_operator(m, &complete) : read_operand(m, &complete))) {
            return false;
        }
    }
    /* what remains binds ever weaker towards the bottom of the stack */
    while (m->n_operators > 0) {
        if (m->operators[m->n_operators - 1] == OPEN) {
            return fail(m, m->places[m->n_operators - 1], "\"(\" is never closed");
        }
        if (!reduce(m)) {
            return false;
        }
    }
    return true;
}

bool dd_expression_evaluate(const char *text, size_t length, dd_quad *value, dd_quad *accuracy,
                            dd_expression_error *error)
{
    machine m = {.text = text, .length = length, .error = error, .accuracy = *accuracy};
    if (!evaluate(&m)) {
        return false;
    }
    if (!dd_quad_is_finite(m.values[0])) {
        return fail(&m, 0, "the value is too large");
    }
    *value = m.values[0];
    *accuracy = m.accuracy;
    return true;
}
