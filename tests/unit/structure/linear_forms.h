/* linear_forms.h - linear systems E x' = A x + f(t) with a known answer.
 *
 *     E = P diag(I, N) Q,   A = P diag(J, I) Q       (Weierstrass form; N nilpotent with blocks of given sizes)
 *
 * P and Q are products of elementary integer matrices, so everything is exact. Then
 *     index = size of the largest block of N,  dof = size of J,  visible constraints = n - rank E = number of blocks of N,
 *     hidden constraints = what is left.
 * Singular pencils (Kronecker blocks L_k and their transposes) have no answer but `singular` or `inconsistent`.
 * None of this changes when the unknowns are replaced by a curved change of variables x_j = y_j + 0.3 sin(y_k), k > j, and
 * rows get multiples of later rows with factors that depend on the unknowns: the same answers for nonlinear systems (up
 * to index 3 and 6 unknowns here). */
#ifndef TEST_STRUCTURE_LINEAR_FORMS_H
#define TEST_STRUCTURE_LINEAR_FORMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal/daedal.h"

enum { LINEAR_MOST = 9 };

typedef struct linear_case {
    uint32_t n, index, dof, blocks;
    bool singular, forced, curved;
    int mixing; /* 0: rows and columns in another order, 1: rows combined, 2: rows and unknowns combined */
    int e[LINEAR_MOST][LINEAR_MOST], a[LINEAR_MOST][LINEAR_MOST];
    char text[65536];
} linear_case;

static inline uint32_t linear_random(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % below);
}

/* row i += f row j of both matrices, or the same with columns */
static inline void linear_combine(linear_case *c, bool columns, uint32_t i, uint32_t j, int f)
{
    for (uint32_t k = 0; k < c->n; k++) {
        if (columns) {
            c->e[k][i] += f * c->e[k][j];
            c->a[k][i] += f * c->a[k][j];
        } else {
            c->e[i][k] += f * c->e[j][k];
            c->a[i][k] += f * c->a[j][k];
        }
    }
}

static inline void linear_swap(linear_case *c, bool columns, uint32_t i, uint32_t j)
{
    for (uint32_t k = 0; k < c->n; k++) {
        int *e1 = columns ? &c->e[k][i] : &c->e[i][k], *e2 = columns ? &c->e[k][j] : &c->e[j][k];
        int *a1 = columns ? &c->a[k][i] : &c->a[i][k], *a2 = columns ? &c->a[k][j] : &c->a[j][k];
        const int e = *e1, a = *a1;
        *e1 = *e2, *a1 = *a2, *e2 = e, *a2 = a;
    }
}

static inline int linear_largest(const linear_case *c)
{
    int most = 0;
    for (uint32_t i = 0; i < c->n * LINEAR_MOST; i++) {
        const int e = abs(c->e[i / LINEAR_MOST][i % LINEAR_MOST]), a = abs(c->a[i / LINEAR_MOST][i % LINEAR_MOST]);
        most = e > most ? e : most;
        most = a > most ? a : most;
    }
    return most;
}

static inline void linear_mix(linear_case *c, uint64_t *seed)
{
    for (uint32_t k = 0; c->n > 1 && k < 3 * c->n; k++) {
        const uint32_t i = linear_random(seed, c->n), j = linear_random(seed, c->n);
        const bool columns = linear_random(seed, 2) == 0;
        if (i == j) {
            continue;
        }
        linear_swap(c, columns, i, j);
        const int f = linear_random(seed, 2) ? 1 : -1;
        if (c->mixing > (columns ? 1 : 0)) {
            linear_combine(c, columns, i, j, f);
            if (linear_largest(c) > 40) {
                linear_combine(c, columns, i, j, -f);
            }
        }
    }
}

