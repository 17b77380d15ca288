/* c_code.c - a tape written as C. Start at dd_c_add_function.
 *
 *   instructions   1 2 3 | 4 5 (if 6 7 else 8) 9 | 10 ...      pieces of about PIECE instructions, cut outside of `if`
 *
 * Every slot has a text: an element of an argument, a number, a local variable t7, an element of `shared` where
 * another piece needs it, or, when it is used once in the piece that computes it, the expression itself in parentheses. */
#include "eval/c_code.h"

#include <math.h>
#include <string.h>

#include "eval/tape_impl.h"

enum {
    PIECE = 500,       /* instructions of a piece: compilers need time that grows faster than this */
    LONGEST_TEXT = 90, /* an expression longer than this gets a variable */
    LINE = 100         /* statements are broken at blanks behind this column */
};

enum { HELP_POWER = 1, HELP_SIGN = 2, HELP_MOD = 4 };

typedef struct slot_info {
    const char *text;
    uint32_t uses;
    uint32_t piece;   /* that computes it */
    uint32_t crosses; /* 1 + its place in `shared` when another piece reads it; 0: none does */
} slot_info;

typedef struct writing {
    dd_c_writer *w;
    const dd_c_function *f;
    dd_pool *pool;
    const dd_tape *tape;
    slot_info *slot;
    uint32_t *piece;       /* per instruction */
    uint32_t *argument_of; /* per input slot */
    bool *needed;          /* per argument: read by the piece being written */
    uint32_t pieces, crossing;
    dd_text body;
    uint32_t depth;
} writing;

/* ---- numbers ---- */

const char *dd_c_number(dd_pool *pool, double value)
{
    char buffer[32];
    if (isnan(value)) {
        return "(double)NAN";
    }
    if (isinf(value)) {
        return value > 0 ? "HUGE_VAL" : "(-HUGE_VAL)";
    }
    const char *text = dd_number_text(value, buffer);
    const char *point = strpbrk(text, ".eE") ? "" : ".0";
    return dd_pool_printf(pool, signbit(value) ? "(%s%s)" : "%s%s", text, point);
}

/* ---- who reads what ---- */

typedef void (*visit_slot)(writing *g, uint32_t slot, uint32_t times, uint32_t piece);

/* How often the text of an instruction contains that of its first operand. */
static uint32_t repeats(const dd_instruction *c)
{
    const int32_t k = (int32_t)c->b;
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_SQUARE:
    case DD_TAPE_MIN:
    case DD_TAPE_MAX:
        return 2;
    case DD_TAPE_POWER_INT:
        return k == 2 || k == -2 ? 2 : k == 3 || k == -3 ? 3 : 1;
    default:
        return 1;
    }
}

/* Operations with two operands in a and b. */
static const bool reads_second[DD_TAPE_OP_COUNT] = {
    [DD_TAPE_ADD] = true,   [DD_TAPE_SUB] = true,         [DD_TAPE_MUL] = true, [DD_TAPE_DIV] = true,
    [DD_TAPE_POWER] = true, [DD_TAPE_POWER_CONST] = true, [DD_TAPE_AND] = true, [DD_TAPE_OR] = true,
#define TWO(id, text, n) [DD_TAPE_##id] = (n) == 2,
    DD_PLAIN_LIST(TWO)
#undef TWO
};

static void visit_operands(writing *g, uint32_t pc, visit_slot visit)
{
    const dd_instruction *c = &g->tape->code[pc];
    const uint32_t piece = g->piece[pc], *lists = g->tape->lists;
    /* sums and selections have lists, the others one or two operands */
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_JUMP:
        return;
    case DD_TAPE_SUM:
        for (uint32_t i = 0; i < c->b; i++) {
            visit(g, lists[c->a + i] & ~DD_SUBTRACT, 1, piece);
        }
        return;
    case DD_TAPE_SELECT:
        visit(g, c->a, 1, piece);
        visit(g, lists[c->b], 1, piece);
        visit(g, lists[c->b + 1], 1, piece);
        return;
    default:
        visit(g, c->a, repeats(c), piece);
        if (reads_second[c->op]) {
            visit(g, c->b, repeats(c), piece);
        }
    }
}

