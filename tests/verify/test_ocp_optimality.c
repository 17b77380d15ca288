/* The optimal control problems below tests/verify/ocp, looked at from outside the solver.
 *
 * Derivatives: the gradient, Jacobian and Hessian of every transcribed problem, by collocation and by shooting, against
 * extrapolated central differences along random directions at random points.
 * Optimality: for every solve that says "optimal" the Karush-Kuhn-Tucker conditions are computed here again, from the
 * functions of the program and the multipliers alone, with code of their own.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/ocp/ocp_kit.h"

enum { DIRECTIONS = 2 };

static double uniform(uint64_t *state) /* in (-1, 1) */
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2 * (double)(*state >> 11) * 0x1p-53 - 1;
}

/* ---- files ---- */

static glob_t problem_files(void)
{
    char pattern[600];
    glob_t files;
    const char *root = getenv("DAEDAL_SOURCE"), *only = getenv("OCP_ONLY");
    snprintf(pattern, sizeof pattern, "%s/tests/verify/ocp/*/%s.mop", root ? root : ".", only ? only : "*");
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    return files;
}

/* The words of the first line "// run: ...", in line; 0 words also when the file has "// skip:", "// expect:" or
 * "// nonsmooth:" (slopes at the guess or at the solution are not those of the program as written). */
static bool read_run(const char *path, char *line, size_t size)
{
    char text[4096];
    bool found = false, other = false;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(text, sizeof text, file) != NULL) {
        if (strncmp(text, "// run:", 7) == 0 && !found) {
            snprintf(line, size, "%s", text + 7);
            found = true;
        }
        other = other || strncmp(text, "// skip:", 8) == 0 || strncmp(text, "// expect:", 10) == 0 ||
                strncmp(text, "// nonsmooth:", 13) == 0;
    }
    fclose(file);
    return found && !other;
}

/* The options that change functions, as the command line names them. */
static dd_ocp_options read_options(char *line)
{
    dd_ocp_options o = dd_ocp_options_default();
    char *save, *word = strtok_r(line, " \n", &save);
    while (word != NULL) {
        char *value = strtok_r(NULL, " \n", &save);
        if (strcmp(word, "--intervals") == 0) {
            o.intervals = (uint32_t)atoi(value);
        } else if (strcmp(word, "--degree") == 0) {
            o.degree = (uint32_t)atoi(value);
        } else if (strcmp(word, "--nodes") == 0) {
            o.legendre = strcmp(value, "legendre") == 0;
        } else if (strcmp(word, "--control") == 0) {
            o.control = value[0] == 'c' ? DD_OCP_CONSTANT : value[0] == 'l' ? DD_OCP_LINEAR : DD_OCP_POLYNOMIAL;
        } else if (strcmp(word, "--tol") == 0) {
            o.tolerance = strtod(value, NULL);
        }
        word = value != NULL && value[0] == '-' && value[1] == '-' ? value : strtok_r(NULL, " \n", &save);
    }
    return o;
}

typedef struct subject {
    kit k;
    const dd_nlp *nlp;
} subject;

static bool at_once(void *user, const dd_ocp_iteration *it)
{
    (void)user, (void)it;
    return false;
}

static subject prepare(const char *path, const dd_ocp_options *o)
{
    subject s = {.k.ctx = new_context()};
    assert_int_equal(dd_model_load_file(&s.k.model, s.k.ctx, path, NULL), DD_OK);
    dd_analyse_options analysis = dd_analyse_options_default();
    analysis.trust_structure = true; /* as the command does */
    assert_int_equal(dd_model_analyse(&s.k.system, s.k.model, &analysis), DD_OK);
    assert_int_equal(dd_ocp_new(&s.k.ocp, s.k.system, o), DD_OK);
    assert_int_equal(dd_ocp_solve(s.k.ocp), DD_OK);
    s.k.info = dd_ocp_get_info(s.k.ocp);
    s.nlp = s.k.ocp->transcription != NULL ? s.k.ocp->transcription->nlp : NULL;
    return s;
}

/* ---- derivatives ---- */

typedef struct probe {
    const dd_nlp *nlp;
    double *y, *d, *lambda, *moved, *jacobian, *hessian;
    double *forward, *backward; /* m + n */
} probe;

