/* The shape of transcribed programs: every program of tests/verify/ocp keeps the rules of nlp/shape.h, its leaves are
 * square and regular, and the border is as small as the problem says. */
#include <ftw.h>

#include "nlp/elastic.h"
#include "nlp/permuted.h"
#include "ocp/guess.h"
#include "ocp/phases.h"
#include "unit/ocp/ocp_kit.h"

/* How a program is transcribed. */
typedef struct way {
    uint32_t intervals;
    dd_nodes nodes;
    dd_control_kind control;
    const char *integrator; /* of shooting; NULL: collocation */
} way;

static const way ways[] = {
    {5, DD_NODES_RADAU, DD_CONTROL_CONSTANT, NULL},   {4, DD_NODES_GAUSS, DD_CONTROL_LINEAR, NULL},
    {3, DD_NODES_RADAU, DD_CONTROL_POLYNOMIAL, NULL}, {4, DD_NODES_RADAU, DD_CONTROL_CONSTANT, "radau-3"},
    {5, DD_NODES_RADAU, DD_CONTROL_LINEAR, "rk4"},    {3, DD_NODES_RADAU, DD_CONTROL_POLYNOMIAL, "gauss-2"},
    {1, DD_NODES_GAUSS, DD_CONTROL_CONSTANT, NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct program {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_ocp *ocp;
    dd_pool *pool;
    const way *how;
    dd_tableau *tableau;
    dd_guess_source *written;
    dd_transcription *t; /* NULL: the model has none */
} program;

static void transcribe(void *user)
{
    program *c = user;
    dd_ocp_problem *o = dd_ocp_new_problem(c->ocp);
    if (o->reason != NULL) {
        return;
    }
    /* degrees and lengths differ from interval to interval */
    dd_mesh mesh = {.n = c->how->intervals, .control = c->how->control, .nodes = c->how->nodes, .tableau = c->tableau};
    mesh.substeps = c->tableau != NULL ? 2 : 0;
    mesh.theta = dd_pool_alloc_array(c->pool, mesh.n + 1, sizeof *mesh.theta);
    mesh.degree = dd_pool_alloc_array(c->pool, mesh.n + 1, sizeof *mesh.degree);
    for (uint32_t k = 0; k <= mesh.n; k++) {
        double part = (double)k / mesh.n;
        mesh.theta[k] = part * (0.8 + 0.2 * part);
        mesh.degree[k] = c->tableau != NULL ? 0 : 2 + k % 2;
    }
    dd_guess_source_new(&c->written, o, NULL, c->pool);
    dd_guess guess = dd_guess_source_as(c->written);
    c->t = dd_transcribe(o, &mesh, &guess, c->pool);
}

static program open_program(const char *name, const char *text, const way *how)
{
    program c = {.ctx = new_context(), .how = how};
    dd_status status = dd_model_load_text(&c.model, c.ctx, name, text, strlen(text), NULL);
    status = status == DD_OK ? dd_model_analyse(&c.system, c.model, NULL) : status;
    c.pool = dd_pool_new(c.ctx);
    if (how->integrator != NULL) {
        assert_int_equal(dd_tableau_new(&c.tableau, c.ctx, how->integrator), DD_OK);
    }
    if (status == DD_OK && c.model->optimization != NULL && dd_ocp_new(&c.ocp, c.system, NULL) == DD_OK &&
        dd_ocp_begin(c.ocp) == DD_OK) {
        dd_protect(c.ctx, transcribe, &c);
    }
    return c;
}

static void close_program(program *c)
{
    dd_guess_source_free(c->written);
    dd_transcription_free(c->t);
    dd_pool_free(c->pool);
    dd_tableau_free(c->tableau);
    dd_ocp_free(c->ocp);
    dd_system_free(c->system);
    dd_model_free(c->model);
    dd_context_free(c->ctx);
}

static uint32_t n_files, n_programs, n_irregular, n_unknown;

/* ---- the rules, as nlp/shape.h says them ---- */

static bool is_node(uint32_t place)
{
    return place != DD_PLACE_BORDER && place % 2 == 0;
}

static bool is_inside(uint32_t place)
{
    return place != DD_PLACE_BORDER && place % 2 == 1;
}

/* May something of place a meet a variable of place b? */
static bool may_meet(uint32_t a, uint32_t b)
{
    if (a == DD_PLACE_BORDER || b == DD_PLACE_BORDER) {
        return true;
    }
    uint32_t k = a / 2, other = b / 2;
    if (is_inside(a)) {
        return is_inside(b) ? other == k : other == k || other == k + 1;
    }
    return is_inside(b) ? other == k || other + 1 == k : other + 1 >= k && other <= k + 1;
}

static void check_rules(const char *name, const dd_nlp *nlp)
{
    const dd_nlp_shape *s = nlp->shape;
    for (uint32_t j = 0; j < nlp->n; j++) {
        assert_true(s->variable_place[j] == DD_PLACE_BORDER || s->variable_place[j] <= DD_PLACE_NODE(s->intervals));
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = nlp->jacobian_row[k], j = nlp->jacobian_col[k];
        if (!may_meet(s->row_place[i], s->variable_place[j])) {
            fail_msg("%s: row %u at %u meets variable %u at %u", name, i, s->row_place[i], j, s->variable_place[j]);
        }
    }
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        uint32_t i = nlp->hessian_row[k], j = nlp->hessian_col[k];
        if (!may_meet(s->variable_place[i], s->variable_place[j])) {
            fail_msg("%s: variables %u and %u meet", name, i, j);
        }
    }
}

/* Pairs: equalities of an interval with its own variables or those of the node behind it, which are in no other row that
 * is paired with one of that node. */
static void check_pairs(const char *name, const dd_nlp *nlp)
{
    const dd_nlp_shape *s = nlp->shape;
    uint32_t *by = calloc(nlp->n + 1, sizeof *by), *met = calloc(nlp->m + 1, sizeof *met);
    for (uint32_t i = 0; i < nlp->m; i++) {
        uint32_t v = s->determines[i];
        if (v != DD_DETERMINES_NONE) {
            uint32_t place = s->variable_place[v], row = s->row_place[i];
            assert_true(nlp->c_lower[i] == nlp->c_upper[i]);
            assert_true(is_inside(row) && (place == row || place == row + 1));
            assert_int_equal(by[v]++, 0);
        }
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = nlp->jacobian_row[k], j = nlp->jacobian_col[k], v = s->determines[i];
        bool of_node = v != DD_DETERMINES_NONE && is_node(s->variable_place[v]);
        met[i] += v == j ? 1 : 0;
        if (of_node && j != v && s->variable_place[j] == s->variable_place[v] && by[j] > 0) {
            fail_msg("%s: row %u meets two variables of its node that are determined", name, i);
        }
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        uint32_t v = s->determines[i]; /* inside, only the whole matrix must be regular */
        assert_true(v == DD_DETERMINES_NONE || is_inside(s->variable_place[v]) || met[i] > 0);
    }
    free(by);
    free(met);
}

/* Every variable but controls, parameters, times and the states of first nodes is determined. */
static uint32_t check_determined(const char *name, const dd_transcription *t)
{
    const dd_nlp *nlp = t->nlp;
    const dd_nlp_shape *s = nlp->shape;
    uint32_t border = 0;
    bool *done = calloc(nlp->n + 1, sizeof *done);
    for (uint32_t i = 0; i < nlp->m; i++) {
        if (s->determines[i] != DD_DETERMINES_NONE) {
            done[s->determines[i]] = true;
        }
    }
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        for (uint32_t i = 0; i < t->o->x.len; i++) {
            uint32_t v = t->x_at[k + 1] + i;
            border += s->variable_place[v] == DD_PLACE_BORDER ? 1 : 0;
            if (!done[v] && s->variable_place[v] != DD_PLACE_BORDER) {
                fail_msg("%s: state %u at node %u is not determined", name, i, k + 1);
            }
        }
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            for (uint32_t i = 0; i < t->o->x.len + t->o->z.len; i++) {
                uint32_t v = t->point_at[k * DD_DEGREE_MOST + j - 1] + i;
                border += s->variable_place[v] == DD_PLACE_BORDER ? 1 : 0;
                if (!done[v] && s->variable_place[v] != DD_PLACE_BORDER) {
                    fail_msg("%s: variable %u at point %u of interval %u is not determined", name, i, j, k);
                }
            }
        }
    }
    free(done);
    return border;
}