static inline void linear_write(linear_case *c, uint64_t *seed)
{
    char *t = c->text, *end = c->text + sizeof c->text;
    t += snprintf(t, (size_t)(end - t), "model Linear\n  Real");
    for (uint32_t j = 0; j < c->n; j++) {
        t += snprintf(t, (size_t)(end - t), "%s x%u(start = %.2f)", j ? "," : "", j + 1, 0.3 + 0.1 * j);
    }
    t += snprintf(t, (size_t)(end - t), ";\nequation\n");
    for (uint32_t i = 0; i < c->n; i++) {
        t += snprintf(t, (size_t)(end - t), "  0");
        for (uint32_t j = 0; j < c->n; j++) {
            if (c->e[i][j]) {
                t += snprintf(t, (size_t)(end - t), " %c %d*der(x%u)", c->e[i][j] < 0 ? '-' : '+', abs(c->e[i][j]),
                              j + 1);
            }
        }
        t += snprintf(t, (size_t)(end - t), " = 0");
        for (uint32_t j = 0; j < c->n; j++) {
            if (c->a[i][j]) {
                t += snprintf(t, (size_t)(end - t), " %c %d*x%u", c->a[i][j] < 0 ? '-' : '+', abs(c->a[i][j]), j + 1);
            }
        }
        if (c->forced) {
            t += snprintf(t, (size_t)(end - t), " + sin(%u*time + %u)", 1 + linear_random(seed, 3), i);
        }
        t += snprintf(t, (size_t)(end - t), ";\n");
    }
    snprintf(t, (size_t)(end - t), "end Linear;\n");
}

/* E x' - A x - f with the curved unknowns put in, plus a multiple of a later row. */
static inline void linear_write_curved(linear_case *c, uint64_t *seed)
{
    static char unknown[LINEAR_MOST][80], row[LINEAR_MOST][6000];
    char *t = c->text, *end = c->text + sizeof c->text;
    t += snprintf(t, (size_t)(end - t), "model Curved\n  Real");
    for (uint32_t j = 0; j < c->n; j++) {
        t += snprintf(t, (size_t)(end - t), "%s x%u(start = %.2f)", j ? "," : "", j + 1, 0.3 + 0.1 * j);
        const uint32_t k = j + 1 < c->n ? j + 1 + linear_random(seed, c->n - j - 1) : j;
        if (k > j && linear_random(seed, 2)) {
            snprintf(unknown[j], sizeof unknown[j], "(x%u + 0.3*sin(x%u))", j + 1, k + 1);
        } else {
            snprintf(unknown[j], sizeof unknown[j], "x%u", j + 1);
        }
    }
    t += snprintf(t, (size_t)(end - t), ";\nequation\n");
    for (uint32_t i = c->n; i-- > 0;) {
        char *r = row[i], *stop = row[i] + sizeof row[i];
        r += snprintf(r, (size_t)(stop - r), "0");
        for (uint32_t j = 0; j < c->n; j++) {
            if (c->e[i][j]) {
                r += snprintf(r, (size_t)(stop - r), " %c %d*der(%s)", c->e[i][j] < 0 ? '-' : '+', abs(c->e[i][j]),
                              unknown[j]);
            }
            if (c->a[i][j]) {
                r += snprintf(r, (size_t)(stop - r), " %c %d*%s", c->a[i][j] < 0 ? '+' : '-', abs(c->a[i][j]),
                              unknown[j]);
            }
        }
        if (c->forced) {
            r += snprintf(r, (size_t)(stop - r), " - sin(%u*time + %u)", 1 + linear_random(seed, 3), i);
        }
        if (i + 1 < c->n && linear_random(seed, 2) && strlen(row[i + 1]) < 800) {
            snprintf(r, (size_t)(stop - r), " + (1 + 0.5*cos(x%u))*(%s)", 1 + linear_random(seed, c->n), row[i + 1]);
        }
        t += snprintf(t, (size_t)(end - t), "  %s = 0;\n", row[i]);
    }
    snprintf(t, (size_t)(end - t), "end Curved;\n");
}

