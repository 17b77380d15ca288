/* chain_tiles.h - the products of chain_lanes.c in tiles of registers, for vectors V of all lanes or of half of them.
 * Included once for each: E is an element of which V is the part at hand, TILES(name) the name of a function.
 * (private) */
#define subtract TILES(subtract)
#define load_tile TILES(load_tile)
#define store_tile TILES(store_tile)
#define forward_tile TILES(forward_tile)
#define update_tile TILES(update_tile)
#define backward_tile TILES(backward_tile)
#define reach_panel TILES(reach_panel)
#define back_panel TILES(back_panel)
#define reach TILES(reach)
#define back TILES(back)
#define cross TILES(cross)
#define products TILES(products)
#define square TILES(square)
#define outer_rows TILES(outer_rows)
#define square_panel TILES(square_panel)
#define condense_panel TILES(condense_panel)
#define condense TILES(condense)
#define eliminate_rows TILES(eliminate_rows)

/* acc -= rows of L times rows of U, over the pivots before `end`: R rows, C columns from `column`. */
INLINE void subtract(int R, int C, V acc[4][4], const E *value, const uint32_t *row, uint32_t first, uint32_t begin,
                     uint32_t end, uint32_t column)
{
    const E *l[4];
    UNROLL for (int i = 0; i < R; i++)
    {
        l[i] = value + row[first + i];
    }
    for (uint32_t k = begin; k < end; k++) {
        const E *u = value + row[k] + column;
        V uk[4];
        UNROLL for (int j = 0; j < C; j++)
        {
            uk[j] = u[j].v;
        }
        UNROLL for (int i = 0; i < R; i++)
        {
            const V lk = l[i][k].v;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= lk * uk[j];
            }
        }
    }
}

INLINE void load_tile(int R, int C, V acc[4][4], const E *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[i][j] = value[row[first + i] + column + j].v;
        }
    }
}

INLINE void store_tile(int R, int C, V acc[4][4], E *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            value[row[first + i] + column + j].v = acc[i][j];
        }
    }
}

/* Rows first .. first + R - 1, of which all pivots before are known: forward substitution, also among themselves. */
INLINE void forward_tile(int R, int C, E *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    V acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, 0, first, column);
    UNROLL for (int i = 1; i < R; i++)
    {
        UNROLL for (int k = 0; k < i; k++)
        {
            const V l = value[row[first + i] + first + k].v;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= l * acc[k][j];
            }
        }
    }
    store_tile(R, C, acc, value, row, first, column);
}

/* Rows below the pivots: only the update. */
INLINE void update_tile(int R, int C, E *value, const uint32_t *row, uint32_t first, uint32_t end, uint32_t column)
{
    V acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, 0, end, column);
    store_tile(R, C, acc, value, row, first, column);
}

/* Backward substitution of rows first .. first + R - 1; the diagonal of U is stored inverted. */
INLINE void backward_tile(int R, int C, E *value, const uint32_t *row, uint32_t first, uint32_t nd, uint32_t column)
{
    V acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, first + (uint32_t)R, nd, column);
    UNROLL for (int i = R - 1; i >= 0; i--)
    {
        UNROLL for (int k = i + 1; k < R; k++)
        {
            const V u = value[row[first + i] + first + k].v;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= u * acc[k][j];
            }
        }
        const V inverse = value[row[first + i] + first + i].v;
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[i][j] *= inverse;
        }
    }
    store_tile(R, C, acc, value, row, first, column);
}

/* Columns column .. column + C - 1: forward substitution of the rows with pivots, update of the others. */
INLINE void reach_panel(int R, int C, E *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t column)
{
    uint32_t i = 0;
    for (; R > 1 && i + (uint32_t)R <= pivots; i += (uint32_t)R) {
        forward_tile(R, C, value, row, i, column);
    }
    for (; i < pivots; i++) {
        forward_tile(1, C, value, row, i, column);
    }
    for (; R > 1 && i + (uint32_t)R <= nd; i += (uint32_t)R) {
        update_tile(R, C, value, row, i, pivots, column);
    }
    for (; i < nd; i++) {
        update_tile(1, C, value, row, i, pivots, column);
    }
}

INLINE void back_panel(int R, int C, E *value, const uint32_t *row, uint32_t nd, uint32_t column)
{
    uint32_t i = nd;
    for (; R > 1 && i >= (uint32_t)R; i -= (uint32_t)R) {
        backward_tile(R, C, value, row, i - (uint32_t)R, nd, column);
    }
    for (; i > 0; i--) {
        backward_tile(1, C, value, row, i - 1, nd, column);
    }
}

/* Columns begin .. end - 1 in panels; T: rows and columns of the largest tile. */
INLINE void reach(int T, E *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin, uint32_t end)
{
    uint32_t j = begin;
    for (; T >= 4 && j + 4 <= end; j += 4) {
        reach_panel(T, 4, value, row, pivots, nd, j);
    }
    for (; T >= 2 && j + 2 <= end; j += 2) {
        reach_panel(T, 2, value, row, pivots, nd, j);
    }
    for (; j < end; j++) {
        reach_panel(T, 1, value, row, pivots, nd, j);
    }
}

INLINE void back(int T, E *value, const uint32_t *row, uint32_t nd, uint32_t begin, uint32_t end)
{
    uint32_t j = begin;
    for (; T >= 4 && j + 4 <= end; j += 4) {
        back_panel(T, 4, value, row, nd, j);
    }
    for (; T >= 2 && j + 2 <= end; j += 2) {
        back_panel(T, 2, value, row, nd, j);
    }
    for (; j < end; j++) {
        back_panel(T, 1, value, row, nd, j);
    }
}

