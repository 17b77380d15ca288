/* tape_eval.c - running a tape in plain doubles. */
#include <math.h>
#include <string.h>

#include "eval/power.h"
#include "eval/tape_impl.h"

static double sum(const double *v, const uint32_t *list, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++) {
        double x = v[list[i] & ~DD_SUBTRACT];
        total += (list[i] & DD_SUBTRACT) != 0 ? -x : x;
    }
    return total;
}

/* `a` is a place in the lists, not a slot. */
static bool is_list(const dd_instruction *c)
{
    return c->op == DD_TAPE_SUM || c->op == DD_TAPE_DERIVED;
}

/* One instruction that computes a value. */
static double value_of(const dd_tape *tape, const dd_instruction *c, const double *v)
{
    /* lists begin where a would be: slot 0 is read in its place and not used */
    double a = v[is_list(c) ? 0 : c->a];
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_SUM:
        return sum(v, tape->lists + c->a, c->b);
    case DD_TAPE_ADD:
        return a + v[c->b];
    case DD_TAPE_SUB:
        return a - v[c->b];
    case DD_TAPE_NEG:
        return -a;
    case DD_TAPE_MUL:
        return a * v[c->b];
    case DD_TAPE_DIV:
        return a / v[c->b];
    case DD_TAPE_INVERSE:
        return 1 / a;
    case DD_TAPE_SQUARE:
        return a * a;
    case DD_TAPE_POWER_INT:
        return dd_power_int(a, (int32_t)c->b);
    case DD_TAPE_POWER_CONST:
    case DD_TAPE_POWER:
        return pow(a, v[c->b]);
    case DD_TAPE_SQRT:
        return sqrt(a);
#define APPLY(id, text, f, ...)                                                                                        \
    case DD_TAPE_##id:                                                                                                 \
        return f(a);
        DD_ELEMENTARY_LIST(APPLY)
#undef APPLY
    case DD_TAPE_ABS:
        return fabs(a);
    case DD_TAPE_SIGN:
        return (a > 0) - (a < 0);
    case DD_TAPE_FLOOR:
        return floor(a);
    case DD_TAPE_CEIL:
        return ceil(a);
    case DD_TAPE_ATAN2:
        return atan2(a, v[c->b]);
    /* the first one when equal, as the derivative picks it */
    case DD_TAPE_MIN:
        return a <= v[c->b] ? a : v[c->b];
    case DD_TAPE_MAX:
        return v[c->b] <= a ? a : v[c->b];
    /* Modelica's mod: the sign of the divisor */
    case DD_TAPE_MOD:
        return a - floor(a / v[c->b]) * v[c->b];
    case DD_TAPE_LT:
        return a < v[c->b];
    case DD_TAPE_LE:
        return a <= v[c->b];
    case DD_TAPE_EQ:
        return a == v[c->b];
    case DD_TAPE_NE:
        return a != v[c->b];
    case DD_TAPE_AND:
        return a != 0 && v[c->b] != 0;
    case DD_TAPE_OR:
        return a != 0 || v[c->b] != 0;
    case DD_TAPE_NOT:
        return a == 0;
    /* lists[b] is the then side, lists[b + 1] the else side */
    case DD_TAPE_SELECT:
        return v[tape->lists[c->b + (a == 0)]];
    case DD_TAPE_DERIVED:
        return v[tape->lists[c->a]];
    case DD_TAPE_COPY:
        return a;
    case DD_TAPE_JUMP:
    case DD_TAPE_JUMP_IF_FALSE:
    case DD_TAPE_OP_COUNT:
        break;
    }
    return 0;
}

void dd_tape_eval(dd_tape *tape, const double *in, double *out)
{
    double *v = tape->values;
    const dd_instruction *code = tape->code;
    memcpy(v, in, tape->n_in * sizeof *v);
    /* jumps set pc to one before their target: the loop adds one */
    for (uint32_t pc = 0; pc < tape->length; pc++) {
        const dd_instruction *c = &code[pc];
        if (c->op < DD_TAPE_JUMP) {
            v[c->dest] = value_of(tape, c, v);
        } else if (c->op == DD_TAPE_JUMP || v[c->a] == 0) {
            pc = c->b - 1;
        }
    }
    for (uint32_t i = 0; i < tape->n_out; i++) {
        out[i] = v[tape->outputs[i]];
    }
}

/* ---- with magnitudes ---- */

static double larger(double a, double b)
{
    return isfinite(b) && b > a ? b : a;
}

static double sum_magnitude(const double *m, const uint32_t *list, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += m[list[i] & ~DD_SUBTRACT];
    }
    return total;
}

