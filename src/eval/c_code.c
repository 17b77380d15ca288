/* c_code.c - a tape written as C. Start at dd_c_add_function.
 *
 *   instructions   1 2 3 | 4 5 (if 6 7 else 8) 9 | 10 ...      pieces of about PIECE instructions, cut outside of `if`
 *
 * Every slot has a text: an element of an argument, a number, a local variable t7, an element of `shared` where
 * another piece needs it, or, when it is used once in the piece that computes it, the expression itself in parentheses. */
#include "eval/c_code.h"

#include <math.h>
#include <string.h>

#include "eval/c_code_impl.h"

enum {
    PIECE = 500,       /* instructions of a piece: compilers need time that grows faster than this */
    LONGEST_TEXT = 90, /* an expression longer than this gets a variable */
    LINE = 100         /* statements are broken at blanks behind this column */
};

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

typedef void (*visit_slot)(dd_c_writing *g, uint32_t slot, uint32_t times, uint32_t piece);

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

static void visit_operands(dd_c_writing *g, uint32_t pc, visit_slot visit)
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

static void count_use(dd_c_writing *g, uint32_t slot, uint32_t times, uint32_t piece)
{
    dd_c_slot *s = &g->slot[slot];
    s->uses += times;
    /* results of other pieces are in the array that all pieces share */
    if (slot >= g->tape->first_result && s->piece != piece && s->crosses == 0) {
        s->crosses = ++g->crossing;
    }
}

/* Cuts the instructions into pieces, and notes where each slot is computed. */
static void cut(dd_c_writing *g)
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

/* Does the text of a slot have a number for each lane? What pieces share has. */
static bool reads_lanes(const dd_c_writing *g, uint32_t slot)
{
    return g->slot[slot].lanes || (g->f->lanes > 0 && g->slot[slot].crosses > 0);
}

static void note_lanes(dd_c_writing *g, uint32_t slot, uint32_t times, uint32_t piece)
{
    (void)times;
    (void)piece;
    g->any_lanes = g->any_lanes || reads_lanes(g, slot);
}

/* Which slots have a number for each lane: all that follow from such arguments. */
static void find_lanes(dd_c_writing *g)
{
    for (uint32_t i = 0; i < g->tape->n_in; i++) {
        g->slot[i].lanes = g->argument_of[i] < g->f->lanes;
    }
    for (uint32_t pc = 0; pc < g->tape->length && g->f->lanes > 0; pc++) {
        g->any_lanes = false;
        visit_operands(g, pc, note_lanes);
        g->slot[g->tape->code[pc].dest].lanes = g->any_lanes;
    }
}

/* Can all of it be written for lanes? */
static bool has_lanes(const dd_tape *tape)
{
    bool has = true;
    for (uint32_t pc = 0; pc < tape->length; pc++) {
        has = has && dd_c_has_lanes((dd_tape_op)tape->code[pc].op);
    }
    return has;
}

static void find_uses(dd_c_writing *g)
{
    cut(g);
    for (uint32_t pc = 0; pc < g->tape->length; pc++) {
        visit_operands(g, pc, count_use);
    }
    /* results are stored by the piece that computes them */
    for (uint32_t i = 0; i < g->tape->n_out; i++) {
        count_use(g, g->tape->outputs[i], 1, g->slot[g->tape->outputs[i]].piece);
    }
    find_lanes(g);
}

/* ---- types ---- */

static const char *type_of(const dd_c_writing *g, bool lanes)
{
    return lanes ? dd_pool_printf(g->pool, "%s_v", g->w->prefix) : "double";
}

/* What is stored in results or shared has all lanes. */
static const char *stored_text(const dd_c_writing *g, bool lanes, const char *text)
{
    return g->f->lanes > 0 && !lanes ? dd_pool_printf(g->pool, "%s_every(%s)", g->w->prefix, text) : text;
}

/* ---- statements ---- */

/* One line of code, broken at blanks where it is long. */
static void statement(dd_c_writing *g, const char *text)
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

