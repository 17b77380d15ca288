/* tape_taylor.c - running a tape on truncated Taylor series x(tau) = sum x_k tau^k, k = 0 .. order.
 *
 * Every function solves a differential equation in its argument, which determines its coefficients one by one (Griewank
 * and Walther, Evaluating Derivatives, 2nd ed., ch. 13). With j a_j for the coefficients of tau*a':
 *
 *   slope by another function g     f' = g a', g' = -+f a' or g a'           (sin, cos, sinh, cosh, expm1)
 *   slope by the value              f' = w a', w = q(f)                      (exp, tan, tanh)
 *       k f_k = sum_{j=1..k} j a_j w_{k-j}
 *   one over a function of a        w f' = a', w = q(a) or sqrt(q(a))        (log, atan, asin, ...)
 *       w_0 f_k = a_k - 1/k sum_{j=1..k-1} j f_j w_{k-j}
 *   a^c                             a f' = c f a'
 *       k a_0 f_k = sum_{j=1..k} (c j - k + j) a_j f_{k-j}
 *   atan2(y, x)                     w f' = x y' - y x', w = x^2 + y^2
 *   partials p_i by a_i given       f' = sum_i p_i a_i'
 */
#include <math.h>
#include <string.h>

#include "eval/power.h"
#include "eval/tape_impl.h"

/* ---- arithmetic; n is the number of coefficients ---- */

static double convolution(const double *a, const double *b, uint32_t k)
{
    double sum = 0;
    for (uint32_t j = 0; j <= k; j++) {
        sum += a[j] * b[k - j];
    }
    return sum;
}

/* sum_{j=1..k-last} j a_j b_{k-j}; last = 1 leaves out j = k */
static double rate_sum(const double *a, const double *b, uint32_t k, uint32_t last)
{
    double sum = 0;
    for (uint32_t j = 1; j + last <= k; j++) {
        sum += j * a[j] * b[k - j];
    }
    return sum;
}

static void multiply(double *f, const double *a, const double *b, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        f[k] = convolution(a, b, k);
    }
}

/* f = a/b; a NULL: 1 */
static void divide(double *f, const double *a, const double *b, uint32_t n)
{
    /* f b = a: f_k = (a_k - sum_{j=1..k} b_j f_{k-j}) / b_0 */
    for (uint32_t k = 0; k < n; k++) {
        double sum = a != NULL ? a[k] : k == 0;
        for (uint32_t j = 1; j <= k; j++) {
            sum -= b[j] * f[k - j];
        }
        f[k] = sum / b[0];
    }
}

static void scale(double *f, const double *a, double c, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        f[k] = c * a[k];
    }
}

static void constant(double *f, double value, uint32_t n)
{
    memset(f, 0, n * sizeof *f);
    f[0] = value;
}

static void add_list(double *f, const double *series, const uint32_t *list, uint32_t m, uint32_t n)
{
    memset(f, 0, n * sizeof *f);
    for (uint32_t i = 0; i < m; i++) {
        const double *a = series + (size_t)(list[i] & ~DD_SUBTRACT) * n;
        double sign = (list[i] & DD_SUBTRACT) != 0 ? -1 : 1;
        for (uint32_t k = 0; k < n; k++) {
            f[k] += sign * a[k];
        }
    }
}

/* ---- powers ---- */

/* By squaring, so that a_0 = 0 is nothing special. */
static void power_int(double *f, const double *a, int32_t exponent, double *work, uint32_t n)
{
    /* binary powers of the whole series */
    double *square = work, *product = work + n;
    memcpy(square, a, n * sizeof *a);
    constant(f, 1, n);
    for (uint32_t m = exponent < 0 ? 0u - (uint32_t)exponent : (uint32_t)exponent; m != 0; m >>= 1) {
        if ((m & 1) != 0) {
            multiply(product, f, square, n);
            memcpy(f, product, n * sizeof *f);
        }
        multiply(product, square, square, n);
        memcpy(square, product, n * sizeof *square);
    }
    /* a^-k = 1 / a^k */
    if (exponent < 0) {
        memcpy(product, f, n * sizeof *f);
        divide(f, NULL, product, n);
    }
}

/* a^c for a_0 != 0 */
static void power_regular(double *f, const double *a, double c, uint32_t n)
{
    f[0] = pow(a[0], c);
    for (uint32_t k = 1; k < n; k++) {
        double sum = 0;
        for (uint32_t j = 1; j <= k; j++) {
            sum += (c * j - (k - j)) * a[j] * f[k - j];
        }
        f[k] = sum / (k * a[0]);
    }
}

