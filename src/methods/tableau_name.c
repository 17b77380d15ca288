/* tableau_name.c - methods by name: one of the table, a family with its number, a parameter behind a colon. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "methods/expression.h"
#include "methods/multistep.h"
#include "methods/tableau_build.h"
#include "methods/tableau_table.h"

typedef struct {
    const char *prefix; /* the number follows */
    dd_tableau_family family;
    uint32_t least, most; /* numbers */
    uint32_t not_stages;  /* number - stages */
} family_name;

static const family_name families[] = {
    {"gauss-", DD_FAMILY_GAUSS, 1, DD_TABLEAU_FAMILY_STAGES, 0},
    {"radau-", DD_FAMILY_RADAU_IIA, 1, DD_TABLEAU_FAMILY_STAGES, 0},
    {"lobatto-iiia-", DD_FAMILY_LOBATTO_IIIA, 2, DD_TABLEAU_FAMILY_STAGES, 0},
    {"lobatto-iiib-", DD_FAMILY_LOBATTO_IIIB, 2, DD_TABLEAU_FAMILY_STAGES, 0},
    {"lobatto-iiic-", DD_FAMILY_LOBATTO_IIIC, 2, DD_TABLEAU_FAMILY_STAGES, 0},
    {"lobatto-", DD_FAMILY_LOBATTO_IIIC, 2, DD_TABLEAU_FAMILY_STAGES, 0},
    {"chebyshev-", DD_FAMILY_CHEBYSHEV, 2, DD_TABLEAU_CHEBYSHEV, 1},
};

/* ---- the list ---- */

static const char *const family_members[] = {
    "gauss-1",        "gauss-2",     "gauss-3",        "gauss-4",        "gauss-5",        "radau-1",
    "radau-2",        "radau-3",     "radau-4",        "radau-5",        "lobatto-2",      "lobatto-3",
    "lobatto-4",      "lobatto-5",   "lobatto-iiia-2", "lobatto-iiia-3", "lobatto-iiia-4", "lobatto-iiib-3",
    "lobatto-iiib-4", "chebyshev-4", "chebyshev-8",
};
enum { MEMBERS = sizeof family_members / sizeof *family_members };

static const char *const generic_members[] = {"generic2:3/4", "generic3:1/2"};
enum { GENERIC_PLACE = 4, GENERIC = 2 }; /* after heun2 */

const char *dd_tableau_listed(uint32_t i)
{
    /* the two examples with a parameter appear among the methods of their order */
    if (i >= GENERIC_PLACE && i < GENERIC_PLACE + GENERIC) {
        return generic_members[i - GENERIC_PLACE];
    }
    i -= i >= GENERIC_PLACE + GENERIC ? GENERIC : 0;
    if (i < dd_tableau_table_size) {
        return dd_tableau_table[i].name;
    }
    i -= dd_tableau_table_size;
    return i < MEMBERS ? family_members[i] : NULL;
}

/* ---- unknown names ---- */

const char *dd_tableau_other_name(const char *name)
{
    /* the closest spelling of explicit-euler would be its opposite */
    static const struct {
        const char *theirs, *ours;
    } names[] = {{"backward-euler", "implicit-euler"}, {"euler-backward", "implicit-euler"},
                 {"forward-euler", "euler"},           {"euler-forward", "euler"},
                 {"explicit-euler", "euler"},          {"crank-nicolson", "trapezoidal"},
                 {"explicit-midpoint", "midpoint"},    {"runge-kutta", "rk4"},
                 {"dormand-prince", "dopri54"},        {"bogacki-shampine", "bs32"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].theirs) == 0) {
            return names[i].ours;
        }
    }
    return NULL;
}

enum { MOST_CANDIDATES = 96, SHOWN = 80 };

static dd_status unknown(dd_context *ctx, const char *name)
{
    const char *candidates[MOST_CANDIDATES] = {"gauss-2",      "radau-3",      "lobatto-3", "bdf-2", "chebyshev-8",
                                               "generic2:2/3", "generic3:1/3", "bdf-1",     "bdf-3"};
    /* beside the listed names, members of families that a user may mean */
    size_t count = 9;
    for (uint32_t i = 0; count < MOST_CANDIDATES && dd_tableau_listed(i); i++) {
        candidates[count++] = dd_tableau_listed(i);
    }
    const char *same = dd_tableau_other_name(name), *meant = same ? same : dd_closest_name(name, candidates, count);
    if (meant) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%.*s\"; did you mean \"%s\"?", SHOWN, name,
                       meant);
    }
    return dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%.*s\"; `daedal methods` lists them", SHOWN, name);
}