/* The square matrix of the rows and variables that are paired inside an interval has full rank where the guess is. */
static bool leaf_is_regular(const dd_nlp *nlp, const double *jacobian, uint32_t interval)
{
    const dd_nlp_shape *s = nlp->shape;
    uint32_t place = DD_PLACE_INSIDE(interval), n = 0;
    uint32_t *at = malloc((nlp->n + 1) * sizeof *at), *of = malloc((nlp->m + 1) * sizeof *of);
    memset(at, 0xff, nlp->n * sizeof *at);
    for (uint32_t i = 0; i < nlp->m; i++) {
        uint32_t v = s->determines[i];
        of[i] = UINT32_MAX;
        if (s->row_place[i] == place && v != DD_DETERMINES_NONE && s->variable_place[v] == place) {
            of[i] = at[v] = n++;
        }
    }
    double *a = calloc((size_t)n * n + 1, sizeof *a);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        uint32_t i = nlp->jacobian_row[k], j = nlp->jacobian_col[k];
        if (of[i] != UINT32_MAX && at[j] != UINT32_MAX) {
            a[of[i] * (size_t)n + at[j]] += jacobian[k];
        }
    }
    /* Gauss with full rows: a pivot of zero means dependent rows */
    bool regular = true;
    for (uint32_t c = 0; c < n && regular; c++) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < n; r++) {
            best = fabs(a[r * (size_t)n + c]) > fabs(a[best * (size_t)n + c]) ? r : best;
        }
        regular = fabs(a[best * (size_t)n + c]) > 1e-9;
        for (uint32_t j = 0; j < n; j++) {
            double swap = a[c * (size_t)n + j];
            a[c * (size_t)n + j] = a[best * (size_t)n + j];
            a[best * (size_t)n + j] = swap;
        }
        for (uint32_t r = c + 1; r < n && regular; r++) {
            double factor = a[r * (size_t)n + c] / a[c * (size_t)n + c];
            for (uint32_t j = c; j < n; j++) {
                a[r * (size_t)n + j] -= factor * a[c * (size_t)n + j];
            }
        }
    }
    free(a);
    free(at);
    free(of);
    return regular;
}

