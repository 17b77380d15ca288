/* Random networks of resistors, capacitors, inductors and sources with values in SI units, many powers of ten apart.
 * The truth comes from the graph (Tischendorf 1999): with n nodes a loop of voltage sources or a cutset of current
 * sources alone is ill posed; every independent loop of capacitors and voltage sources, and every independent cutset of
 * inductors and current sources, takes one degree of freedom and makes the index 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"

enum { MAX_NODES = 10, MAX_BRANCHES = 24, MAX_TEXT = 20000 };

typedef struct network {
    uint32_t nodes, branches;
    uint32_t from[MAX_BRANCHES], to[MAX_BRANCHES];
    char kind[MAX_BRANCHES];
    const char *value[MAX_BRANCHES];
    char text[MAX_TEXT];
    size_t length;
} network;

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % below);
}

static const char *value_of(char kind, uint64_t *seed)
{
    static const char *const resistors[] = {"10", "1000", "4700", "1e6", "0.1", "1e-6"};
    static const char *const capacitors[] = {"1e-6", "1e-9", "22e-12", "1e-3", "1000"};
    static const char *const inductors[] = {"1e-3", "1e-6", "0.1", "3e-9"};
    switch (kind) {
    case 'R':
        return resistors[draw(seed, 6)];
    case 'C':
        return capacitors[draw(seed, 5)];
    case 'L':
        return inductors[draw(seed, 4)];
    default:
        return "1";
    }
}

static void draw_network(network *w, uint64_t seed)
{
    seed = seed * 2654435761u + 12345;
    *w = (network){.nodes = 3 + draw(&seed, MAX_NODES - 3)};
    for (uint32_t k = 1; k < w->nodes; k++) {
        w->from[w->branches] = k;
        w->to[w->branches++] = draw(&seed, k);
    }
    for (uint32_t more = 1 + draw(&seed, 10); more > 0 && w->branches < MAX_BRANCHES; more--) {
        w->from[w->branches] = draw(&seed, w->nodes);
        w->to[w->branches] = (w->from[w->branches] + 1 + draw(&seed, w->nodes - 1)) % w->nodes;
        w->branches++;
    }
    for (uint32_t b = 0; b < w->branches; b++) {
        w->kind[b] = "RRRCCLLVI"[draw(&seed, 9)];
        w->value[b] = value_of(w->kind[b], &seed);
    }
}

/* Parts the branches of these kinds leave the nodes in; *count: how many branches that are. */
static uint32_t parts(const network *w, const char *kinds, uint32_t *count)
{
    uint32_t root[MAX_NODES], out = w->nodes;
    for (uint32_t k = 0; k < w->nodes; k++) {
        root[k] = k;
    }
    *count = 0;
    for (uint32_t b = 0; b < w->branches; b++) {
        if (!strchr(kinds, w->kind[b])) {
            continue;
        }
        (*count)++;
        uint32_t p = root[w->from[b]], q = root[w->to[b]];
        for (uint32_t k = 0; k < w->nodes && p != q; k++) {
            root[k] = root[k] == p ? q : root[k];
        }
        out -= p != q;
    }
    return out;
}

static uint32_t loops(const network *w, const char *kinds)
{
    uint32_t count, rest = parts(w, kinds, &count);
    return count - (w->nodes - rest);
}

static uint32_t cutsets(const network *w, const char *others)
{
    uint32_t count;
    return parts(w, others, &count) - 1;
}

static void put(network *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(network *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    w->length += (size_t)vsnprintf(w->text + w->length, MAX_TEXT - w->length, format, args);
    va_end(args);
    assert_true(w->length < MAX_TEXT);
}

static void put_branch(network *w, uint32_t b)
{
    char from[16] = "0", to[16] = "0";
    if (w->from[b] > 0) {
        snprintf(from, sizeof from, "e[%u]", w->from[b]);
    }
    if (w->to[b] > 0) {
        snprintf(to, sizeof to, "e[%u]", w->to[b]);
    }
    uint32_t k = b + 1;
    put(w, " v[%u] = %s - %s;\n", k, from, to);
    switch (w->kind[b]) {
    case 'R':
        put(w, " v[%u] = k[%u]*i[%u];\n", k, k, k);
        break;
    case 'C':
        put(w, " k[%u]*der(v[%u]) = i[%u];\n", k, k, k);
        break;
    case 'L':
        put(w, " k[%u]*der(i[%u]) = v[%u];\n", k, k, k);
        break;
    case 'V':
        put(w, " v[%u] = sin(%u*time);\n", k, k);
        break;
    default:
        put(w, " i[%u] = cos(%u*time);\n", k, k);
        break;
    }
}

static void write_network(network *w)
{
    put(w, "model Network\n parameter Real k[%u] = {", w->branches);
    for (uint32_t b = 0; b < w->branches; b++) {
        put(w, "%s%s", b > 0 ? ", " : "", w->value[b]);
    }
    put(w, "};\n Real e[%u], v[%u], i[%u];\nequation\n", w->nodes - 1, w->branches, w->branches);
    for (uint32_t b = 0; b < w->branches; b++) {
        put_branch(w, b);
    }
    for (uint32_t q = 1; q < w->nodes; q++) {
        put(w, " 0 =");
        for (uint32_t b = 0; b < w->branches; b++) {
            if (w->from[b] == q || w->to[b] == q) {
                put(w, " %c i[%u]", w->from[b] == q ? '+' : '-', b + 1);
            }
        }
        put(w, ";\n");
    }
    put(w, "end Network;\n");
}

static bool judged_right(const network *w, const dd_system *s)
{
    uint32_t capacitors, inductors;
    parts(w, "C", &capacitors);
    parts(w, "L", &inductors);
    uint32_t taken = loops(w, "CV") + cutsets(w, "RCV");
    if (loops(w, "V") > 0 || cutsets(w, "RCLV") > 0) {
        return dd_system_verdict(s) == DD_VERDICT_SINGULAR || dd_system_verdict(s) == DD_VERDICT_INCONSISTENT;
    }
    return dd_system_verdict(s) == DD_VERDICT_OK && dd_system_dof(s) == (int)(capacitors + inductors - taken) &&
           dd_system_index(s) == (taken > 0 ? 2 : 1) && dd_system_certificate(s) != DD_CERTIFICATE_UNDECIDED;
}

static void test_networks(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        static network w;
        draw_network(&w, seed);
        uint32_t dynamic;
        parts(&w, "CL", &dynamic);
        if (dynamic == 0) {
            continue;
        }
        write_network(&w);
        dd_context *ctx;
        dd_model *model = NULL;
        dd_system *s = NULL;
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        assert_int_equal(dd_model_load_text(&model, ctx, "network.mo", w.text, w.length, NULL), DD_OK);
        assert_int_equal(dd_model_analyse(&s, model, NULL), DD_OK);
        if (!judged_right(&w, s)) {
            print_error("network %u: %s, index %d, dof %d\n%s", (unsigned)seed, dd_verdict_name(dd_system_verdict(s)),
                        dd_system_index(s), dd_system_dof(s), w.text);
            wrong++;
        }
        dd_system_free(s);
        dd_model_free(model);
        dd_context_free(ctx);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