static double *numbers(size_t n)
{
    double *v = calloc(n + 1, sizeof *v);
    assert_non_null(v);
    return v;
}

static probe probe_new(const dd_nlp *nlp)
{
    size_t both = (size_t)nlp->n + nlp->m;
    return (probe){nlp,
                   numbers(nlp->n),
                   numbers(nlp->n),
                   numbers(nlp->m),
                   numbers(nlp->n),
                   numbers(nlp->jacobian_nnz),
                   numbers(nlp->hessian_nnz),
                   numbers(both),
                   numbers(both)};
}

static void probe_free(probe *p)
{
    double *all[] = {p->y, p->d, p->lambda, p->moved, p->jacobian, p->hessian, p->forward, p->backward};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
}

/* c and the gradient of f + lambda^T c at y + h d. */
static bool look(probe *p, double h, double *out)
{
    const dd_nlp *nlp = p->nlp;
    double *g = out + nlp->m;
    for (uint32_t i = 0; i < nlp->n; i++) {
        p->moved[i] = p->y[i] + h * p->d[i];
    }
    bool ok = nlp->constraints(nlp->user, p->moved, true, out) && nlp->gradient(nlp->user, p->moved, false, g) &&
              nlp->jacobian(nlp->user, p->moved, false, p->jacobian);
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        g[nlp->jacobian_col[e]] += p->lambda[nlp->jacobian_row[e]] * p->jacobian[e];
    }
    return ok;
}

/* Differences along d, extrapolated: error O(h^4). objective: of f. */
static bool differences(probe *p, double h, double *out, double *objective)
{
    size_t n = (size_t)p->nlp->n + p->nlp->m;
    double f[2] = {0, 0}, part[2] = {0, 0};
    memset(out, 0, n * sizeof *out);
    for (int level = 0; level < 2; level++) {
        double step = level == 0 ? h : 0.5 * h, weight = level == 0 ? -1.0 / 3 : 4.0 / 3;
        if (!look(p, step, p->forward) || !p->nlp->objective(p->nlp->user, p->moved, false, &f[0]) ||
            !look(p, -step, p->backward) || !p->nlp->objective(p->nlp->user, p->moved, false, &f[1])) {
            return false;
        }
        part[level] = weight * (f[0] - f[1]) / (2 * step);
        for (size_t i = 0; i < n; i++) {
            out[i] += weight * (p->forward[i] - p->backward[i]) / (2 * step);
        }
    }
    *objective = part[0] + part[1];
    return true;
}

static void exact_products(probe *p, double *out, double *size, double *objective)
{
    const dd_nlp *nlp = p->nlp;
    size_t n = (size_t)nlp->n + nlp->m;
    memset(out, 0, n * sizeof *out);
    memset(size, 0, n * sizeof *size);
    assert_true(nlp->gradient(nlp->user, p->y, true, p->moved));
    *objective = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        *objective += p->moved[i] * p->d[i];
        size[nlp->m + i] += 1e-3 * fabs(p->moved[i]); /* rounding, see below */
    }
    assert_true(nlp->jacobian(nlp->user, p->y, false, p->jacobian));
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        double term = p->jacobian[e] * p->d[nlp->jacobian_col[e]];
        out[nlp->jacobian_row[e]] += term;
        /* where large terms cancel their rounding, divided by the step, is in the differences: 1e-16/1e-3 of them */
        size[nlp->jacobian_row[e]] += fabs(term) + 1e-3 * fabs(p->jacobian[e] * p->y[nlp->jacobian_col[e]]);
        size[nlp->m + nlp->jacobian_col[e]] += 1e-3 * fabs(p->jacobian[e] * p->lambda[nlp->jacobian_row[e]]);
    }
    assert_true(nlp->hessian(nlp->user, p->y, false, 1, p->lambda, p->hessian));
    for (uint32_t e = 0; e < nlp->hessian_nnz; e++) {
        uint32_t r = nlp->hessian_row[e], c = nlp->hessian_col[e];
        out[nlp->m + r] += p->hessian[e] * p->d[c];
        size[nlp->m + r] += fabs(p->hessian[e] * p->d[c]);
        if (r != c) {
            out[nlp->m + c] += p->hessian[e] * p->d[r];
            size[nlp->m + c] += fabs(p->hessian[e] * p->d[r]);
        }
    }
}

