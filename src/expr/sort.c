/* sort.c - introsort for two widths of key. The larger part waits on the stack, so 32 entries are enough; a part that
 * was split too often is finished by heapsort, which bounds the time by O(n log n). */
#include "expr/sort.h"

#define DEFINE_SORT(T, NAME)                                                                                           \
    static void NAME##_insertion(T *a, uint32_t n)                                                                     \
    {                                                                                                                  \
        for (uint32_t i = 1; i < n; i++) {                                                                             \
            T x = a[i];                                                                                                \
            uint32_t j = i;                                                                                            \
            for (; j > 0 && a[j - 1] > x; j--) {                                                                       \
                a[j] = a[j - 1];                                                                                       \
            }                                                                                                          \
            a[j] = x;                                                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static void NAME##_sift(T *a, uint64_t i, uint64_t n)                                                              \
    {                                                                                                                  \
        T x = a[i];                                                                                                    \
        for (uint64_t child; (child = 2 * i + 1) < n; i = child) {                                                     \
            child += child + 1 < n && a[child + 1] > a[child];                                                         \
            if (a[child] <= x) {                                                                                       \
                break;                                                                                                 \
            }                                                                                                          \
            a[i] = a[child];                                                                                           \
        }                                                                                                              \
        a[i] = x;                                                                                                      \
    }                                                                                                                  \
    static void NAME##_heap(T *a, uint32_t n)                                                                          \
    {                                                                                                                  \
        for (uint32_t i = n / 2; i-- > 0;) {                                                                           \
            NAME##_sift(a, i, n);                                                                                      \
        }                                                                                                              \
        for (uint32_t m = n; m-- > 1;) {                                                                               \
            T x = a[0];                                                                                                \
            a[0] = a[m];                                                                                               \
            a[m] = x;                                                                                                  \
            NAME##_sift(a, 0, m);                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static T NAME##_middle(T x, T y, T z)                                                                              \
    {                                                                                                                  \
        return x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);                                      \
    }                                                                                                                  \
    /* splits so that a[0..result-1] <= a[result..n-1], both parts non-empty */                                        \
    static uint32_t NAME##_split(T *a, uint32_t n)                                                                     \
    {                                                                                                                  \
        T pivot = NAME##_middle(a[0], a[n / 2], a[n - 1]);                                                             \
        int64_t i = -1, j = n;                                                                                         \
        for (;;) {                                                                                                     \
            do {                                                                                                       \
                i++;                                                                                                   \
            } while (a[i] < pivot);                                                                                    \
            do {                                                                                                       \
                j--;                                                                                                   \
            } while (a[j] > pivot);                                                                                    \
            if (i >= j) {                                                                                              \
                return i > 0 ? (uint32_t)i : 1;                                                                        \
            }                                                                                                          \
            T x = a[i];                                                                                                \
            a[i] = a[j];                                                                                               \
            a[j] = x;                                                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    void NAME(T *a, uint32_t n)                                                                                        \
    {                                                                                                                  \
        struct {                                                                                                       \
            uint32_t begin, n, depth;                                                                                  \
        } stack[40];                                                                                                   \
        uint32_t top = 0, begin = 0, depth = 0;                                                                        \
        if (n < 2) {                                                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        for (;;) {                                                                                                     \
            while (n > 24 && depth < 64) {                                                                             \
                uint32_t m = NAME##_split(a + begin, n);                                                               \
                depth++;                                                                                               \
                stack[top].depth = depth;                                                                              \
                if (m < n - m) {                                                                                       \
                    stack[top].begin = begin + m;                                                                      \
                    stack[top++].n = n - m;                                                                            \
                    n = m;                                                                                             \
                } else {                                                                                               \
                    stack[top].begin = begin;                                                                          \
                    stack[top++].n = m;                                                                                \
                    begin += m;                                                                                        \
                    n -= m;                                                                                            \
                }                                                                                                      \
            }                                                                                                          \
            if (n > 24) {                                                                                              \
                NAME##_heap(a + begin, n);                                                                             \
            } else {                                                                                                   \
                NAME##_insertion(a + begin, n);                                                                        \
            }                                                                                                          \
            if (top == 0) {                                                                                            \
                return;                                                                                                \
            }                                                                                                          \
            top--;                                                                                                     \
            begin = stack[top].begin;                                                                                  \
            n = stack[top].n;                                                                                          \
            depth = stack[top].depth;                                                                                  \
        }                                                                                                              \
    }

DEFINE_SORT(uint32_t, dd_sort_u32)
DEFINE_SORT(uint64_t, dd_sort_u64)