/* a^c for any real c. With a = tau^m b, b_0 != 0, it is tau^(c m) b^c: a series when c*m is a whole number. */
static void power_const(double *f, const double *a, double c, double *work, uint32_t n)
{
    /* a = tau^m b */
    uint32_t m = 0;
    while (m < n && a[m] == 0) {
        m++;
    }
    if (m == 0) {
        power_regular(f, a, c, n);
        return;
    }
    double shift = c * m;
    if (m == n) {
        constant(f, pow(0, c), n); /* zero as far as the series goes */
        return;
    }
    /* a pole at tau = 0: no Taylor series */
    if (shift < 0) {
        for (uint32_t k = 0; k < n; k++) {
            f[k] = k == 0 ? pow(0, c) : NAN;
        }
        return;
    }
    /* f = tau^(c m) b^c: coefficients below c m are zero */
    uint32_t first = shift < n ? (uint32_t)ceil(shift) : n;
    memset(f, 0, n * sizeof *f);
    memset(work, 0, n * sizeof *work);
    memcpy(work, a + m, (n - m) * sizeof *work);
    power_regular(work + n, work, c, n - first);
    /* of b^c only n - m coefficients are known, since a is known to order n - 1 only */
    for (uint32_t k = first; k < n; k++) {
        f[k] = first == shift && k - first < n - m ? work[n + k - first] : NAN; /* NAN: not known, or no series */
    }
}

static void square_root(double *f, const double *a, double *work, uint32_t n)
{
    if (a[0] == 0) {
        power_const(f, a, 0.5, work, n);
        return;
    }
    /* f f = a: 2 f_0 f_k = a_k - sum_{j=1..k-1} f_j f_{k-j} */
    f[0] = sqrt(a[0]);
    for (uint32_t k = 1; k < n; k++) {
        double sum = a[k];
        for (uint32_t j = 1; j < k; j++) {
            sum -= f[j] * f[k - j];
        }
        f[k] = sum / (2 * f[0]);
    }
}

/* ---- elementary functions: the recurrence follows from the slope (expr/operations.h) ---- */

/* f' = sf g a' with the other function g, whose slope is sg f (sin, cos, sinh, cosh) or g itself (exp) */
static void by_function(const dd_elementary *e, double *f, double *g, const double *a, uint32_t n)
{
    const dd_elementary *other = dd_elementary_of(e->slope.other);
    const double *rate = other->slope.kind == DD_SLOPE_FUNCTION ? f : g;
    f[0] = e->value(a[0]);
    g[0] = other->value(a[0]);
    /* both series grow together: f_k needs g up to k - 1, and g_k needs f or g */
    for (uint32_t k = 1; k < n; k++) {
        double fk = e->slope.sign * rate_sum(a, g, k, 0) / k;
        g[k] = other->slope.sign * rate_sum(a, rate, k, 0) / k;
        f[k] = fk;
    }
}

/* f' = w a', w = q(f) */
static void by_value(const dd_elementary *e, double *f, double *w, const double *a, uint32_t n)
{
    const int8_t *q = e->slope.q;
    f[0] = e->value(a[0]);
    /* zero coefficients are skipped: 0 * inf would spoil w_0 */
    w[0] = q[0] + (q[1] != 0 ? q[1] * f[0] : 0) + (q[2] != 0 ? q[2] * f[0] * f[0] : 0);
    for (uint32_t k = 1; k < n; k++) {
        f[k] = rate_sum(a, w, k, 0) / k;
        w[k] = (q[1] != 0 ? q[1] * f[k] : 0) + (q[2] != 0 ? q[2] * convolution(f, f, k) : 0);
    }
}

/* q(a) as a series */
static void polynomial(double *w, const int8_t *q, const double *a, uint32_t n)
{
    constant(w, 0, n);
    if (q[2] != 0) {
        multiply(w, a, a, n);
        scale(w, w, q[2], n);
    }
    for (uint32_t k = 1; q[1] != 0 && k < n; k++) {
        w[k] += q[1] * a[k];
    }
    w[0] = dd_slope_polynomial(q, a[0]);
}

/* w f' = unit a', w = q(a) or its root */
static void by_inverse(const dd_elementary *e, double *f, double *w, const double *a, double *work, uint32_t n)
{
    const dd_slope *s = &e->slope;
    double unit = s->of == DD_LN10 ? s->sign / log(10) : s->sign;
    /* f is free until its own recurrence begins: it holds q(a) meanwhile */
    if (s->of == DD_ROOT) {
        polynomial(f, s->q, a, n);
        square_root(w, f, work, n);
    } else {
        polynomial(w, s->q, a, n);
    }
    /* w_0 f_k = unit a_k - 1/k sum_{j=1..k-1} j f_j w_{k-j} */
    f[0] = e->value(a[0]);
    for (uint32_t k = 1; k < n; k++) {
        f[k] = (unit * a[k] - rate_sum(f, w, k, 1) / k) / w[0];
    }
}