static void count_use(writing *g, uint32_t slot, uint32_t times, uint32_t piece)
{
    slot_info *s = &g->slot[slot];
    s->uses += times;
    /* results of other pieces are in the array that all pieces share */
    if (slot >= g->tape->first_result && s->piece != piece && s->crosses == 0) {
        s->crosses = ++g->crossing;
    }
}

/* Cuts the instructions into pieces, and notes where each slot is computed. */
static void cut(writing *g)
{
    const dd_tape *tape = g->tape;
    uint32_t inside = 0, begin = 0, piece = 0;
    for (uint32_t pc = 0; pc < tape->length; pc++) {
        const dd_instruction *c = &tape->code[pc];
        if (pc >= inside && pc - begin >= PIECE) {
            piece++;
            begin = pc;
        }
        g->piece[pc] = piece;
        if (c->op >= DD_TAPE_JUMP) {
            inside = c->b > inside ? c->b : inside; /* of a selection up to there */
        } else {
            g->slot[c->dest].piece = piece;
        }
    }
    g->pieces = piece + 1;
}

static void find_uses(writing *g)
{
    cut(g);
    for (uint32_t pc = 0; pc < g->tape->length; pc++) {
        visit_operands(g, pc, count_use);
    }
    /* results are stored by the piece that computes them */
    for (uint32_t i = 0; i < g->tape->n_out; i++) {
        count_use(g, g->tape->outputs[i], 1, g->slot[g->tape->outputs[i]].piece);
    }
}

/* ---- expressions ---- */

static const char *text_of(writing *g, uint32_t slot)
{
    if (slot < g->tape->n_in) {
        g->needed[g->argument_of[slot]] = true;
    }
    return g->slot[slot].text;
}

/* The text as a condition: (a < b ? 1.0 : 0.0) is (a < b). */
static const char *condition_of(writing *g, uint32_t slot)
{
    static const char ending[] = " ? 1.0 : 0.0)";
    const char *text = text_of(g, slot);
    const size_t n = strlen(text), tail = sizeof ending - 1;
    if (text[0] == '(' && n > tail && strcmp(text + n - tail, ending) == 0) {
        return dd_pool_printf(g->pool, "%.*s)", (int)(n - tail), text);
    }
    return dd_pool_printf(g->pool, "(%s != 0.0)", text);
}

static const char *sum_text(writing *g, const dd_instruction *c)
{
    dd_text out = dd_text_new(g->pool);
    dd_text_add_char(&out, '(');
    for (uint32_t i = 0; i < c->b; i++) {
        const uint32_t term = g->tape->lists[c->a + i];
        const bool minus = (term & DD_SUBTRACT) != 0;
        dd_text_add(&out, i == 0 ? (minus ? "-" : "") : (minus ? " - " : " + "));
        dd_text_add(&out, text_of(g, term & ~DD_SUBTRACT));
    }
    dd_text_add_char(&out, ')');
    return dd_text_str(&out);
}

/* a^k by squaring, in the order of dd_power_int. */
static const char *power_text(writing *g, const dd_instruction *c)
{
    const int32_t k = (int32_t)c->b;
    const char *a = text_of(g, c->a);
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
        g->w->helpers |= HELP_POWER;
        return dd_pool_printf(g->pool, "%s_power(%s, %d)", g->w->prefix, a, (int)k);
    }
}

static const char *two(writing *g, const char *format, const dd_instruction *c)
{
    const char *a = text_of(g, c->a), *b = text_of(g, c->b);
    return dd_pool_printf(g->pool, "%s%s%s%s%s", format[0] == '(' ? "(" : "", a, format + (format[0] == '('), b, ")");
}

