/* c_expression.c - one instruction of a tape as a C expression, from the texts of its operands. */
#include <string.h>

#include "eval/c_code_impl.h"

const char *dd_c_text_of(dd_c_writing *g, uint32_t slot)
{
    if (slot < g->tape->n_in) {
        g->needed[g->argument_of[slot]] = true;
    }
    return g->slot[slot].text;
}

/* The text as a condition: (a < b ? 1.0 : 0.0) is (a < b). */
const char *dd_c_condition_of(dd_c_writing *g, uint32_t slot)
{
    static const char ending[] = " ? 1.0 : 0.0)";
    const char *text = dd_c_text_of(g, slot);
    const size_t n = strlen(text), tail = sizeof ending - 1;
    if (text[0] == '(' && n > tail && strcmp(text + n - tail, ending) == 0) {
        return dd_pool_printf(g->pool, "%.*s)", (int)(n - tail), text);
    }
    return dd_pool_printf(g->pool, "(%s != 0.0)", text);
}

static const char *sum_text(dd_c_writing *g, const dd_instruction *c)
{
    dd_text out = dd_text_new(g->pool);
    dd_text_add_char(&out, '(');
    for (uint32_t i = 0; i < c->b; i++) {
        const uint32_t term = g->tape->lists[c->a + i];
        const bool minus = (term & DD_SUBTRACT) != 0;
        dd_text_add(&out, i == 0 ? (minus ? "-" : "") : (minus ? " - " : " + "));
        dd_text_add(&out, dd_c_text_of(g, term & ~DD_SUBTRACT));
    }
    dd_text_add_char(&out, ')');
    return dd_text_str(&out);
}

/* a^k by squaring, in the order of dd_power_int. */
static const char *power_text(dd_c_writing *g, const dd_instruction *c)
{
    const int32_t k = (int32_t)c->b;
    const char *a = dd_c_text_of(g, c->a);
    switch (k) {
    case 0:
        return "1.0";
    case 1:
        return a;
    case -1:
        return dd_pool_printf(g->pool, "(1.0/%s)", a);
    case 2:
    case -2:
        return dd_pool_printf(g->pool, k > 0 ? "(%s*%s)" : "(1.0/(%s*%s))", a, a);
    case 3:
    case -3:
        return dd_pool_printf(g->pool, k > 0 ? "(%s*(%s*%s))" : "(1.0/(%s*(%s*%s)))", a, a, a);
    default:
        if (g->slot[c->dest].lanes) {
            g->w->each |= UINT64_C(1) << c->op;
            return dd_pool_printf(g->pool, "%s_each_power(%s, %d)", g->w->prefix, a, (int)k);
        }
        g->w->helpers |= HELP_POWER;
        return dd_pool_printf(g->pool, "%s_power(%s, %d)", g->w->prefix, a, (int)k);
    }
}

static const char *two(dd_c_writing *g, const char *format, const dd_instruction *c)
{
    const char *a = dd_c_text_of(g, c->a), *b = dd_c_text_of(g, c->b);
    return dd_pool_printf(g->pool, "%s%s%s%s%s", format[0] == '(' ? "(" : "", a, format + (format[0] == '('), b, ")");
}

static const char *call(dd_c_writing *g, const char *function, const dd_instruction *c, bool second)
{
    const char *a = dd_c_text_of(g, c->a);
    if (g->slot[c->dest].lanes) {
        g->w->each |= UINT64_C(1) << c->op;
        function = dd_pool_printf(g->pool, "%s_each_%s", g->w->prefix, function);
    }
    return second ? dd_pool_printf(g->pool, "%s(%s, %s)", function, a, dd_c_text_of(g, c->b))
                  : dd_pool_printf(g->pool, "%s(%s)", function, a);
}

static const char *helper(dd_c_writing *g, uint32_t which, const char *name, const dd_instruction *c, bool second)
{
    g->w->helpers |= which;
    return call(g, dd_pool_printf(g->pool, "%s_%s", g->w->prefix, name), c, second);
}

