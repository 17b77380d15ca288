/* Random small programs, nonconvex and often infeasible: what our solver calls optimal satisfies the optimality
 * conditions, and it solves as many as IPOPT does, where that is installed. */
#include "unit/nlp/set/run.h"

enum { PROGRAMS = 3000, ROOM = 4000, MOST_VARIABLES = 6 };

static uint64_t seed = 1;

/* Uniform in [from, to). */
static double number(double from, double to)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

static bool chance(double part)
{
    return number(0, 1) < part;
}

static int variable(int n)
{
    return 1 + (int)number(0, n);
}

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + length, ROOM - length, format, args);
    va_end(args);
}

typedef struct texts {
    char objective[ROOM], rows[ROOM], bounds[ROOM], start[ROOM];
} texts;

/* Powers around some point, and now and then a product, an exponential, a sine. */
static void add_variable(texts *t, int i, int n)
{
    add(t->objective, "%s%.3f*(x%d - (%.3f))^%d", i > 1 ? " + " : "", number(0.2, 3.2), i, number(-2, 2),
        chance(0.7) ? 2 : 4);
    if (chance(0.5)) {
        add(t->objective, " + (%.3f)*x%d*x%d", number(-1, 1), i, variable(n));
    }
    if (chance(0.2)) {
        add(t->objective, " + exp((%.3f)*x%d)", number(-1, 1), i);
    }
    if (chance(0.15)) {
        add(t->objective, " + sin(%.3f*x%d)", number(0, 4), i);
    }
    if (chance(0.6)) {
        double lower = number(-2, 1);
        add(t->bounds, "%.3f <= x%d <= %.3f; ", lower, i, lower + number(0, 4));
    }
    add(t->start, "%s%.3f", i > 1 ? ", " : "", number(-3, 3));
}

static void add_row(texts *t, int n)
{
    static const char *const relations[] = {"=", "<=", "<=", ">=", ">="};
    int terms = 2 + (int)number(0, 2);
    for (int k = 0; k < terms; k++) {
        double kind = number(0, 1);
        add(t->rows, "%s", k > 0 ? " + " : "");
        if (kind < 0.4) {
            add(t->rows, "(%.3f)*x%d", number(-2, 2), variable(n));
        } else if (kind < 0.75) {
            add(t->rows, "(%.3f)*x%d*x%d", number(-2, 2), variable(n), variable(n));
        } else if (kind < 0.9) {
            add(t->rows, "%.3f*x%d^2", number(0, 4), variable(n));
        } else {
            add(t->rows, "sin(x%d)", variable(n));
        }
    }
    add(t->rows, " %s %.3f; ", relations[(int)number(0, 5)], number(-1.5, 1.5));
}

static formula *random_program(texts *t)
{
    int n = 2 + (int)number(0, MOST_VARIABLES - 1), m = (int)number(0, 1.2 * n);
    memset(t, 0, sizeof *t);
    for (int i = 1; i <= n; i++) {
        add_variable(t, i, n);
    }
    for (int k = 0; k < m; k++) {
        add_row(t, n);
    }
    return formula_new((uint32_t)n, t->objective, t->rows, t->bounds, t->start);
}

/* Solved, and rightly so? A wrong "optimal" of ours ends the test. */
static bool solves(formula *f, const char *solver, const texts *t, uint32_t *iterations)
{
    static const set_problem any = {.verdict = "optimal", .optimum = NAN};
    dd_context *ctx = new_context();
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = dd_nlp_solver_named(solver);
    options.max_iterations = 500;
    outcome *o = set_solve(ctx, f, &options);
    const char *wrong = set_judge(&any, o);
    if (strcmp(solver, "daedal") == 0 && o->result.status == DD_NLP_OPTIMAL && wrong[0] != '\0') {
        fail_msg("%s\nmin %s\n%s\n%s\nfrom %s", wrong, t->objective, t->rows, t->bounds, t->start);
    }
    *iterations = o->result.iterations;
    free(o);
    dd_context_free(ctx);
    return wrong[0] == '\0';
}

static void test_random(void **state)
{
    (void)state;
    static texts t;
    const dd_nlp_solver *ipopt = dd_nlp_solver_named("ipopt");
    bool second = ipopt != NULL && ipopt->available();
    uint32_t ours = 0, theirs = 0, both = 0, our_steps = 0, their_steps = 0;
    for (uint32_t k = 0; k < PROGRAMS; k++) {
        formula *f = random_program(&t);
        uint32_t mine = 0, other = 0;
        bool a = solves(f, "daedal", &t, &mine), b = second && solves(f, "ipopt", &t, &other);
        ours += a;
        theirs += b;
        if (a && b) {
            both++;
            our_steps += mine;
            their_steps += other;
        }
        formula_free(f);
    }
    printf("%u programs: daedal solves %u, ipopt %u; both solve %u in %u and %u iterations\n", (unsigned)PROGRAMS, ours,
           theirs, both, our_steps, their_steps);
    assert_true(ours > PROGRAMS * 2 / 3);
    assert_true(!second || 100 * ours > 99 * theirs);
    assert_true(!second || 100 * (uint64_t)our_steps < 105 * (uint64_t)their_steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