static const char *call(writing *g, const char *function, const dd_instruction *c, bool second)
{
    const char *a = text_of(g, c->a);
    return second ? dd_pool_printf(g->pool, "%s(%s, %s)", function, a, text_of(g, c->b))
                  : dd_pool_printf(g->pool, "%s(%s)", function, a);
}

static const char *helper(writing *g, uint32_t which, const char *name, const dd_instruction *c, bool second)
{
    g->w->helpers |= which;
    return call(g, dd_pool_printf(g->pool, "%s_%s", g->w->prefix, name), c, second);
}

/* Relations and logic: 1 or 0. */
static const char *truth_text(writing *g, const dd_instruction *c)
{
    static const char *const sign[] = {
        [DD_TAPE_LT] = "<", [DD_TAPE_LE] = "<=", [DD_TAPE_EQ] = "==", [DD_TAPE_NE] = "!="};
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_AND:
    case DD_TAPE_OR: {
        const char *a = condition_of(g, c->a), *b = condition_of(g, c->b);
        return dd_pool_printf(g->pool, "((%s %s %s) ? 1.0 : 0.0)", a, c->op == DD_TAPE_AND ? "&&" : "||", b);
    }
    case DD_TAPE_NOT:
        return dd_pool_printf(g->pool, "(!%s ? 1.0 : 0.0)", condition_of(g, c->a));
    default:
        break;
    }
    const char *a = text_of(g, c->a), *b = text_of(g, c->b);
    return dd_pool_printf(g->pool, "(%s %s %s ? 1.0 : 0.0)", a, sign[c->op], b);
}

static const char *choice_text(writing *g, const dd_instruction *c)
{
    const char *a, *b;
    if (c->op == DD_TAPE_SELECT) {
        const uint32_t *sides = g->tape->lists + c->b;
        const char *condition = condition_of(g, c->a);
        a = text_of(g, sides[0]);
        b = text_of(g, sides[1]);
        return dd_pool_printf(g->pool, "(%s ? %s : %s)", condition, a, b);
    }
    /* the first one when equal, as the derivative picks it */
    a = text_of(g, c->a);
    b = text_of(g, c->b);
    return c->op == DD_TAPE_MIN ? dd_pool_printf(g->pool, "(%s <= %s ? %s : %s)", a, b, a, b)
                                : dd_pool_printf(g->pool, "(%s <= %s ? %s : %s)", b, a, a, b);
}

static const char *value_text(writing *g, const dd_instruction *c)
{
    switch ((dd_tape_op)c->op) {
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
        return dd_pool_printf(g->pool, "(-%s)", text_of(g, c->a));
    case DD_TAPE_INVERSE:
        return dd_pool_printf(g->pool, "(1.0/%s)", text_of(g, c->a));
    case DD_TAPE_SQUARE:
        return dd_pool_printf(g->pool, "(%s*%s)", text_of(g, c->a), text_of(g, c->a));
    case DD_TAPE_POWER_INT:
        return power_text(g, c);
    case DD_TAPE_POWER_CONST:
    case DD_TAPE_POWER:
        return call(g, "pow", c, true);
    case DD_TAPE_SQRT:
        return call(g, "sqrt", c, false);
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
    case DD_TAPE_SELECT:
    case DD_TAPE_MIN:
    case DD_TAPE_MAX:
        return choice_text(g, c);
    case DD_TAPE_COPY:
        return text_of(g, c->a);
    default:
        return truth_text(g, c);
    }
}

/* ---- statements ---- */

/* One line of code, broken at blanks where it is long. */
static void statement(writing *g, const char *text)
{
    uint32_t column = 4 * (g->depth + 1);
    for (uint32_t i = 0; i < g->depth + 1; i++) {
        dd_text_add(&g->body, "    ");
    }
    for (const char *at = text; *at; at++, column++) {
        if (*at == ' ' && column > LINE) {
            dd_text_add(&g->body, "\n        ");
            for (uint32_t i = 0; i < g->depth; i++) {
                dd_text_add(&g->body, "    ");
            }
            column = 8 + 4 * g->depth;
            continue;
        }
        dd_text_add_char(&g->body, *at);
    }
    dd_text_add_char(&g->body, '\n');
}

