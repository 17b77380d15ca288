/* shooting_lu.c - linear equations of a level: small matrices by our own factors, large ones by LAPACK. */
#include <string.h>

#include "la/lapack.h"
#include "la/small.h"
#include "ocp/shooting_impl.h"

size_t dd_level_ld(uint32_t size)
{
    return size <= DD_SMALL_MOST ? dd_small_ld(size) : size;
}

double *dd_level_matrix(const dd_level *level, uint32_t k)
{
    double *matrix = level->lu + (size_t)k * level->size * dd_level_ld(level->size);
    memset(matrix, 0, level->size * dd_level_ld(level->size) * sizeof *matrix);
    return matrix;
}

bool dd_level_factor(const dd_level *level, uint32_t k)
{
    double *matrix = level->lu + (size_t)k * level->size * dd_level_ld(level->size);
    int *pivot = level->pivot + (size_t)k * level->size, n = (int)level->size, info;
    if (level->size <= DD_SMALL_MOST) {
        uint32_t failed;
        return dd_small_factor(level->size, matrix, pivot, &failed);
    }
    dgetrf_(&n, &n, matrix, &n, pivot, &info);
    return info == 0;
}

void dd_level_solve(const dd_level *level, uint32_t k, uint32_t columns, double *rhs)
{
    const double *matrix = level->lu + (size_t)k * level->size * dd_level_ld(level->size);
    const int *pivot = level->pivot + (size_t)k * level->size;
    int n = (int)level->size, count = (int)columns, info;
    if (level->size <= DD_SMALL_MOST) {
        for (uint32_t c = 0; c < columns; c++) {
            dd_small_solve(level->size, matrix, pivot, rhs + (size_t)c * level->size);
        }
        return;
    }
    dgetrs_("N", &n, &count, matrix, &n, pivot, rhs, &n, &info, 1);
}

/* U^T y = b, L^T x = y, then x in the order that the rows had. */
static void small_transposed(uint32_t n, const double *lu, const int *order, double *b)
{
    size_t ld = dd_small_ld(n);
    double x[DD_SMALL_MOST];
    /* columns of U are rows of its transpose */
    for (uint32_t j = 0; j < n; j++) {
        double sum = b[j];
        for (uint32_t i = 0; i < j; i++) {
            sum -= lu[j * ld + i] * x[i];
        }
        x[j] = sum * lu[j * ld + j]; /* pivots are stored inverted */
    }
    /* L has a unit diagonal */
    for (uint32_t j = n; j-- > 0;) {
        for (uint32_t i = j + 1; i < n; i++) {
            x[j] -= lu[j * ld + i] * x[i];
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        b[order[j]] = x[j];
    }
}

void dd_level_solve_transposed(const dd_level *level, uint32_t k, double *rhs)
{
    const double *matrix = level->lu + (size_t)k * level->size * dd_level_ld(level->size);
    const int *pivot = level->pivot + (size_t)k * level->size;
    int n = (int)level->size, one = 1, info;
    if (level->size <= DD_SMALL_MOST) {
        small_transposed(level->size, matrix, pivot, rhs);
    } else {
        dgetrs_("T", &n, &one, matrix, &n, pivot, rhs, &n, &info, 1);
    }
}