/* One system by its number: always the same. */
static inline void linear_make(linear_case *c, uint64_t number, bool singular, bool curved)
{
    uint64_t seed = number * 7919 + (singular ? 5 : 1);
    memset(c, 0, sizeof *c);
    c->mixing = (int)(number % 3);
    c->curved = curved;
    c->forced = linear_random(&seed, 4) > 0;
    c->singular = singular;
    c->dof = linear_random(&seed, 4);
    uint32_t at = c->dof;
    for (uint32_t i = 0; i < c->dof; i++) {
        c->e[i][i] = 1;
        for (uint32_t j = 0; j < c->dof; j++) {
            c->a[i][j] = (int)linear_random(&seed, 5) - 2;
        }
    }
    if (singular) {
        /* L_k: k rows, k + 1 unknowns; the transpose of L_m: m + 1 rows, m unknowns. Together square. */
        const uint32_t k = 1 + linear_random(&seed, 2), m = 1 + linear_random(&seed, 2);
        for (uint32_t i = 0; i < k; i++) {
            c->e[at + i][at + i] = 1;
            c->a[at + i][at + i + 1] = 1;
        }
        for (uint32_t j = 0; j < m; j++) {
            c->e[at + k + j][at + k + 1 + j] = 1;
            c->a[at + k + j + 1][at + k + 1 + j] = 1;
        }
        at += k + m + 1;
    } else {
        const uint32_t blocks = (c->dof == 0) + linear_random(&seed, 3);
        for (uint32_t b = 0; b < blocks && at < LINEAR_MOST - 1; b++) {
            const uint32_t size = 1 + linear_random(&seed, LINEAR_MOST - 1 - at < 5 ? LINEAR_MOST - 1 - at : 5);
            for (uint32_t i = 0; i < size; i++) {
                c->a[at + i][at + i] = 1;
                if (i + 1 < size) {
                    c->e[at + i][at + i + 1] = 1;
                }
            }
            c->index = size > c->index ? size : c->index;
            c->blocks++;
            at += size;
        }
    }
    c->n = at;
    linear_mix(c, &seed);
    if (curved) {
        linear_write_curved(c, &seed);
    } else {
        linear_write(c, &seed);
    }
}

/* What is wrong with the analysis; "" when nothing is. */
static inline const char *linear_difference(const linear_case *c, const dd_system *s, char *buffer, size_t size)
{
    const dd_verdict verdict = dd_system_verdict(s);
    *buffer = 0;
    if (c->singular) {
        if (verdict != DD_VERDICT_SINGULAR && verdict != DD_VERDICT_INCONSISTENT) {
            snprintf(buffer, size, "a singular pencil is called %s", dd_verdict_name(verdict));
        } else if (!c->forced && verdict != DD_VERDICT_SINGULAR) {
            snprintf(buffer, size, "a homogeneous system is called inconsistent");
        } else if (*dd_system_reason(s) == 0) {
            snprintf(buffer, size, "there is no reason");
        }
        return buffer;
    }
    const uint32_t hidden = c->n - c->dof - c->blocks;
    if (verdict != DD_VERDICT_OK || dd_system_index(s) != (int)c->index || dd_system_dof(s) != (int)c->dof ||
        dd_system_constraint_count(s) != c->blocks || dd_system_hidden_count(s) != hidden ||
        dd_system_certificate(s) == DD_CERTIFICATE_UNDECIDED ||
        (dd_system_get_kind(s) == DD_SYSTEM_ODE) != (c->index == 0)) {
        snprintf(buffer, size, "%s %s, %s, index %d, dof %d, %u + %u constraints; expected index %u, dof %u, %u + %u",
                 dd_system_kind_name(dd_system_get_kind(s)), dd_verdict_name(verdict),
                 dd_certificate_name(dd_system_certificate(s)), dd_system_index(s), dd_system_dof(s),
                 dd_system_constraint_count(s), dd_system_hidden_count(s), c->index, c->dof, c->blocks, hidden);
    }
    return buffer;
}

static inline uint32_t linear_run(uint64_t first, uint64_t count, bool singular, bool curved)
{
    uint32_t failures = 0;
    for (uint64_t k = first; k < first + count; k++) {
        static linear_case c;
        char difference[512];
        dd_context *ctx;
        dd_model *model = NULL;
        dd_system *s = NULL;
        linear_make(&c, k, singular, curved);
        if (c.n == 0 || (curved && (c.index > 3 || c.n > 6))) {
            continue;
        }
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        dd_status st = dd_model_load_text(&model, ctx, "linear.mo", c.text, strlen(c.text), NULL);
        st = st == DD_OK ? dd_model_analyse(&s, model, NULL) : st;
        if (st != DD_OK) {
            snprintf(difference, sizeof difference, "%s", dd_context_message(ctx));
        } else {
            linear_difference(&c, s, difference, sizeof difference);
        }
        if (*difference) {
            failures++;
            if (failures <= 20) {
                fprintf(stderr, "%s %llu (mixing %d): %s\n%s\n", singular ? "singular" : "regular",
                        (unsigned long long)k, c.mixing, difference, c.text);
            }
        }
        dd_system_free(s);
        dd_model_free(model);
        dd_context_free(ctx);
    }
    return failures;
}

#endif