static void compute(writing *g, const dd_instruction *c)
{
    slot_info *s = &g->slot[c->dest];
    const char *value = value_text(g, c);
    /* used once and short: part of the expression that uses it */
    if (s->crosses > 0) {
        s->text = dd_pool_printf(g->pool, "shared[%u]", s->crosses - 1);
        statement(g, dd_pool_printf(g->pool, "%s = %s;", s->text, value));
    } else if (s->uses <= 1 && strlen(value) <= LONGEST_TEXT) {
        s->text = value;
    } else {
        s->text = dd_pool_printf(g->pool, "t%u", c->dest);
        statement(g, dd_pool_printf(g->pool, "const double %s = %s;", s->text, value));
    }
}

/* The value that a selection ends with has the variable that was declared before it. */
static void begin_selection(writing *g, uint32_t pc)
{
    const dd_instruction *c = &g->tape->code[pc];
    /* the copy at the end of the then side, before the jump over the other side, says which slot it is */
    const uint32_t dest = g->tape->code[c->b - 2].dest;
    slot_info *s = &g->slot[dest];
    const char *condition = condition_of(g, c->a);
    if (s->crosses > 0) {
        s->text = dd_pool_printf(g->pool, "shared[%u]", s->crosses - 1);
    } else {
        s->text = dd_pool_printf(g->pool, "t%u", dest);
        statement(g, dd_pool_printf(g->pool, "double %s;", s->text));
    }
    statement(g, dd_pool_printf(g->pool, "if (%.*s) {", (int)strlen(condition) - 2, condition + 1));
    g->depth++;
}

/* Ends of else sides: the targets of jumps that are open. */
typedef DD_VEC(uint32_t) target_vec;

static void close_selections(writing *g, uint32_t pc, target_vec *open)
{
    while (open->len > 0 && open->data[open->len - 1] == pc) {
        open->len--;
        g->depth--;
        statement(g, "}");
    }
}

static void write_instruction(writing *g, uint32_t pc, target_vec *open)
{
    const dd_instruction *c = &g->tape->code[pc];
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_JUMP_IF_FALSE:
        begin_selection(g, pc);
        return;
    case DD_TAPE_JUMP:
        g->depth--;
        statement(g, "} else {");
        g->depth++;
        dd_vec_push(g->pool, open, c->b);
        return;
    case DD_TAPE_COPY:
        statement(g, dd_pool_printf(g->pool, "%s = %s;", g->slot[c->dest].text, text_of(g, c->a)));
        return;
    default:
        compute(g, c);
    }
}

/* Results that the piece computes; inputs and numbers belong to the last. */
static void store_results(writing *g, uint32_t piece)
{
    const dd_tape *tape = g->tape;
    uint32_t at = 0;
    for (uint32_t r = 0; r < g->f->n_results; r++) {
        for (uint32_t i = 0; i < g->f->results[r].n; i++, at++) {
            const uint32_t slot = tape->outputs[at];
            const uint32_t in = slot < tape->first_result ? g->pieces - 1 : g->slot[slot].piece;
            if (in == piece) {
                statement(g, dd_pool_printf(g->pool, "%s[%u] = %s;", g->f->results[r].name, i, text_of(g, slot)));
            }
        }
    }
}

/* ---- functions ---- */

static void signature(const writing *g, const char *name, bool part, dd_text *out)
{
    const dd_c_function *f = g->f;
    const char *comma = "";
    dd_text_printf(out, "%svoid %s(", f->local || part ? "static " : "", name);
    for (uint32_t i = 0; i < f->n_arguments; i++, comma = ", ") {
        dd_text_printf(out, "%s%s%s", comma, f->arguments[i].scalar ? "double " : "const double *",
                       f->arguments[i].name);
    }
    for (uint32_t i = 0; i < f->n_results; i++, comma = ", ") {
        dd_text_printf(out, "%sdouble *%s", comma, f->results[i].name);
    }
    dd_text_add(out, part ? ", double *shared)" : ")");
}