/* Where the functions have no values at the guess nothing is known. */
static bool leaves_are_regular(const dd_transcription *t)
{
    const dd_nlp *nlp = t->nlp;
    double *jacobian = calloc(nlp->jacobian_nnz + 1, sizeof *jacobian);
    bool finite = nlp->jacobian(nlp->user, dd_elements_start(t->elements), true, jacobian), regular = true;
    n_unknown += finite ? 0 : 1;
    for (uint32_t k = 0; finite && k < nlp->shape->intervals && regular; k++) {
        regular = leaf_is_regular(nlp, jacobian, k);
    }
    free(jacobian);
    return regular;
}

/* ---- all programs ---- */

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = calloc(1 << 16, 1);
    size_t n = fread(text, 1, (1 << 16) - 1, f);
    assert_true(n < (1 << 16) - 1);
    fclose(f);
    return text;
}

/* A program that has the same rows in another order, and one with relaxations, keep the rules too. */
static void check_wrapped(const char *name, const program *c)
{
    const dd_nlp *nlp = c->t->nlp;
    uint32_t n = nlp->n, m = nlp->m;
    uint32_t *row = malloc((m + 1) * sizeof *row), *variable = malloc((n + 1) * sizeof *variable);
    double *zero = calloc(n + 1, sizeof *zero), ones[3] = {1, 1, 1};
    for (uint32_t i = 0; i < m; i++) {
        row[i] = i % 3 == 0 ? DD_ELASTIC_HARD : i % 3;
    }
    for (uint32_t j = 0; j < n; j++) {
        variable[j] = j % 2 == 0 ? DD_ELASTIC_HARD : 0;
    }
    dd_elastic_spec spec = {3, ones, ones, row, row, variable, variable, zero, 0.1};
    dd_elastic *e;
    assert_int_equal(dd_elastic_new(&e, c->ctx, nlp, &spec), DD_OK);
    assert_non_null(dd_elastic_nlp(e)->shape);
    check_rules(name, dd_elastic_nlp(e));
    check_pairs(name, dd_elastic_nlp(e));
    dd_elastic_free(e);
    dd_permuted *p;
    assert_int_equal(dd_permuted_new(&p, c->ctx, nlp, 7, c->t->mesh.n), DD_OK);
    check_rules(name, dd_permuted_nlp(p));
    check_pairs(name, dd_permuted_nlp(p));
    dd_permuted_free(p);
    free(row);
    free(variable);
    free(zero);
}

static int check_file(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)where;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 4 || strcmp(path + length - 4, ".mop") != 0) {
        return 0;
    }
    /* each file in one way of collocation and one of shooting; the next file in others */
    char *text = read_text(path);
    const way *chosen[2] = {&ways[n_files % 3], &ways[3 + n_files % (WAYS - 3)]};
    n_files++;
    for (uint32_t k = 0; k < 2; k++) {
        program c = open_program(path, text, chosen[k]);
        if (c.t != NULL) {
            n_programs++;
            if (c.t->nlp->shape == NULL) {
                fail_msg("%s has no shape", path);
            }
            check_rules(path, c.t->nlp);
            check_pairs(path, c.t->nlp);
            check_determined(path, c.t);
            check_wrapped(path, &c);
            if (!leaves_are_regular(c.t)) {
                print_message("%s, way %u: a leaf is singular at the guess\n", path, (uint32_t)(chosen[k] - ways));
                n_irregular++;
            }
        }
        close_program(&c);
    }
    free(text);
    return 0;
}