static void compute(dd_c_writing *g, const dd_instruction *c)
{
    dd_c_slot *s = &g->slot[c->dest];
    const char *value = dd_c_value_text(g, c);
    /* used once and short: part of the expression that uses it */
    if (s->crosses > 0) {
        s->text = dd_pool_printf(g->pool, "shared[%u]", s->crosses - 1);
        statement(g, dd_pool_printf(g->pool, "%s = %s;", s->text, stored_text(g, s->lanes, value)));
    } else if (s->uses <= 1 && strlen(value) <= LONGEST_TEXT) {
        s->text = value;
    } else {
        s->text = dd_pool_printf(g->pool, "t%u", c->dest);
        statement(g, dd_pool_printf(g->pool, "const %s %s = %s;", type_of(g, s->lanes), s->text, value));
    }
}

/* The value that a selection ends with has the variable that was declared before it. */
static void begin_selection(dd_c_writing *g, uint32_t pc)
{
    const dd_instruction *c = &g->tape->code[pc];
    /* the copy at the end of the then side, before the jump over the other side, says which slot it is */
    const uint32_t dest = g->tape->code[c->b - 2].dest;
    dd_c_slot *s = &g->slot[dest];
    const char *condition = dd_c_condition_of(g, c->a);
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

static void close_selections(dd_c_writing *g, uint32_t pc, target_vec *open)
{
    while (open->len > 0 && open->data[open->len - 1] == pc) {
        open->len--;
        g->depth--;
        statement(g, "}");
    }
}

static void write_instruction(dd_c_writing *g, uint32_t pc, target_vec *open)
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
        statement(g, dd_pool_printf(g->pool, "%s = %s;", g->slot[c->dest].text, dd_c_text_of(g, c->a)));
        return;
    default:
        compute(g, c);
    }
}

/* Results that the piece computes; inputs and numbers belong to the last. */
static void store_results(dd_c_writing *g, uint32_t piece)
{
    const dd_tape *tape = g->tape;
    uint32_t at = 0;
    for (uint32_t r = 0; r < g->f->n_results; r++) {
        for (uint32_t i = 0; i < g->f->results[r].n; i++, at++) {
            const uint32_t slot = tape->outputs[at];
            const uint32_t in = slot < tape->first_result ? g->pieces - 1 : g->slot[slot].piece;
            if (in == piece) {
                statement(g, dd_pool_printf(g->pool, "%s[%u] = %s;", g->f->results[r].name, i,
                                            stored_text(g, reads_lanes(g, slot), dd_c_text_of(g, slot))));
            }
        }
    }
}

/* ---- functions ---- */

static void signature(const dd_c_writing *g, const char *name, bool part, dd_text *out)
{
    const dd_c_function *f = g->f;
    const char *comma = "";
    dd_text_printf(out, "%svoid %s(", f->local || part ? "static " : "", name);
    for (uint32_t i = 0; i < f->n_arguments; i++, comma = ", ") {
        const bool scalar = f->arguments[i].scalar;
        dd_text_printf(out, "%s%s%s %s%s", comma, scalar ? "" : "const ", type_of(g, i < f->lanes), scalar ? "" : "*",
                       f->arguments[i].name);
    }
    for (uint32_t i = 0; i < f->n_results; i++, comma = ", ") {
        dd_text_printf(out, "%s%s *%s", comma, type_of(g, f->lanes > 0), f->results[i].name);
    }
    if (part) {
        dd_text_printf(out, ", %s *shared", type_of(g, f->lanes > 0));
    }
    dd_text_add(out, ")");
}

static const char *part_name(const dd_c_writing *g, uint32_t piece)
{
    return dd_pool_printf(g->pool, "%s_part%u", g->f->name, piece + 1);
}

/* Arguments and results that the piece does not use. */
static void ignore_unused(const dd_c_writing *g, uint32_t piece, dd_text *out)
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