/* A point off the guess, within the bounds; a direction that is not along them. */
static void choose_point(probe *p, const double *start, double far, uint64_t *state)
{
    const dd_nlp *nlp = p->nlp;
    for (uint32_t i = 0; i < nlp->n; i++) {
        double low = nlp->x_lower[i], high = nlp->x_upper[i];
        double room = isfinite(low) && isfinite(high) ? fmin(1, 0.5 * (high - low)) : 1;
        p->d[i] = room * uniform(state);
        p->y[i] = start[i] + far * room * uniform(state);
        p->y[i] = fmax(p->y[i], isfinite(low) ? low + 0.01 * room : low);
        p->y[i] = fmin(p->y[i], isfinite(high) ? high - 0.01 * room : high);
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        p->lambda[i] = uniform(state);
    }
}

/* The worst disagreement, relative to the terms of the sum. Kinks (max, abs) lie between the two ends of a difference now
 * and then: a smaller step decides. */
static double derivative_error(probe *p, const double *start, uint64_t *state)
{
    size_t n = (size_t)p->nlp->n + p->nlp->m;
    double *exact = numbers(n), *size = numbers(n), *numeric = numbers(n), best = INFINITY, slope, difference;
    for (double far = 0.05; far > 1e-4 && isinf(best); far *= 0.3) { /* nearer where a function is not finite */
        choose_point(p, start, far, state);
        for (double h = 1e-3; h > 1e-6; h *= 0.1) {
            if (!differences(p, h, numeric, &difference)) {
                continue;
            }
            exact_products(p, exact, size, &slope);
            double f = 0;
            p->nlp->objective(p->nlp->user, p->y, false, &f);
            double worst = fabs(slope - difference) / fmax(fmax(1, fabs(f)), fabs(slope)); /* variables are of size 1 */
            for (size_t i = 0; i < n; i++) {
                worst = fmax(worst, fabs(exact[i] - numeric[i]) / fmax(1, size[i]));
            }
            best = fmin(best, worst);
        }
    }
    free(exact);
    free(size);
    free(numeric);
    return best;
}

static double worst_derivative(const char *path, const dd_ocp_options *o)
{
    subject s = prepare(path, o);
    double worst = 0;
    if (s.nlp != NULL) {
        uint64_t state = 7;
        probe p = probe_new(s.nlp);
        for (int k = 0; k < DIRECTIONS; k++) {
            worst = fmax(worst, derivative_error(&p, dd_elements_start(s.k.ocp->transcription->elements), &state));
        }
        probe_free(&p);
    }
    kit_free(&s.k);
    return worst;
}

static void test_derivatives(void **state)
{
    (void)state;
    glob_t files = problem_files();
    char line[1000];
    int wrong = 0, undefined = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (!read_run(files.gl_pathv[i], line, sizeof line)) {
            continue;
        }
        dd_ocp_options o = read_options(line);
        o.intervals = 4;
        o.progress = at_once;
        double collocation = worst_derivative(files.gl_pathv[i], &o);
        o.shooting = true;
        o.intervals = 20; /* one step of the integrator in each */
        o.degree = 3;
        double shooting = worst_derivative(files.gl_pathv[i], &o);
        bool ok = collocation < 1e-6 && (shooting < 1e-6 || isinf(shooting)); /* infinite: the steps lead nowhere */
        undefined += isinf(shooting) ? 1 : 0;
        printf("%s %-60s %.1e %.1e\n", ok ? "      " : "WRONG:", strstr(files.gl_pathv[i], "ocp/"), collocation,
               shooting);
        wrong += ok ? 0 : 1;
    }
    globfree(&files);
    assert_int_equal(wrong, 0);
    assert_true(undefined <= 2);
}

/* ---- optimality ---- */

typedef struct conditions {
    double stationary, feasible, complementary, sign;
} conditions;

