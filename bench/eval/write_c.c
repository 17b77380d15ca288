/* write_c.c - expressions as C, the way one would write them by hand: quotients, squares and roots, each node once. */
#include <stdlib.h>

#include "bench_eval.h"
#include "expr/walk.h"

typedef struct writer {
    FILE *file;
    const functions *f;
    dd_walk walk;
    uint32_t *input; /* per place: number of the input + 1 */
    double *value;   /* per place, of constants */
    uint8_t *fixed;
} writer;

static void number(const writer *w, double value)
{
    fprintf(w->file, "(double)(%.17g)", value);
}

static void operand(const writer *w, dd_expr e)
{
    uint32_t place = dd_walk_place(w->f->dag, &w->walk, e);
    if (dd_op_of(w->f->dag, e) == DD_OP_NUM) {
        number(w, dd_num_value(w->f->dag, e));
    } else if (w->fixed[place]) {
        number(w, w->value[place]);
    } else if (w->input[place] != 0) {
        fprintf(w->file, "x[%u]", w->input[place] - 1);
    } else {
        fprintf(w->file, "t%u", place);
    }
}

static void write_sum(const writer *w, dd_expr e)
{
    dd_dag *dag = w->f->dag;
    for (uint32_t i = 0; i < dd_arg_count(dag, e); i++) {
        dd_expr term = dd_arg(dag, e, i);
        bool minus = dd_op_of(dag, term) == DD_OP_MUL && dd_arg_count(dag, term) == 2 &&
                     dd_is_num(dag, dd_arg(dag, term, 0), -1);
        fprintf(w->file, minus ? " - " : i > 0 ? " + " : "");
        operand(w, minus ? dd_arg(dag, term, 1) : term);
    }
}

static bool is_divisor(dd_dag *dag, dd_expr e)
{
    return dd_op_of(dag, e) == DD_OP_POW && dd_is_num(dag, dd_arg(dag, e, 1), -1);
}

static void write_product(const writer *w, dd_expr e)
{
    dd_dag *dag = w->f->dag;
    uint32_t n = 0;
    for (uint32_t i = 0; i < dd_arg_count(dag, e); i++) {
        if (!is_divisor(dag, dd_arg(dag, e, i))) {
            fprintf(w->file, n++ > 0 ? "*" : "");
            operand(w, dd_arg(dag, e, i));
        }
    }
    fprintf(w->file, n == 0 ? "1.0" : "");
    for (uint32_t i = 0; i < dd_arg_count(dag, e); i++) {
        if (is_divisor(dag, dd_arg(dag, e, i))) {
            fprintf(w->file, "/");
            operand(w, dd_arg(dag, dd_arg(dag, e, i), 0));
        }
    }
}

static void write_power(const writer *w, dd_expr e)
{
    dd_dag *dag = w->f->dag;
    dd_expr base = dd_arg(dag, e, 0), exponent = dd_arg(dag, e, 1);
    double k = dd_op_of(dag, exponent) == DD_OP_NUM ? dd_num_value(dag, exponent) : 0;
    double size = k < 0 ? -k : k;
    if (size >= 1 && size <= 8 && size == (int)size) {
        fprintf(w->file, k < 0 ? "1.0/(" : "(");
        for (int i = 0; i < (int)size; i++) {
            fprintf(w->file, i > 0 ? "*" : "");
            operand(w, base);
        }
        fprintf(w->file, ")");
    } else if (size == 0.5) {
        fprintf(w->file, k < 0 ? "1.0/sqrt(" : "sqrt(");
        operand(w, base);
        fprintf(w->file, ")");
    } else {
        fprintf(w->file, "pow(");
        operand(w, base);
        fprintf(w->file, ", ");
        operand(w, exponent);
        fprintf(w->file, ")");
    }
}

static void write_node(const writer *w, dd_expr e)
{
    dd_dag *dag = w->f->dag;
    switch (dd_op_of(dag, e)) {
    case DD_OP_ADD:
        write_sum(w, e);
        return;
    case DD_OP_MUL:
        write_product(w, e);
        return;
    case DD_OP_POW:
        write_power(w, e);
        return;
    default:
        fprintf(w->file, "%s(", dd_op_name(dd_op_of(dag, e)));
        operand(w, dd_arg(dag, e, 0));
        fprintf(w->file, ")");
        return;
    }
}

/* Symbols get their number or value; the rest is found out from the arguments by the compiler. */
static void find_symbols(writer *w)
{
    const functions *f = w->f;
    w->input = calloc(w->walk.n + 1, sizeof *w->input);
    w->value = calloc(w->walk.n + 1, sizeof *w->value);
    w->fixed = calloc(w->walk.n + 1, sizeof *w->fixed);
    for (uint32_t i = 0; i < f->inputs.len + f->constants.len; i++) {
        bool input = i < f->inputs.len;
        uint32_t place =
            dd_walk_place(f->dag, &w->walk, input ? f->inputs.data[i] : f->constants.data[i - f->inputs.len]);
        if (place != DD_NO_PLACE && input) {
            w->input[place] = i + 1;
        } else if (place != DD_NO_PLACE) {
            w->fixed[place] = 1;
            w->value[place] = f->values[i - f->inputs.len];
        }
    }
}

void write_c(FILE *file, const char *name, const functions *f)
{
    writer w = {.file = file, .f = f, .walk = dd_walk_new(f->dag, f->outputs.data, f->outputs.len, 0)};
    find_symbols(&w);
    fprintf(file, "#include <math.h>\nvoid %s(const double *restrict x, double *restrict out)\n{\n", name);
    for (uint32_t i = 0; i < w.walk.n; i++) {
        if (dd_arg_count(f->dag, w.walk.nodes[i]) > 0) {
            fprintf(file, "    const double t%u = ", i);
            write_node(&w, w.walk.nodes[i]);
            fprintf(file, ";\n");
        }
    }
    for (uint32_t i = 0; i < f->outputs.len; i++) {
        fprintf(file, "    out[%u] = ", i);
        operand(&w, f->outputs.data[i]);
        fprintf(file, ";\n");
    }
    fprintf(file, "}\n");
    dd_walk_free(f->dag, &w.walk);
    free(w.input);
    free(w.value);
    free(w.fixed);
}