static void write_piece(dd_c_writing *g, uint32_t piece, uint32_t *pc)
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
static void write_whole(const dd_c_writing *g)
{
    dd_text *out = &g->w->code;
    const dd_c_function *f = g->f;
    if (f->comment) {
        dd_text_printf(out, "/* %s */\n", f->comment);
    }
    signature(g, f->name, false, out);
    dd_text_printf(out, "\n{\n    %s shared[%u];\n", type_of(g, f->lanes > 0), g->crossing > 0 ? g->crossing : 1);
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

static void make_tape(dd_c_writing *g)
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
static void name_leaves(dd_c_writing *g)
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

static void prepare(dd_c_writing *g)
{
    make_tape(g);
    g->slot = dd_pool_alloc_array(g->pool, (size_t)g->tape->n_slots + 1, sizeof *g->slot);
    g->piece = dd_pool_alloc_array(g->pool, (size_t)g->tape->length + 1, sizeof *g->piece);
    g->argument_of = dd_pool_alloc_array(g->pool, (size_t)g->tape->n_in + 1, sizeof *g->argument_of);
    g->needed = dd_pool_alloc_array(g->pool, (size_t)g->f->n_arguments + 1, sizeof *g->needed);
    g->body = dd_text_new(g->pool);
}

static void write_function(dd_c_writing *g)
{
    name_leaves(g);
    find_uses(g);
    /* pieces first, then the function that calls them */
    uint32_t pc = 0;
    for (uint32_t piece = 0; piece < g->pieces; piece++) {
        dd_check_stop(dd_pool_context(g->w->pool));
        write_piece(g, piece, &pc);
    }
    if (g->pieces > 1) {
        write_whole(g);
    }
}

/* Element i of arrays, between all lanes and one: to one where `in` is set. */
static void copy_lane(const dd_c_writing *g, const char *array, uint32_t n, bool in)
{
    dd_text *out = &g->w->code;
    const char *prefix = g->w->prefix;
    dd_text_printf(out, "        for (int i = 0; i < %u; i++) {\n", n);
    if (in) {
        dd_text_printf(out, "            %s_one[i] = %s_lane(%s + i, l);\n", array, prefix, array);
    } else {
        dd_text_printf(out, "            %s_set_lane(%s + i, l, %s_one[i]);\n", prefix, array, array);
    }
    dd_text_add(out, "        }\n");
}

/* Calls NAME_one for every lane. */
static void write_lane_by_lane(const dd_c_writing *g)
{
    dd_text *out = &g->w->code;
    const dd_c_function *f = g->f;
    signature(g, f->name, false, out);
    dd_text_printf(out, "\n{\n    double ");
    for (uint32_t i = 0; i < f->lanes; i++) {
        dd_text_printf(out, "%s_one[%u], ", f->arguments[i].name, f->arguments[i].n + 1);
    }
    for (uint32_t i = 0; i < f->n_results; i++) {
        dd_text_printf(out, "%s_one[%u]%s", f->results[i].name, f->results[i].n + 1,
                       i + 1 < f->n_results ? ", " : ";\n");
    }
    dd_text_printf(out, "    for (int l = 0; l < %s_LANES; l++) {\n", g->w->prefix);
    for (uint32_t i = 0; i < f->lanes; i++) {
        copy_lane(g, f->arguments[i].name, f->arguments[i].n, true);
    }
    dd_text_printf(out, "        %s_one(", f->name);
    for (uint32_t i = 0; i < f->n_arguments; i++) {
        dd_text_printf(out, i < f->lanes ? "%s_one, " : "%s, ", f->arguments[i].name);
    }
    for (uint32_t i = 0; i < f->n_results; i++) {
        dd_text_printf(out, "%s_one%s", f->results[i].name, i + 1 < f->n_results ? ", " : ");\n");
    }
    for (uint32_t i = 0; i < f->n_results; i++) {
        copy_lane(g, f->results[i].name, f->results[i].n, false);
    }
    dd_text_add(out, "    }\n}\n\n");
}

void dd_c_add_function(dd_c_writer *w, const dd_c_function *f)
{
    dd_c_writing g = {.w = w, .f = f, .pool = dd_pool_child(w->pool)};
    prepare(&g);
    if (f->lanes > 0 && !has_lanes(g.tape)) {
        dd_c_function one = *f;
        one.name = dd_pool_printf(g.pool, "%s_one", f->name);
        one.lanes = 0;
        dd_c_add_function(w, &one);
        write_lane_by_lane(&g);
    } else {
        write_function(&g);
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
    /* only those that the functions written so far call */
    dd_c_lane_helpers(w, out);
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