static void bound_conditions(const dd_nlp *nlp, const dd_nlp_result *r, conditions *c)
{
    for (uint32_t i = 0; i < nlp->n; i++) {
        double low = r->x[i] - nlp->x_lower[i], high = nlp->x_upper[i] - r->x[i];
        c->feasible = fmax(c->feasible, fmax(-low, -high));
        c->sign = fmax(c->sign, fmax(-r->z_lower[i], -r->z_upper[i]));
        if (nlp->x_lower[i] < nlp->x_upper[i]) {
            c->complementary = fmax(c->complementary, r->z_lower[i] * fmin(low, 1));
            c->complementary = fmax(c->complementary, r->z_upper[i] * fmin(high, 1));
        }
    }
}

/* size: of the terms of a row. */
static void row_conditions(const dd_nlp *nlp, const dd_nlp_result *r, const double *row, const double *size,
                           conditions *c)
{
    for (uint32_t i = 0; i < nlp->m; i++) {
        double low = row[i] - nlp->c_lower[i], high = nlp->c_upper[i] - row[i], y = r->lambda[i];
        c->feasible = fmax(c->feasible, fmax(-low, -high) / size[i]);
        if (nlp->c_lower[i] < nlp->c_upper[i]) { /* y > 0 pushes against the upper bound */
            c->complementary = fmax(c->complementary, fabs(y) * fmin(y > 0 ? high : low, 1));
        }
    }
}

/* Residuals of sums, relative to the largest of 1 and the sum of the sizes of their terms. */
static conditions check_conditions(const dd_nlp *nlp, const dd_nlp_result *r)
{
    conditions c = {0};
    double *g = numbers(nlp->n), *row = numbers(nlp->m), *jacobian = numbers(nlp->jacobian_nnz);
    double *column_size = numbers(nlp->n), *row_size = numbers(nlp->m);
    assert_true(nlp->gradient(nlp->user, r->x, true, g));
    assert_true(nlp->constraints(nlp->user, r->x, false, row));
    assert_true(nlp->jacobian(nlp->user, r->x, false, jacobian));
    for (uint32_t i = 0; i < nlp->n; i++) {
        column_size[i] = fabs(g[i]);
    }
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        uint32_t i = nlp->jacobian_row[e], j = nlp->jacobian_col[e];
        g[j] += r->lambda[i] * jacobian[e];
        column_size[j] += fabs(r->lambda[i] * jacobian[e]);
        row_size[i] += fabs(jacobian[e] * r->x[j]);
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        row_size[i] = fmax(1, row_size[i]);
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        double rest = g[i] - r->z_lower[i] + r->z_upper[i];
        bool decided = nlp->x_lower[i] < nlp->x_upper[i];
        c.stationary = fmax(c.stationary, decided ? fabs(rest) / fmax(1, column_size[i]) : 0);
    }
    bound_conditions(nlp, r, &c);
    row_conditions(nlp, r, row, row_size, &c);
    c.complementary /= fmax(1, fabs(r->objective)); /* by so much the cost may still change */
    double *all[] = {g, row, jacobian, column_size, row_size};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
    return c;
}

static void test_optimality(void **state)
{
    (void)state;
    glob_t files = problem_files();
    char line[1000];
    int wrong = 0, optimal = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (!read_run(files.gl_pathv[i], line, sizeof line)) {
            continue;
        }
        dd_ocp_options o = read_options(line);
        o.intervals = o.intervals < 50 ? o.intervals : 50;
        subject s = prepare(files.gl_pathv[i], &o);
        if (s.k.info.status == DD_OCP_OPTIMAL) {
            conditions c = check_conditions(s.nlp, &s.k.ocp->result);
            bool ok = c.stationary < 1e-6 && c.feasible < 1e-6 && c.complementary < 1e-6 && c.sign < 1e-12;
            printf("%s %-60s stationary %.1e feasible %.1e complementary %.1e\n",
                   ok ? "      " : "WRONG:", strstr(files.gl_pathv[i], "ocp/"), c.stationary, c.feasible,
                   c.complementary);
            wrong += ok ? 0 : 1;
            optimal++;
        } else {
            printf("       %-60s %s %s\n", strstr(files.gl_pathv[i], "ocp/"), dd_ocp_status_name(s.k.info.status),
                   s.k.info.reason);
        }
        kit_free(&s.k);
    }
    printf("%d of %zu files optimal\n", optimal, files.gl_pathc);
    globfree(&files);
    assert_int_equal(wrong, 0);
    assert_true(optimal > 40 || getenv("OCP_ONLY") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_optimality)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