static void elementary(const dd_elementary *e, double *f, double *aux, const double *a, double *work, uint32_t n)
{
    switch (e->slope.kind) {
    case DD_SLOPE_FUNCTION:
        by_function(e, f, aux, a, n);
        return;
    case DD_SLOPE_VALUE:
        by_value(e, f, aux, a, n);
        return;
    case DD_SLOPE_INVERSE:
        by_inverse(e, f, aux, a, work, n);
        return;
    }
}

static void arc_tangent2(double *f, double *w, const double *y, const double *x, uint32_t n)
{
    f[0] = atan2(y[0], x[0]);
    /* w = x^2 + y^2, then k w_0 f_k = sum j (y_j x_{k-j} - x_j y_{k-j}) - sum_{j<k} j f_j w_{k-j} */
    for (uint32_t k = 0; k < n; k++) {
        w[k] = convolution(x, x, k) + convolution(y, y, k);
    }
    for (uint32_t k = 1; k < n; k++) {
        double rate = rate_sum(y, x, k, 0) - rate_sum(x, y, k, 0);
        f[k] = (rate - rate_sum(f, w, k, 1)) / (k * w[0]);
    }
}

/* a^b: like a constant exponent when b does not move, else exp(b log a) */
static void power(double *f, const double *a, const double *b, double *work, uint32_t n)
{
    /* an exponent with a constant value may be any kind of power */
    bool moves = false;
    for (uint32_t k = 1; k < n; k++) {
        moves = moves || b[k] != 0;
    }
    if (!moves && b[0] == rint(b[0]) && fabs(b[0]) <= 1024) {
        power_int(f, a, (int32_t)b[0], work, n);
    } else if (!moves) {
        power_const(f, a, b[0], work, n);
    } else {
        /* a^b = exp(b log a); the first coefficient by pow, which also knows a = 0 */
        double *log_a = f + n, *product = f + 2 * (size_t)n; /* the auxiliary slots */
        elementary(dd_elementary_of(DD_OP_LOG), log_a, product, a, work, n);
        multiply(product, b, log_a, n);
        elementary(dd_elementary_of(DD_OP_EXP), f, log_a, product, work, n);
        f[0] = pow(a[0], b[0]);
    }
}

/* a - floor(a_0/b_0) b */
static void modulo(double *f, const double *a, const double *b, uint32_t n)
{
    double whole = floor(a[0] / b[0]);
    for (uint32_t k = 0; k < n; k++) {
        f[k] = a[k] - whole * b[k];
    }
}

/* value_0, then k f_k = sum over the pairs (a, p) of sum_{j=1..k} j a_j p_{k-j} */
static void derived(double *f, const double *series, const uint32_t *list, uint32_t pairs, uint32_t n)
{
    f[0] = series[(size_t)list[0] * n];
    for (uint32_t k = 1; k < n; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < pairs; i++) {
            sum += rate_sum(series + (size_t)list[2 * i + 1] * n, series + (size_t)list[2 * i + 2] * n, k, 0);
        }
        f[k] = sum / k;
    }
}

/* ---- the loop ---- */

static void run_function(dd_tape_op op, double *f, const double *a, const double *b, double *work, uint32_t n)
{
    double *aux = f + n;
    /* elementary functions follow from their slope */
    const dd_elementary *function = dd_tape_elementary(op);
    if (function != NULL) {
        elementary(function, f, aux, a, work, n);
        return;
    }
    /* powers and functions of two arguments have separate recurrences */
    switch (op) {
    case DD_TAPE_POWER_CONST:
        power_const(f, a, b[0], work, n);
        return;
    case DD_TAPE_POWER:
        power(f, a, b, work, n);
        return;
    case DD_TAPE_SQRT:
        square_root(f, a, work, n);
        return;
    case DD_TAPE_ATAN2:
        arc_tangent2(f, aux, a, b, n);
        return;
    case DD_TAPE_MOD:
        modulo(f, a, b, n);
        return;
    /* kinks: the side at tau = 0 applies */
    case DD_TAPE_ABS:
        scale(f, a, (a[0] > 0) - (a[0] < 0), n);
        return;
    case DD_TAPE_MIN:
        scale(f, a[0] <= b[0] ? a : b, 1, n);
        return;
    case DD_TAPE_MAX:
        scale(f, b[0] <= a[0] ? a : b, 1, n);
        return;
    /* piecewise constant: only the value */
    case DD_TAPE_SIGN:
        constant(f, (a[0] > 0) - (a[0] < 0), n);
        return;
    case DD_TAPE_FLOOR:
        constant(f, floor(a[0]), n);
        return;
    case DD_TAPE_CEIL:
        constant(f, ceil(a[0]), n);
        return;
    case DD_TAPE_LT:
        constant(f, a[0] < b[0], n);
        return;
    case DD_TAPE_LE:
        constant(f, a[0] <= b[0], n);
        return;
    case DD_TAPE_EQ:
        constant(f, a[0] == b[0], n);
        return;
    case DD_TAPE_NE:
        constant(f, a[0] != b[0], n);
        return;
    case DD_TAPE_AND:
        constant(f, a[0] != 0 && b[0] != 0, n);
        return;
    case DD_TAPE_OR:
        constant(f, a[0] != 0 || b[0] != 0, n);
        return;
    case DD_TAPE_NOT:
        constant(f, a[0] == 0, n);
        return;
    default:
        return;
    }
}

