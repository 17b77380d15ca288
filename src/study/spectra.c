/* spectra.c - eigenvalues of differentiation matrices. Collocation writes the derivative at its nodes as D x with D the
 * inverse of A without the initial value; Runge-Kutta methods with a regular A likewise. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/lapack.h"
#include "methods/collocation.h"
#include "methods/tableau.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {{"method", NULL, 0}, {"re", NULL, 6}, {"im", NULL, 6}, {"modulus", NULL, 6}};
static const dd_grid_column summary_columns[] = {{"method", NULL, 0},
                                                 {"size", NULL, 4},
                                                 {"smallest", "smallest |lambda|", 5},
                                                 {"largest", "largest |lambda|", 5},
                                                 {"least", "smallest real part", 5},
                                                 {"note", NULL, 0}};
enum { N_COLUMNS = sizeof columns / sizeof *columns, N_SUMMARY = sizeof summary_columns / sizeof *summary_columns };

static void release(void *tableau)
{
    dd_tableau_free(tableau);
}

/* By nodes in 113 bits; NULL when a node is 0. */
static double *from_nodes(const dd_tableau *t, dd_pool *pool)
{
    const uint32_t s = t->stages;
    dd_quad *inverse = dd_pool_alloc_array(pool, (size_t)s * s, sizeof *inverse);
    double *d = dd_pool_alloc_array(pool, (size_t)s * s, sizeof *d);
    for (uint32_t i = 0; i < s; i++) {
        if (t->exact.c[i] == 0) {
            return NULL;
        }
    }
    dd_collocation_inverse(t->exact.c, s, inverse);
    for (size_t i = 0; i < (size_t)s * s; i++) {
        d[i] = (double)inverse[i];
    }
    return d;
}

/* The inverse of any A; NULL when it is singular. */
static double *from_table(const dd_tableau *t, dd_pool *pool)
{
    const int n = (int)t->stages;
    const size_t size = (size_t)n * (size_t)n;
    double *a = dd_pool_alloc_array(pool, size, sizeof *a), *d = dd_pool_alloc_array(pool, size, sizeof *d);
    int *pivot = dd_pool_alloc_array(pool, t->stages, sizeof *pivot), info;
    memcpy(a, t->A, size * sizeof *a);
    for (int i = 0; i < n; i++) {
        d[i * n + i] = 1;
    }
    dgetrf_(&n, &n, a, &n, pivot, &info);
    double smallest = INFINITY;
    for (int i = 0; i < n && info == 0; i++) {
        smallest = fmin(smallest, fabs(a[i * n + i]));
    }
    if (info != 0 || smallest < 1e-14) { /* entries of A are of size 1 */
        return NULL;
    }
    dgetrs_("N", &n, &n, a, &n, pivot, d, &n, &info, 1);
    return d;
}

static bool eigenvalues(double *d, int n, double *re, double *im, dd_pool *pool)
{
    const int one = 1, room = 16 * n;
    double *work = dd_pool_alloc_array(pool, (size_t)room, sizeof *work);
    int info = 0;
    dgeev_("N", "N", &n, d, &n, re, im, NULL, &one, NULL, &one, work, &room, &info, 1, 1);
    return info == 0;
}

static void add_rows(dd_study *study, const char *method, uint32_t n, const double *re, const double *im)
{
    double smallest = INFINITY, most = 0, least = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        const double modulus = hypot(re[i], im[i]);
        dd_grid_word(&study->points, method);
        dd_grid_number(&study->points, re[i]);
        dd_grid_number(&study->points, im[i]);
        dd_grid_number(&study->points, modulus);
        smallest = fmin(smallest, modulus);
        most = fmax(most, modulus);
        least = fmin(least, re[i]);
    }
    dd_grid_word(&study->summary, method);
    const double cells[] = {n, smallest, most, least};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        dd_grid_number(&study->summary, cells[i]);
    }
    dd_grid_word(&study->summary, "");
}

static void leave_out(dd_study *study, const char *method, const char *why)
{
    dd_grid_word(&study->summary, method);
    for (int i = 0; i < N_SUMMARY - 2; i++) {
        dd_grid_number(&study->summary, NAN);
    }
    dd_grid_word(&study->summary, why);
    study->info.failed++;
}

static void one_method(dd_study *study, const char *method)
{
    dd_pool *pool = dd_pool_child(study->pool);
    dd_tableau *t;
    const dd_status st = dd_tableau_new(&t, study->ctx, method);
    if (st != DD_OK) {
        dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
    }
    dd_pool_keep(pool, t, release);
    double *d = t->collocation ? from_nodes(t, pool) : from_table(t, pool);
    double *re = dd_pool_alloc_array(pool, t->stages, sizeof *re),
           *im = dd_pool_alloc_array(pool, t->stages, sizeof *im);
    study->info.runs++;
    /* the first stage of an explicit method, or a node at 0, makes A singular */
    if (!d) {
        leave_out(study, method, "A is singular: its first stage is the initial value");
    } else if (!eigenvalues(d, (int)t->stages, re, im, pool)) {
        leave_out(study, method, "the eigenvalues could not be computed");
    } else {
        add_rows(study, method, t->stages, re, im);
    }
    dd_pool_free(pool);
}

void dd_study_spectra(dd_study *study)
{
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    study->headline = "eigenvalues of the differentiation matrix: the inverse of A, on a step of length 1";
    study->planned = study->methods.len;
    for (uint32_t i = 0; i < study->methods.len; i++) {
        dd_study_begin_run(study, study->methods.data[i]);
        one_method(study, study->methods.data[i]);
    }
}

void dd_study_spectra_plots(dd_study *study)
{
    const dd_line_spec spec = {.x = 1,
                               .y = 2,
                               .name = 0,
                               .group = UINT32_MAX,
                               .x_name = "real part",
                               .caption = "eigenvalues: imaginary over real part",
                               .style = DD_LINE_POINTS};
    dd_study_add_lines(study, &spec);
}