/* Relations and logic: 1 or 0. */
static const char *truth_text(dd_c_writing *g, const dd_instruction *c)
{
    static const char *const sign[] = {
        [DD_TAPE_LT] = "<", [DD_TAPE_LE] = "<=", [DD_TAPE_EQ] = "==", [DD_TAPE_NE] = "!="};
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_AND:
    case DD_TAPE_OR: {
        const char *a = dd_c_condition_of(g, c->a), *b = dd_c_condition_of(g, c->b);
        return dd_pool_printf(g->pool, "((%s %s %s) ? 1.0 : 0.0)", a, c->op == DD_TAPE_AND ? "&&" : "||", b);
    }
    case DD_TAPE_NOT:
        return dd_pool_printf(g->pool, "(!%s ? 1.0 : 0.0)", dd_c_condition_of(g, c->a));
    default:
        break;
    }
    const char *a = dd_c_text_of(g, c->a), *b = dd_c_text_of(g, c->b);
    return dd_pool_printf(g->pool, "(%s %s %s ? 1.0 : 0.0)", a, sign[c->op], b);
}

static const char *choice_text(dd_c_writing *g, const dd_instruction *c)
{
    const char *a, *b;
    if (c->op == DD_TAPE_SELECT) {
        const uint32_t *sides = g->tape->lists + c->b;
        const char *condition = dd_c_condition_of(g, c->a);
        a = dd_c_text_of(g, sides[0]);
        b = dd_c_text_of(g, sides[1]);
        return dd_pool_printf(g->pool, "(%s ? %s : %s)", condition, a, b);
    }
    /* the first one when equal, as the derivative picks it */
    a = dd_c_text_of(g, c->a);
    b = dd_c_text_of(g, c->b);
    return c->op == DD_TAPE_MIN ? dd_pool_printf(g->pool, "(%s <= %s ? %s : %s)", a, b, a, b)
                                : dd_pool_printf(g->pool, "(%s <= %s ? %s : %s)", b, a, a, b);
}

/* ---- lanes ---- */

_Static_assert(DD_TAPE_OP_COUNT <= 64, "operations are bits of dd_c_writer.each");

bool dd_c_has_lanes(dd_tape_op op)
{
    switch (op) {
    case DD_TAPE_SUM:
    case DD_TAPE_ADD:
    case DD_TAPE_SUB:
    case DD_TAPE_MUL:
    case DD_TAPE_DIV:
    case DD_TAPE_NEG:
    case DD_TAPE_INVERSE:
    case DD_TAPE_SQUARE:
    case DD_TAPE_POWER_INT:
    case DD_TAPE_POWER_CONST:
    case DD_TAPE_SQRT:
    case DD_TAPE_ABS:
#define ELEMENTARY(id, ...) case DD_TAPE_##id:
        DD_ELEMENTARY_LIST(ELEMENTARY)
#undef ELEMENTARY
        return true;
    default:
        return false;
    }
}

static void lane_helper(const dd_c_writer *w, const char *function, dd_text *out)
{
    dd_text_printf(out,
                   "static %s_v %s_each_%s(%s_v a)\n"
                   "{\n"
                   "    for (int l = 0; l < %s_LANES; l++) {\n"
                   "        %s_set_lane(&a, l, %s(%s_lane(&a, l)));\n"
                   "    }\n"
                   "    return a;\n"
                   "}\n\n",
                   w->prefix, w->prefix, function, w->prefix, w->prefix, w->prefix, function, w->prefix);
}