static const char *part_name(const writing *g, uint32_t piece)
{
    return dd_pool_printf(g->pool, "%s_part%u", g->f->name, piece + 1);
}

/* Arguments and results that the piece does not use. */
static void ignore_unused(const writing *g, uint32_t piece, dd_text *out)
{
    const dd_c_function *f = g->f;
    for (uint32_t i = 0; i < f->n_arguments; i++) {
        if (!g->needed[i]) {
            dd_text_printf(out, "    (void)%s;\n", f->arguments[i].name);
        }
    }
    uint32_t at = 0;
    for (uint32_t r = 0; r < f->n_results; r++) {
        bool stored = false;
        for (uint32_t i = 0; i < f->results[r].n; i++, at++) {
            const uint32_t slot = g->tape->outputs[at];
            stored = stored || (slot < g->tape->first_result ? g->pieces - 1 : g->slot[slot].piece) == piece;
        }
        if (!stored) {
            dd_text_printf(out, "    (void)%s;\n", f->results[r].name);
        }
    }
}

static void write_piece(writing *g, uint32_t piece, uint32_t *pc)
{
    const dd_tape *tape = g->tape;
    dd_text *out = &g->w->code;
    const bool part = g->pieces > 1;
    target_vec open = {0};
    dd_text_clear(&g->body);
    memset(g->needed, 0, g->f->n_arguments * sizeof *g->needed);
    /* the body first: it shows which arguments it reads */
    for (; *pc < tape->length && g->piece[*pc] == piece; (*pc)++) {
        close_selections(g, *pc, &open);
        write_instruction(g, *pc, &open);
    }
    close_selections(g, *pc, &open);
    store_results(g, piece);
    if (!part && g->f->comment) {
        dd_text_printf(out, "/* %s */\n", g->f->comment);
    }
    signature(g, part ? part_name(g, piece) : g->f->name, part, out);
    dd_text_add(out, "\n{\n");
    ignore_unused(g, piece, out);
    if (part && !strstr(dd_text_str(&g->body), "shared[")) {
        dd_text_add(out, "    (void)shared;\n");
    }
    dd_text_add(out, dd_text_str(&g->body));
    dd_text_add(out, "}\n\n");
}

/* The function that calls its pieces. */
static void write_whole(const writing *g)
{
    dd_text *out = &g->w->code;
    const dd_c_function *f = g->f;
    if (f->comment) {
        dd_text_printf(out, "/* %s */\n", f->comment);
    }
    signature(g, f->name, false, out);
    dd_text_printf(out, "\n{\n    double shared[%u];\n", g->crossing > 0 ? g->crossing : 1);
    for (uint32_t piece = 0; piece < g->pieces; piece++) {
        dd_text_printf(out, "    %s(", part_name(g, piece));
        for (uint32_t i = 0; i < f->n_arguments; i++) {
            dd_text_printf(out, "%s, ", f->arguments[i].name);
        }
        for (uint32_t i = 0; i < f->n_results; i++) {
            dd_text_printf(out, "%s, ", f->results[i].name);
        }
        dd_text_add(out, "shared);\n");
    }
    dd_text_add(out, "}\n\n");
}

static void make_tape(writing *g)
{
    const dd_c_function *f = g->f;
    dd_expr_vec inputs = {0}, outputs = {0};
    for (uint32_t i = 0; i < f->n_arguments; i++) {
        for (uint32_t k = 0; k < f->arguments[i].n; k++) {
            dd_vec_push(g->pool, &inputs, f->arguments[i].symbols[k]);
        }
    }
    for (uint32_t i = 0; i < f->n_results; i++) {
        for (uint32_t k = 0; k < f->results[i].n; k++) {
            dd_vec_push(g->pool, &outputs, f->results[i].values[k]);
        }
    }
    g->tape = dd_tape_build(g->pool, g->w->dag, inputs.data, inputs.len, outputs.data, outputs.len, true);
}