static void run_instruction(const dd_tape *tape, const dd_instruction *c, uint32_t n)
{
    double *s = tape->series, *f = s + (size_t)c->dest * n;
    /* operations whose a or b is not a slot come first */
    if (c->op == DD_TAPE_SUM) {
        add_list(f, s, tape->lists + c->a, c->b, n);
        return;
    }
    if (c->op == DD_TAPE_DERIVED) {
        derived(f, s, tape->lists + c->a, c->b, n);
        return;
    }
    const double *a = s + (size_t)c->a * n;
    if (c->op == DD_TAPE_POWER_INT) {
        power_int(f, a, (int32_t)c->b, tape->series_work, n);
        return;
    }
    if (c->op == DD_TAPE_SELECT) {
        memcpy(f, s + (size_t)tape->lists[c->b + (a[0] == 0)] * n, n * sizeof *f);
        return;
    }
    /* arithmetic, then functions */
    const double *b = s + (size_t)c->b * n;
    switch ((dd_tape_op)c->op) {
    case DD_TAPE_ADD:
    case DD_TAPE_SUB:
        for (uint32_t k = 0; k < n; k++) {
            f[k] = c->op == DD_TAPE_ADD ? a[k] + b[k] : a[k] - b[k];
        }
        return;
    case DD_TAPE_NEG:
        scale(f, a, -1, n);
        return;
    case DD_TAPE_MUL:
        multiply(f, a, b, n);
        return;
    case DD_TAPE_SQUARE:
        multiply(f, a, a, n);
        return;
    case DD_TAPE_DIV:
        divide(f, a, b, n);
        return;
    case DD_TAPE_INVERSE:
        divide(f, NULL, a, n);
        return;
    case DD_TAPE_COPY:
        memcpy(f, a, n * sizeof *f);
        return;
    default:
        run_function((dd_tape_op)c->op, f, a, b, tape->series_work, n);
        return;
    }
}

static size_t series_size(const dd_tape *tape, size_t count, uint32_t n)
{
    size_t size;
    if (__builtin_mul_overflow(count, (size_t)n * sizeof(double), &size)) {
        dd_raise(dd_pool_context(tape->pool), DD_OUT_OF_MEMORY, "Taylor series of order %u need too much memory",
                 n - 1);
    }
    return size;
}

static void prepare_series(dd_tape *tape, uint32_t order)
{
    uint32_t n = order + 1;
    /* room grows with the order and is kept */
    if (tape->series == NULL || tape->series_order < order) {
        tape->series = dd_block_resize(tape->pool, tape->series, series_size(tape, (size_t)tape->n_slots + 1, n));
        tape->series_work = dd_block_resize(tape->pool, tape->series_work, series_size(tape, 2, n));
        tape->series_order = order;
    }
    /* constants of the tape as series: the layout depends on the order */
    for (uint32_t i = tape->n_in; i < tape->first_result; i++) {
        constant(tape->series + (size_t)i * n, tape->values[i], n);
    }
}

void dd_tape_eval_taylor(dd_tape *tape, uint32_t order, const double *in, double *out)
{
    uint32_t n = order + 1;
    prepare_series(tape, order);
    double *s = tape->series;
    memcpy(s, in, (size_t)tape->n_in * n * sizeof *s);
    /* as in dd_tape_eval; jumps look at the value, the first coefficient */
    for (uint32_t pc = 0; pc < tape->length; pc++) {
        const dd_instruction *c = &tape->code[pc];
        if (c->op < DD_TAPE_JUMP) {
            run_instruction(tape, c, n);
        } else if (c->op == DD_TAPE_JUMP || s[(size_t)c->a * n] == 0) {
            pc = c->b - 1;
        }
    }
    for (uint32_t i = 0; i < tape->n_out; i++) {
        memcpy(out + (size_t)i * n, s + (size_t)tape->outputs[i] * n, n * sizeof *out);
    }
}
