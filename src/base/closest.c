/* closest.c - "did you mean": the restricted Damerau-Levenshtein distance (insert, delete, replace, swap two
 * neighbours, each at cost 1), cut off as soon as it is too large. */
#include <string.h>

#include "base/text.h"

enum { LONGEST = 127 }; /* longer names are not compared */

static unsigned min2(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool equal_but_case(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* the distance, or limit + 1 when it is larger than limit; three rows of the usual table are kept */
static unsigned distance(const char *a, size_t n, const char *b, size_t m, unsigned limit)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    /* row 0: j insertions make the empty text b[0..j-1] */
    for (unsigned j = 0; j <= m; j++) {
        above[j] = j;
    }
    for (unsigned i = 1; i <= n; i++) {
        unsigned smallest = row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            /* replace or keep, delete, insert; then a swap of two neighbours, which needs the row before last */
            row[j] = min2(above[j - 1] + (a[i - 1] != b[j - 1]), min2(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = min2(row[j], before[j - 2] + 1);
            }
            smallest = min2(smallest, row[j]);
        }
        /* cut off: the row is beyond the limit everywhere */
        if (smallest > limit) {
            return limit + 1;
        }
        unsigned *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return min2(above[m], limit + 1);
}

const char *dd_closest_name(const char *name, const char *const *candidates, size_t count)
{
    const size_t n = strlen(name);
    if (n == 0 || n > LONGEST) {
        return NULL;
    }
    const char *best = NULL;
    unsigned limit = n < 6 ? 1 : (unsigned)(n / 3); /* a later candidate must be strictly closer */
    for (size_t i = 0; i < count && (!best || limit > 0); i++) {
        const char *candidate = candidates[i];
        const size_t m = strlen(candidate);
        const size_t gap = m > n ? m - n : n - m;
        /* each letter of difference in length costs one edit */
        if (m == 0 || m > LONGEST || gap > limit) {
            continue;
        }
        const unsigned d = equal_but_case(name, candidate) ? 0 : distance(name, n, candidate, m, limit);
        /* a name of one letter is at distance 1 of every other one, which says nothing */
        const bool shares = d < (m > n ? m : n);
        if (d <= limit && shares) {
            best = candidate;
            if (d == 0) {
                break;
            }
            /* from now on only a closer name is better */
            limit = d - 1;
        }
    }
    return best;
}
