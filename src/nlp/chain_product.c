/* chain_product.c - products of dense matrices of tens to hundreds of rows, in tiles of registers (chain_sparse.h).
 *
 * Our own for all sizes, as in la/ldl_kernel.c: the numbers are the same whichever BLAS is installed. */
#include "nlp/chain_sparse.h"
#include "nlp/chain_vector.h"

enum { SLICE = 256 }; /* inner indices at a time: a strip of b stays in the first two caches */

typedef double unaligned8 __attribute__((vector_size(64), aligned(8), may_alias));

/* R rows and 8 C columns of c. */
INLINE void tile(int R, int C, const chain_product_of *p, uint32_t from, uint32_t to, uint32_t row, uint32_t col)
{
    v8 sum[8][3];
    const bool add = p->add || from > 0;
    double *c = p->c + row * p->ldc + col;
    /* all sums of the tile stay in registers */
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            sum[i][j] = (v8){0};
        }
    }
    /* c_ij += a_ki b_kj: a line of b is loaded once for all rows of the tile */
    const double *a = p->a + from * p->lda + row, *b = p->b + from * p->ldb + col;
    for (uint32_t k = from; k < to; k++, a += p->lda, b += p->ldb) {
        v8 line[3];
        UNROLL for (int j = 0; j < C; j++)
        {
            line[j] = *(const unaligned8 *)(b + 8 * j);
        }
        UNROLL for (int i = 0; i < R; i++)
        {
            UNROLL for (int j = 0; j < C; j++)
            {
                sum[i][j] += a[i] * line[j];
            }
        }
    }
    /* in place of c, or on top of it and of the slices before */
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            unaligned8 *to8 = (unaligned8 *)(c + i * p->ldc + 8 * j);
            if (add) {
                sum[i][j] += *to8;
            }
            *to8 = sum[i][j];
        }
    }
}

/* 8 C columns from `col`; T: rows of the largest tile. */
INLINE void strip(int T, int C, const chain_product_of *p, uint32_t from, uint32_t to, uint32_t col)
{
    /* rows above the diagonal are left out */
    uint32_t row = p->lower ? col / 8 * 8 : 0;
    for (; row + (uint32_t)T <= p->rows; row += (uint32_t)T) {
        tile(T, C, p, from, to, row, col);
    }
    for (; T > 2 && row + 2 <= p->rows; row += 2) {
        tile(2, C, p, from, to, row, col);
    }
    for (; row < p->rows; row++) {
        tile(1, C, p, from, to, row, col);
    }
}

/* W: columns of the largest tile, in eights. */
INLINE void product(int T, int W, const chain_product_of *p)
{
    uint32_t from = 0;
    /* slice by slice of the inner index, in strips as wide as there are columns left */
    do {
        const uint32_t to = p->inner - from < SLICE ? p->inner : from + SLICE;
        uint32_t col = 0;
        for (; W >= 3 && col + 24 <= p->cols; col += 24) {
            strip(T, 3, p, from, to, col);
        }
        for (; W >= 2 && col + 16 <= p->cols; col += 16) {
            strip(T, 2, p, from, to, col);
        }
        for (; col < p->cols; col += 8) {
            strip(T, 1, p, from, to, col);
        }
        from = to;
    } while (from < p->inner);
}

void dd_chain_product_plain(const chain_product_of *p)
{
    product(2, 1, p);
}
#ifdef CHAIN_TARGETS
CHAIN_AVX2 void dd_chain_product_avx2(const chain_product_of *p)
{
    product(4, 1, p);
}
CHAIN_AVX512 void dd_chain_product_avx512(const chain_product_of *p)
{
    product(8, 3, p);
}
#endif