/* Inputs are elements of arguments, constants are numbers. */
static void name_leaves(writing *g)
{
    const dd_c_function *f = g->f;
    uint32_t at = 0;
    for (uint32_t i = 0; i < f->n_arguments; i++) {
        for (uint32_t k = 0; k < f->arguments[i].n; k++, at++) {
            g->argument_of[at] = i;
            g->slot[at].text = f->arguments[i].scalar ? f->arguments[i].name
                                                      : dd_pool_printf(g->pool, "%s[%u]", f->arguments[i].name, k);
        }
    }
    for (uint32_t i = g->tape->n_in; i < g->tape->first_result; i++) {
        g->slot[i].text = dd_c_number(g->pool, g->tape->values[i]);
    }
}

void dd_c_add_function(dd_c_writer *w, const dd_c_function *f)
{
    writing g = {.w = w, .f = f, .pool = dd_pool_child(w->pool)};
    make_tape(&g);
    g.slot = dd_pool_alloc_array(g.pool, (size_t)g.tape->n_slots + 1, sizeof *g.slot);
    g.piece = dd_pool_alloc_array(g.pool, (size_t)g.tape->length + 1, sizeof *g.piece);
    g.argument_of = dd_pool_alloc_array(g.pool, (size_t)g.tape->n_in + 1, sizeof *g.argument_of);
    g.needed = dd_pool_alloc_array(g.pool, (size_t)f->n_arguments + 1, sizeof *g.needed);
    g.body = dd_text_new(g.pool);
    name_leaves(&g);
    find_uses(&g);
    /* pieces first, then the function that calls them */
    uint32_t pc = 0;
    for (uint32_t piece = 0; piece < g.pieces; piece++) {
        dd_check_stop(dd_pool_context(w->pool));
        write_piece(&g, piece, &pc);
    }
    if (g.pieces > 1) {
        write_whole(&g);
    }
    if (!f->local) {
        if (f->comment) {
            dd_text_printf(&w->prototypes, "/* %s */\n", f->comment);
        }
        signature(&g, f->name, false, &w->prototypes);
        dd_text_add(&w->prototypes, ";\n");
    }
    dd_pool_free(g.pool);
}

dd_c_writer dd_c_writer_new(dd_pool *pool, dd_dag *dag, const char *prefix)
{
    return (dd_c_writer){
        .pool = pool, .dag = dag, .prefix = prefix, .prototypes = dd_text_new(pool), .code = dd_text_new(pool)};
}

void dd_c_helpers(const dd_c_writer *w, dd_text *out)
{
    if ((w->helpers & HELP_POWER) != 0) {
        dd_text_printf(out,
                       "/* a^k by squaring */\n"
                       "static double %s_power(double a, int k)\n"
                       "{\n"
                       "    double r = 1.0;\n"
                       "    for (int n = k < 0 ? -k : k; n != 0; n /= 2) {\n"
                       "        r = n %% 2 != 0 ? r * a : r;\n"
                       "        a *= a;\n"
                       "    }\n"
                       "    return k < 0 ? 1.0 / r : r;\n"
                       "}\n\n",
                       w->prefix);
    }
    if ((w->helpers & HELP_SIGN) != 0) {
        dd_text_printf(out,
                       "static double %s_sign(double a)\n"
                       "{\n"
                       "    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;\n"
                       "}\n\n",
                       w->prefix);
    }
    if ((w->helpers & HELP_MOD) != 0) {
        dd_text_printf(out,
                       "/* with the sign of the divisor */\n"
                       "static double %s_mod(double a, double b)\n"
                       "{\n"
                       "    return a - floor(a / b) * b;\n"
                       "}\n\n",
                       w->prefix);
    }
}
