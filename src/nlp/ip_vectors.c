/* ip_vectors.c - sums of vectors in one pass, four numbers at a time: loops over all variables and rows that an iteration
 * needs several times. Rounding is that of plain loops. */
#include "base/vector.h"
#include "nlp/ip_impl.h"

DD_CLONES static void add_scaled(double *out, const double *a, double factor, const double *b, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, dd_v4_load(a + i) + factor * dd_v4_load(b + i));
    }
    for (; i < n; i++) {
        out[i] = a[i] + factor * b[i];
    }
}

DD_CLONES static void add_constant(double *out, const double *a, double constant, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, dd_v4_load(a + i) + constant);
    }
    for (; i < n; i++) {
        out[i] = a[i] + constant;
    }
}

DD_CLONES static void subtract_product(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, dd_v4_load(a + i) - dd_v4_load(b + i) * dd_v4_load(c + i));
    }
    for (; i < n; i++) {
        out[i] = a[i] - b[i] * c[i];
    }
}

DD_CLONES static void add_subtract(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, dd_v4_load(a + i) + dd_v4_load(b + i) - dd_v4_load(c + i));
    }
    for (; i < n; i++) {
        out[i] = a[i] + b[i] - c[i];
    }
}

DD_CLONES static void subtract_both(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, dd_v4_load(a + i) - dd_v4_load(b + i) - dd_v4_load(c + i));
    }
    for (; i < n; i++) {
        out[i] = a[i] - b[i] - c[i];
    }
}

DD_CLONES static void negate(double *out, const double *a, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(out + i, -dd_v4_load(a + i));
    }
    for (; i < n; i++) {
        out[i] = -a[i];
    }
}

/* Clones are static (vector.h); these are the names that others see. */

void dd_ip_add_scaled(double *out, const double *a, double factor, const double *b, uint32_t n)
{
    add_scaled(out, a, factor, b, n);
}

void dd_ip_add_constant(double *out, const double *a, double constant, uint32_t n)
{
    add_constant(out, a, constant, n);
}

void dd_ip_subtract_product(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    subtract_product(out, a, b, c, n);
}

void dd_ip_add_subtract(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    add_subtract(out, a, b, c, n);
}

void dd_ip_subtract_both(double *out, const double *a, const double *b, const double *c, uint32_t n)
{
    subtract_both(out, a, b, c, n);
}

void dd_ip_negate(double *out, const double *a, uint32_t n)
{
    negate(out, a, n);
}