/* H_ee -= H_De^T S, for C columns of S. */
INLINE void cross(int C, const chain_batch *b, E *value, uint32_t column)
{
    const chain_shape *s = b->shape;
    for (uint32_t e = 0; e < s->ne; e++) {
        E *to = value + s->at_hee + e * s->ne + column;
        V acc[4];
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[j] = to[j].v;
        }
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            const V h = value[s->at_hu + k].v;
            const E *line = value + b->row[s->hu_row[k]] + s->nd + column;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[j] -= h * line[j].v;
            }
        }
        UNROLL for (int j = 0; j < C; j++)
        {
            to[j].v = acc[j];
        }
    }
}

/* U = H_DD S - H_De, for C columns. */
INLINE void products(int C, const chain_batch *b, E *value, uint32_t column)
{
    const chain_shape *s = b->shape;
    for (uint32_t i = 0; i < s->nd; i++) {
        E *u = value + s->at_u + i * s->ne + column;
        V acc[4] = {{0}};
        for (uint32_t e = s->hd_ptr[i]; e < s->hd_ptr[i + 1]; e++) {
            const V h = value[s->at_hd + s->hd_slot[e]].v;
            const E *line = value + b->row[s->hd_col[e]] + s->nd + column;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[j] += h * line[j].v;
            }
        }
        UNROLL for (int j = 0; j < C; j++)
        {
            u[j].v = acc[j];
        }
    }
    for (uint32_t k = s->hu_ptr[column]; k < s->hu_ptr[column + (uint32_t)C]; k++) {
        const uint32_t e = k < s->hu_ptr[column + 1]            ? 0
                           : C > 1 && k < s->hu_ptr[column + 2] ? 1
                           : C > 2 && k < s->hu_ptr[column + 3] ? 2
                                                                : 3;
        value[s->at_u + s->hu_row[k] * s->ne + column + e].v -= value[s->at_hu + k].v;
    }
}

/* H_ee += S^T U: R rows from `first`, C columns. */
INLINE void square(int R, int C, const chain_batch *b, E *value, uint32_t first, uint32_t column)
{
    const chain_shape *s = b->shape;
    V acc[4][4] = {{{0}}};
    for (uint32_t k = 0; k < s->nd; k++) {
        const E *line = value + b->row[k] + s->nd + first, *u = value + s->at_u + k * s->ne + column;
        UNROLL for (int i = 0; i < R; i++)
        {
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] += line[i].v * u[j].v;
            }
        }
    }
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            value[s->at_hee + (first + i) * s->ne + column + j].v += acc[i][j];
        }
    }
}

/* G_e -= G_D S. */
INLINE void outer_rows(const chain_batch *b, E *value)
{
    const chain_shape *s = b->shape;
    for (uint32_t g = 0; g < s->ng; g++) {
        E *to = value + s->at_ge + g * s->ne;
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            const V x = value[s->at_g + k].v;
            const E *line = value + b->row[s->g_col[k]] + s->nd;
            for (uint32_t e = 0; e < s->ne; e++) {
                to[e].v -= x * line[e].v;
            }
        }
    }
}

/* H_ee += S^T U: columns column .. column + C - 1. */
INLINE void square_panel(int R, int C, const chain_batch *b, E *value, uint32_t column)
{
    const uint32_t ne = b->shape->ne;
    uint32_t i = 0;
    for (; R > 1 && i + (uint32_t)R <= ne; i += (uint32_t)R) {
        square(R, C, b, value, i, column);
    }
    for (; i < ne; i++) {
        square(1, C, b, value, i, column);
    }
}

INLINE void condense_panel(int R, int C, const chain_batch *b, E *value, uint32_t column)
{
    products(C, b, value, column);
    square_panel(R, C, b, value, column);
}

INLINE void condense(int T, const chain_batch *b, E *value)
{
    const uint32_t ne = b->shape->ne;
    uint32_t j = 0;
    for (; T >= 4 && j + 4 <= ne; j += 4) {
        cross(4, b, value, j);
    }
    for (; T >= 2 && j + 2 <= ne; j += 2) {
        cross(2, b, value, j);
    }
    for (; j < ne; j++) {
        cross(1, b, value, j);
    }
    j = 0;
    for (; T >= 4 && j + 4 <= ne; j += 4) {
        condense_panel(T, 4, b, value, j);
    }
    for (; T >= 2 && j + 2 <= ne; j += 2) {
        condense_panel(T, 2, b, value, j);
    }
    for (; j < ne; j++) {
        condense_panel(T, 1, b, value, j);
    }
    outer_rows(b, value);
}

/* Rows below pivot j within the panel. */
INLINE void eliminate_rows(E *value, const uint32_t *row, uint32_t j, uint32_t end, uint32_t nd)
{
    const E *pivot = value + row[j];
    const V inverse = pivot[j].v;
    for (uint32_t i = j + 1; i < nd; i++) {
        E *line = value + row[i];
        const V l = line[j].v * inverse;
        line[j].v = l;
        for (uint32_t k = j + 1; k < end; k++) {
            line[k].v -= l * pivot[k].v;
        }
    }
}

#undef subtract
#undef load_tile
#undef store_tile
#undef forward_tile
#undef update_tile
#undef backward_tile
#undef reach_panel
#undef back_panel
#undef reach
#undef back
#undef cross
#undef products
#undef square
#undef outer_rows
#undef square_panel
#undef condense_panel
#undef condense
#undef eliminate_rows
