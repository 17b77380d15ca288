/* linearize_states.c - a minimal set of states by column-pivoted orthogonalisation of the constraints' gradients. */
#include <math.h>

#include "sim/linearize_impl.h"

/* a column within a factor of ten of the longest is good enough
 * to follow preferences; below 1e-10 nothing is independent */
static const double THRESHOLD = 0.1, DEPENDENT = 1e-10;

static double length_of(uint32_t n, const double *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* Takes the direction of column j out of column k; v has length `length`. */
static void remove_direction(uint32_t n, const double *v, double length, double *column)
{
    double dot = 0;
    for (uint32_t i = 0; i < n; i++) {
        dot += v[i] * column[i];
    }
    dot /= length * length;
    for (uint32_t i = 0; i < n; i++) {
        column[i] -= dot * v[i];
    }
}

/* The column to take next; DD_NO_INDEX when nothing independent is left. */
static uint32_t next_column(uint32_t ninv, uint32_t nx, const double *g, const uint32_t *preference)
{
    double most = 0;
    uint32_t found = DD_NO_INDEX;
    /* the longest remainder bounds what is acceptable; among those the least wanted state becomes dependent */
    for (uint32_t j = 0; j < nx; j++) {
        most = fmax(most, length_of(ninv, g + (size_t)j * ninv));
    }
    for (uint32_t j = 0; j < nx && most > DEPENDENT; j++) {
        double length = length_of(ninv, g + (size_t)j * ninv);
        if (length >= THRESHOLD * most && (found == DD_NO_INDEX || preference[j] > preference[found])) {
            found = j;
        }
    }
    return found;
}

bool dd_linsys_choose_states(uint32_t ninv, uint32_t nx, double *g, const uint32_t *preference, uint32_t *follows)
{
    for (uint32_t r = 0; r < ninv; r++) {
        uint32_t taken = next_column(ninv, nx, g, preference);
        if (taken == DD_NO_INDEX) {
            return false;
        }
        /* project the direction out of all other columns (modified Gram-Schmidt) */
        double *v = g + (size_t)taken * ninv, length = length_of(ninv, v);
        for (int pass = 0; pass < 2; pass++) { /* twice is enough */
            for (uint32_t k = 0; k < nx; k++) {
                if (k != taken) {
                    remove_direction(ninv, v, length, g + (size_t)k * ninv);
                }
            }
        }
        for (uint32_t i = 0; i < ninv; i++) {
            v[i] = 0; /* done with */
        }
        follows[r] = taken;
    }
    return true;
}