static void lane_powers(const dd_c_writer *w, dd_text *out)
{
    const char *n = w->prefix;
    if ((w->each >> DD_TAPE_POWER_CONST & 1) != 0) {
        dd_text_printf(out,
                       "static %s_v %s_each_pow(%s_v a, double b)\n"
                       "{\n"
                       "    for (int l = 0; l < %s_LANES; l++) {\n"
                       "        %s_set_lane(&a, l, pow(%s_lane(&a, l), b));\n"
                       "    }\n"
                       "    return a;\n"
                       "}\n\n",
                       n, n, n, n, n, n);
    }
    if ((w->each >> DD_TAPE_POWER_INT & 1) != 0) {
        dd_text_printf(out,
                       "/* a^k by squaring */\n"
                       "static %s_v %s_each_power(%s_v a, int k)\n"
                       "{\n"
                       "    %s_v r = %s_every(1.0);\n"
                       "    for (int n = k < 0 ? -k : k; n != 0; n /= 2) {\n"
                       "        if (n %% 2 != 0) {\n"
                       "            r *= a;\n"
                       "        }\n"
                       "        a *= a;\n"
                       "    }\n"
                       "    if (k < 0) {\n"
                       "        r = 1.0 / r;\n"
                       "    }\n"
                       "    return r;\n"
                       "}\n\n",
                       n, n, n, n, n);
    }
}

void dd_c_lane_helpers(const dd_c_writer *w, dd_text *out)
{
    static const struct {
        dd_tape_op op;
        const char *function;
    } list[] = {
#define ENTRY(id, text, f, ...) {DD_TAPE_##id, #f},
        DD_ELEMENTARY_LIST(ENTRY)
#undef ENTRY
            {DD_TAPE_SQRT, "sqrt"},
        {DD_TAPE_ABS, "fabs"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const bool wave = list[i].op == DD_TAPE_SIN || list[i].op == DD_TAPE_COS;
        if (!wave && (w->each >> list[i].op & 1) != 0) {
            lane_helper(w, list[i].function, out);
        }
    }
    lane_powers(w, out);
}

bool dd_c_needs_waves(const dd_c_writer *w)
{
    return ((w->each >> DD_TAPE_SIN | w->each >> DD_TAPE_COS) & 1) != 0;
}

const char *dd_c_value_text(dd_c_writing *g, const dd_instruction *c)
{
    switch ((dd_tape_op)c->op) {
    /* arithmetic */
    case DD_TAPE_SUM:
        return sum_text(g, c);
    case DD_TAPE_ADD:
        return two(g, "( + ", c);
    case DD_TAPE_SUB:
        return two(g, "( - ", c);
    case DD_TAPE_MUL:
        return two(g, "(*", c);
    case DD_TAPE_DIV:
        return two(g, "(/", c);
    case DD_TAPE_NEG:
        return dd_pool_printf(g->pool, "(-%s)", dd_c_text_of(g, c->a));
    case DD_TAPE_INVERSE:
        return dd_pool_printf(g->pool, "(1.0/%s)", dd_c_text_of(g, c->a));
    case DD_TAPE_SQUARE:
        return dd_pool_printf(g->pool, "(%s*%s)", dd_c_text_of(g, c->a), dd_c_text_of(g, c->a));
    case DD_TAPE_POWER_INT:
        return power_text(g, c);
    case DD_TAPE_POWER_CONST:
    case DD_TAPE_POWER:
        return call(g, "pow", c, true);
    case DD_TAPE_SQRT:
        return call(g, "sqrt", c, false);
        /* functions of the C library, and helpers */
#define APPLY(id, text, f, ...)                                                                                        \
    case DD_TAPE_##id:                                                                                                 \
        return call(g, #f, c, false);
        DD_ELEMENTARY_LIST(APPLY)
#undef APPLY
    case DD_TAPE_ABS:
        return call(g, "fabs", c, false);
    case DD_TAPE_FLOOR:
        return call(g, "floor", c, false);
    case DD_TAPE_CEIL:
        return call(g, "ceil", c, false);
    case DD_TAPE_ATAN2:
        return call(g, "atan2", c, true);
    case DD_TAPE_SIGN:
        return helper(g, HELP_SIGN, "sign", c, false);
    case DD_TAPE_MOD:
        return helper(g, HELP_MOD, "mod", c, true);
    /* choices; relations and logic are the rest */
    case DD_TAPE_SELECT:
    case DD_TAPE_MIN:
    case DD_TAPE_MAX:
        return choice_text(g, c);
    case DD_TAPE_COPY:
        return dd_c_text_of(g, c->a);
    default:
        return truth_text(g, c);
    }
}
