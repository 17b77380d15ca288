/* sort.h - sorting without extra memory: quicksort with a bounded stack, heapsort when it degenerates. */
#ifndef DD_EXPR_SORT_H
#define DD_EXPR_SORT_H

#include <stdint.h>

void dd_sort_u32(uint32_t *a, uint32_t n);
void dd_sort_u64(uint64_t *a, uint32_t n);

#endif