/* ---- reading ---- */

/* a whole number without leading zeros, 1 to 9999; 0 when it is not one */
static uint32_t read_count(const char *text)
{
    uint32_t value = 0;
    if (*text == '0') {
        return 0;
    }
    for (; *text >= '0' && *text <= '9' && value < 10000; text++) {
        value = value * 10 + (uint32_t)(*text - '0');
    }
    return *text == '\0' && value < 10000 ? value : 0;
}

static dd_status fill_family(dd_context *ctx, dd_tableau_room *room, dd_tableau_input *in, const family_name *f)
{
    /* the number behind the prefix is the number of stages, of points for Chebyshev windows */
    const char *text = in->name + strlen(f->prefix);
    const uint32_t number = read_count(text);
    if (number < f->least || number > f->most) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%.*s\"; %sS takes S from %u to %u", SHOWN,
                       in->name, f->prefix, f->least, f->most);
    }
    in->family = f->family;
    in->stages = number - f->not_stages;
    dd_tableau_fill_family(room, in);
    return DD_OK;
}

static dd_status fill_generic(dd_context *ctx, dd_tableau_room *room, dd_tableau_input *in)
{
    const uint32_t order = (uint32_t)(in->name[7] - '0');
    const char *text = in->name + 9;
    dd_expression_error error;
    dd_quad alpha;
    /* ALPHA may be a formula such as 2/3; beyond a factor of 1000 the coefficients lose all digits */
    if (!dd_expression_evaluate(text, strlen(text), &alpha, &in->accuracy, &error)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%.*s: ALPHA, \"%.*s\", is not a number: %s", SHOWN, in->name, SHOWN,
                       text, error.message);
    }
    if (dd_quad_abs(alpha) > 1000 || (alpha != 0 && dd_quad_abs(alpha) < (dd_quad)1e-3)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%.*s: ALPHA must lie between 0.001 and 1000", SHOWN, in->name);
    }
    if (!dd_tableau_fill_generic(room, in, order, alpha)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%.*s: there is no such method for ALPHA = %s", SHOWN, in->name,
                       order == 2 ? "0" : "0, 2/3 or 1");
    }
    return DD_OK;
}

static dd_status fill_by_name(dd_context *ctx, dd_tableau_room *room, dd_tableau_input *in)
{
    /* a name of the table is taken before a family with the same beginning */
    for (uint32_t i = 0; i < dd_tableau_table_size; i++) {
        if (strcmp(in->name, dd_tableau_table[i].name) == 0) {
            dd_tableau_fill_row(room, in, &dd_tableau_table[i]);
            return DD_OK;
        }
    }
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const size_t n = strlen(families[i].prefix);
        if (strncmp(in->name, families[i].prefix, n) == 0 && in->name[n] >= '0' && in->name[n] <= '9') {
            return fill_family(ctx, room, in, &families[i]);
        }
    }
    if (strncmp(in->name, "generic2:", 9) == 0 || strncmp(in->name, "generic3:", 9) == 0) {
        return fill_generic(ctx, room, in);
    }
    if (strncmp(in->name, "bdf-", 4) == 0) {
        return dd_bdf_steps(in->name) > 0
                   ? dd_fail(ctx, DD_INVALID_ARGUMENT, "%s is a multistep formula, not a Runge-Kutta method", in->name)
                   : dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no method \"%.*s\"; bdf-M takes M from 1 to %d", SHOWN,
                             in->name, DD_BDF_STEPS);
    }
    return unknown(ctx, in->name);
}

dd_status dd_tableau_new(dd_tableau **out, dd_context *ctx, const char *name)
{
    *out = NULL;
    /* a longer name cannot be one of ours, and would not fit into the tableau */
    if (strlen(name) >= DD_TABLEAU_NAME) {
        return unknown(ctx, name);
    }
    dd_tableau_room *room = dd_mem_new_array(ctx, 1, sizeof *room);
    if (!room) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    dd_tableau_input input = {.name = name};
    dd_status st = fill_by_name(ctx, room, &input);
    if (st == DD_OK) {
        st = dd_tableau_finish(out, ctx, &input, room);
    }
    dd_mem_free(ctx, room, sizeof *room);
    return st;
}
