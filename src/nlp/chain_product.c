/* chain_product.c - products of dense matrices of tens to hundreds of rows, in tiles of registers (chain_sparse.h).
 *
 * Our own for all sizes, as in la/ldl_kernel.c: the numbers are the same whichever BLAS is installed. */
#include "nlp/chain_sparse.h"
#include "nlp/chain_vector.h"

enum { SLICE = 256 }; /* inner indices at a time: a strip of b stays in the first two caches */

typedef double v2 __attribute__((vector_size(16)));
typedef double v4 __attribute__((vector_size(32)));

#define V v2
#define L 2
#define TILES(name) name##_of_two
#include "nlp/chain_product_tiles.h"
#undef V
#undef L
#undef TILES

/* Tiles as large as the registers hold: 16 of them, and 32 of eight numbers. */
void dd_chain_product_plain(const chain_product_of *p)
{
    product_of_two(2, 1, p);
}

#ifdef CHAIN_TARGETS
#define V v4
#define L 4
#define TILES(name) name##_of_four
#include "nlp/chain_product_tiles.h"
#undef V
#undef L
#undef TILES
#define V v8
#define L 8
#define TILES(name) name##_of_eight
#include "nlp/chain_product_tiles.h"
#undef V
#undef L
#undef TILES

CHAIN_AVX2 void dd_chain_product_avx2(const chain_product_of *p)
{
    product_of_four(6, 1, p);
}
CHAIN_AVX512 void dd_chain_product_avx512(const chain_product_of *p)
{
    product_of_eight(8, 3, p);
}
#endif