static void test_all_programs(void **state)
{
    (void)state;
    char path[512];
    const char *source = getenv("DAEDAL_SOURCE");
    snprintf(path, sizeof path, "%s/tests/verify/ocp", source != NULL ? source : ".");
    assert_int_equal(nftw(path, check_file, 8, FTW_PHYS), 0);
    print_message("%u files, %u programs, %u without values and %u with a singular leaf at the guess\n", n_files,
                  n_programs, n_unknown, n_irregular);
    assert_true(n_programs > 300);
    assert_true(n_irregular * 100 <= n_programs);
}

/* ---- phases ---- */

static uint32_t border_variables(const dd_nlp *nlp)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < nlp->n; j++) {
        n += nlp->shape->variable_place[j] == DD_PLACE_BORDER ? 1 : 0;
    }
    return n;
}

/* States of first nodes that rows between phases determine. */
static uint32_t linked_states(const dd_nlp *nlp, uint32_t nodes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        uint32_t v = nlp->shape->determines[i];
        uint32_t place = v != DD_DETERMINES_NONE ? nlp->shape->variable_place[v] : DD_PLACE_BORDER;
        n += is_node(place) && place / 2 % nodes == 0 ? 1 : 0;
    }
    return n;
}

/* Phases follow each other: no interval has the states of two, and the border has parameters and times alone. */
static void test_phases(void **state)
{
    static const struct {
        const char *name;
        uint32_t phases, linked;
    } files[] = {{"delta3", 4, 21}, {"burns", 3, 5}, {"switch", 2, 1}, {"impact", 2, 2}, {"pendulum", 2, 4}};
    (void)state;
    for (uint32_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[512];
        const char *source = getenv("DAEDAL_SOURCE");
        snprintf(path, sizeof path, "%s/tests/verify/ocp/phases/%s.mop", source != NULL ? source : ".", files[f].name);
        char *text = read_text(path);
        for (uint32_t k = 0; k < 3; k++) {
            program c = open_program(path, text, &ways[k]);
            assert_non_null(c.t);
            const dd_nlp *nlp = c.t->nlp;
            assert_int_equal(dd_ocp_phase_count(c.t->o), files[f].phases);
            assert_int_equal(nlp->shape->intervals, files[f].phases * (ways[k].intervals + 1) - 1);
            assert_int_equal(border_variables(nlp), c.t->o->p.len);
            assert_int_equal(linked_states(nlp, ways[k].intervals + 1), files[f].linked);
            close_program(&c);
        }
        free(text);
    }
}

/* ---- the border ---- */

#define FREE_PENDULUM                                                                                                  \
    "model M\n"                                                                                                        \
    "  parameter Real g(min = 9, max = 10);\n"                                                                         \
    "  Real q, w;\n"                                                                                                   \
    "  input Real u(min = -1, max = 1);\n"                                                                             \
    "equation\n"                                                                                                       \
    "  der(q) = w;\n"                                                                                                  \
    "  der(w) = -g*sin(q) + u;\n"                                                                                      \
    "end M;\n"

/* Periodic rows are at the border; a cost that multiplies values of both ends takes the one of the first node there. */
static void test_border(void **state)
{
    static const char *const text =
        FREE_PENDULUM "optimization P(objective = q(startTime)*q(finalTime), objectiveIntegrand = u^2, startTime = 0,\n"
                      "    finalTime(free = true, min = 1, max = 3, initialGuess = 2))\n"
                      "  extends M(g(free = true, initialGuess = 9.5), q(initialGuess = 0.3));\n"
                      "constraint\n"
                      "  w(startTime) = w(finalTime);\n"
                      "  q(startTime) = 0.2;\n"
                      "end P;\n";
    (void)state;
    for (uint32_t k = 0; k < WAYS - 1; k++) {
        program c = open_program("p.mop", text, &ways[k]);
        assert_non_null(c.t);
        const dd_nlp *nlp = c.t->nlp;
        const dd_nlp_shape *s = nlp->shape;
        assert_int_equal(border_variables(nlp), 3);
        assert_int_equal(s->variable_place[c.t->tf_at], DD_PLACE_BORDER);
        assert_int_equal(s->variable_place[c.t->p_at], DD_PLACE_BORDER);
        assert_int_equal(s->variable_place[c.t->x_at[0]], DD_PLACE_BORDER);
        assert_int_equal(s->variable_place[c.t->x_at[0] + 1], DD_PLACE_NODE(0));
        assert_int_equal(s->variable_place[c.t->x_at[ways[k].intervals]], DD_PLACE_NODE(ways[k].intervals));
        /* w(startTime) = w(finalTime), and q(startTime) = 0.2, whose only variable is there */
        uint32_t rows = 0;
        for (uint32_t i = 0; i < nlp->m; i++) {
            rows += s->row_place[i] == DD_PLACE_BORDER ? 1 : 0;
        }
        assert_int_equal(rows, 2);
        close_program(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_programs),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
