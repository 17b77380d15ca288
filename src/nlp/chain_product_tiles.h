/* chain_product_tiles.h - the tiles of chain_product.c for registers V of L numbers. Included once for each: TILES(name) is the
 * name of a function. A vector that is wider than the registers would be kept in memory. (private) */
#define tile TILES(tile)
#define strip TILES(strip)
#define product TILES(product)
#define unaligned TILES(unaligned)

typedef V unaligned __attribute__((aligned(8), may_alias));

/* R rows and L C columns of c. */
INLINE void tile(int R, int C, const chain_product_of *p, uint32_t from, uint32_t to, uint32_t row, uint32_t col)
{
    V sum[8][4];
    const bool add = p->add || from > 0;
    double *c = p->c + row * p->ldc + col;
    /* all sums of the tile stay in registers */
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            sum[i][j] = (V){0};
        }
    }
    /* c_ij += a_ki b_kj: a line of b is loaded once for all rows of the tile */
    const double *a = p->a + from * p->lda + row, *b = p->b + from * p->ldb + col;
    for (uint32_t k = from; k < to; k++, a += p->lda, b += p->ldb) {
        V line[4];
        UNROLL for (int j = 0; j < C; j++)
        {
            line[j] = *(const unaligned *)(b + L * j);
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
            unaligned *at = (unaligned *)(c + i * p->ldc + L * j);
            if (add) {
                sum[i][j] += *at;
            }
            *at = sum[i][j];
        }
    }
}

/* L C columns from `col`; T: rows of the largest tile. */
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

/* W: columns of the largest tile, in eights: 1 or 3. */
INLINE void product(int T, int W, const chain_product_of *p)
{
    uint32_t from = 0;
    /* slice by slice of the inner index, in strips as wide as there are columns left */
    do {
        const uint32_t to = p->inner - from < SLICE ? p->inner : from + SLICE;
        uint32_t col = 0;
        for (; W == 3 && col + 24 <= p->cols; col += 24) {
            strip(T, W * 8 / L, p, from, to, col);
        }
        for (; W == 3 && col + 16 <= p->cols; col += 16) {
            strip(T, (W - 1) * 8 / L, p, from, to, col);
        }
        for (; col < p->cols; col += 8) {
            strip(T, 8 / L, p, from, to, col);
        }
        from = to;
    } while (from < p->inner);
}

#undef tile
#undef strip
#undef product
#undef unaligned