/* The derivative of a function of one argument with value f. */
static double slope(dd_tape_op op, double a, double f)
{
    const dd_elementary *function = dd_tape_elementary(op);
    return function != NULL ? dd_slope_value(function, a, f) : op == DD_TAPE_SQRT ? 0.5 / f : op == DD_TAPE_ABS;
}

/* f(a) and f(b) of two arguments by their partial derivatives; b's part is left out when it is not finite. */
static double power_magnitude(double a, double ma, double b, double mb, double f)
{
    /* d(a^b) = f b / a da + f log(a) db */
    return larger(fabs(f), fabs(f * b / a) * ma + larger(0, fabs(f * log(a)) * mb));
}

static double atan2_magnitude(double y, double my, double x, double mx, double f)
{
    /* d atan2 = (x dy - y dx) / (x^2 + y^2) */
    double r = x * x + y * y;
    return larger(fabs(f), (fabs(x) * my + fabs(y) * mx) / r);
}

/* The magnitude of the result f of one instruction. */
static double magnitude_of(const dd_tape *tape, const dd_instruction *c, const double *v, const double *m, double f)
{
    uint32_t first = is_list(c) ? 0 : c->a;
    double a = v[first], ma = m[first], g;
    switch ((dd_tape_op)c->op) {
    /* sums: without cancellation the magnitudes would add up */
    case DD_TAPE_SUM:
        return larger(fabs(f), sum_magnitude(m, tape->lists + c->a, c->b));
    case DD_TAPE_ADD:
    case DD_TAPE_SUB:
        return larger(fabs(f), ma + m[c->b]);
    case DD_TAPE_NEG:
    case DD_TAPE_COPY:
    case DD_TAPE_ABS:
        return ma;
    /* products multiply; a quotient a / b has |a| mag(b) / b^2 by its derivative */
    case DD_TAPE_MUL:
        return larger(fabs(f), ma * m[c->b]);
    case DD_TAPE_DIV:
        return larger(fabs(f), ma * m[c->b] / (v[c->b] * v[c->b]));
    case DD_TAPE_INVERSE:
        return larger(fabs(f), ma / (a * a));
    case DD_TAPE_SQUARE:
        return larger(fabs(f), ma * ma);
    /* |a|^k without cancellation in a; for k < 0 by f = 1 / a^-k */
    case DD_TAPE_POWER_INT:
        g = dd_power_int(ma, (int32_t)c->b < 0 ? -(int32_t)c->b : (int32_t)c->b);
        return larger(fabs(f), (int32_t)c->b < 0 ? g * f * f : g);
    case DD_TAPE_POWER_CONST:
        return power_magnitude(a, ma, v[c->b], 0, f);
    case DD_TAPE_POWER:
        return power_magnitude(a, ma, v[c->b], m[c->b], f);
    /* the slope is infinite at 0 */
    case DD_TAPE_SQRT:
        return a == 0 ? sqrt(ma) : larger(fabs(f), ma * slope(c->op, a, f));
    case DD_TAPE_ATAN2:
        return atan2_magnitude(a, ma, v[c->b], m[c->b], f);
    /* the side that is taken */
    case DD_TAPE_MIN:
        return a <= v[c->b] ? ma : m[c->b];
    case DD_TAPE_MAX:
        return v[c->b] <= a ? ma : m[c->b];
    case DD_TAPE_MOD:
        return larger(fabs(f), ma + fabs(floor(a / v[c->b])) * m[c->b]);
    case DD_TAPE_DERIVED:
        return m[tape->lists[c->a]];
    case DD_TAPE_SELECT:
        return m[tape->lists[c->b + (a == 0)]];
    /* f(a): |f'(a)| mag(a), to first order */
    default:
        return larger(fabs(f), ma * fabs(slope((dd_tape_op)c->op, a, f)));
    }
}

void dd_tape_eval_magnitude(dd_tape *tape, const double *in, const double *in_mag, double *out, double *magnitude)
{
    double *v = tape->values, *m = tape->magnitudes;
    /* a magnitude is at least the value itself */
    for (uint32_t i = 0; i < tape->n_in; i++) {
        v[i] = in[i];
        m[i] = in_mag != NULL ? larger(fabs(in[i]), in_mag[i]) : fabs(in[i]);
    }
    for (uint32_t pc = 0; pc < tape->length; pc++) {
        const dd_instruction *c = &tape->code[pc];
        if (c->op < DD_TAPE_JUMP) {
            double f = value_of(tape, c, v);
            m[c->dest] = magnitude_of(tape, c, v, m, f);
            v[c->dest] = f;
        } else if (c->op == DD_TAPE_JUMP || v[c->a] == 0) {
            pc = c->b - 1;
        }
    }
    for (uint32_t i = 0; i < tape->n_out; i++) {
        out[i] = v[tape->outputs[i]];
        magnitude[i] = m[tape->outputs[i]];
    }
}
