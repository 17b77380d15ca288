/* Air pollution: 20 species, 25 mass-action reactions. */
#include "../problem.h"

enum { SPECIES = 20, REACTIONS = 25 };

static void rhs(double t, int phase, const double *y, double *f)
{
    (void)t, (void)phase;
    const double r1 = 0.35 * y[0], r2 = 26.6 * y[1] * y[3], r3 = 12300 * y[4] * y[1], r4 = 0.00086 * y[6];
    const double r5 = 0.00082 * y[6], r6 = 15000 * y[6] * y[5], r7 = 0.00013 * y[8], r8 = 24000 * y[8] * y[5];
    const double r9 = 16500 * y[10] * y[1], r10 = 9000 * y[10] * y[0], r11 = 0.022 * y[12], r12 = 12000 * y[9] * y[1];
    const double r13 = 1.88 * y[13], r14 = 16300 * y[0] * y[5], r15 = 4.8e6 * y[2], r16 = 0.00035 * y[3];
    const double r17 = 0.0175 * y[3], r18 = 1e8 * y[15], r19 = 4.44e11 * y[15], r20 = 1240 * y[16] * y[5];
    const double r21 = 2.1 * y[18], r22 = 5.78 * y[18], r23 = 0.0474 * y[0] * y[3], r24 = 1780 * y[18] * y[0];
    const double r25 = 3.12 * y[19];
    f[0] = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25;
    f[1] = -r2 - r3 - r9 - r12 + r1 + r21;
    f[2] = -r15 + r1 + r17 + r19 + r22;
    f[3] = -r2 - r16 - r17 - r23 + r15;
    f[4] = -r3 + 2 * r4 + r6 + r7 + r13 + r20;
    f[5] = -r6 - r8 - r14 - r20 + r3 + 2 * r18;
    f[6] = -r4 - r5 - r6 + r13;
    f[7] = r4 + r5 + r6 + r7;
    f[8] = -r7 - r8;
    f[9] = -r12 + r7 + r9;
    f[10] = -r9 - r10 + r8 + r11;
    f[11] = r9;
    f[12] = -r11 + r10;
    f[13] = -r13 + r12;
    f[14] = r14;
    f[15] = -r18 - r19 + r16;
    f[16] = -r20;
    f[17] = r20;
    f[18] = -r21 - r22 - r24 + r23 + r25;
    f[19] = -r25 + r24;
}

/* The same reactions the other way round: rate = k y_a y_b (b < 0: k y_a), and what they add to which species. */
typedef struct reaction {
    double k;
    signed char a, b, count, species[5], amount[5];
} reaction;

static const reaction reactions[REACTIONS] = {
    {0.35, 0, -1, 3, {0, 1, 2}, {-1, 1, 1}},
    {26.6, 1, 3, 3, {0, 1, 3}, {1, -1, -1}},
    {12300, 4, 1, 4, {0, 1, 4, 5}, {1, -1, -1, 1}},
    {0.00086, 6, -1, 3, {4, 6, 7}, {2, -1, 1}},
    {0.00082, 6, -1, 2, {6, 7}, {-1, 1}},
    {15000, 6, 5, 4, {4, 5, 6, 7}, {1, -1, -1, 1}},
    {0.00013, 8, -1, 4, {4, 7, 8, 9}, {1, 1, -1, 1}},
    {24000, 8, 5, 3, {5, 8, 10}, {-1, -1, 1}},
    {16500, 10, 1, 5, {0, 1, 9, 10, 11}, {1, -1, 1, -1, 1}},
    {9000, 10, 0, 3, {0, 10, 12}, {-1, -1, 1}},
    {0.022, 12, -1, 3, {0, 10, 12}, {1, 1, -1}},
    {12000, 9, 1, 4, {0, 1, 9, 13}, {1, -1, -1, 1}},
    {1.88, 13, -1, 3, {4, 6, 13}, {1, 1, -1}},
    {16300, 0, 5, 3, {0, 5, 14}, {-1, -1, 1}},
    {4.8e6, 2, -1, 2, {2, 3}, {-1, 1}},
    {0.00035, 3, -1, 2, {3, 15}, {-1, 1}},
    {0.0175, 3, -1, 2, {2, 3}, {1, -1}},
    {1e8, 15, -1, 2, {5, 15}, {2, -1}},
    {4.44e11, 15, -1, 2, {2, 15}, {1, -1}},
    {1240, 16, 5, 4, {4, 5, 16, 17}, {1, -1, -1, 1}},
    {2.1, 18, -1, 2, {1, 18}, {1, -1}},
    {5.78, 18, -1, 3, {0, 2, 18}, {1, 1, -1}},
    {0.0474, 0, 3, 3, {0, 3, 18}, {-1, -1, 1}},
    {1780, 18, 0, 3, {0, 18, 19}, {-1, -1, 1}},
    {3.12, 19, -1, 3, {0, 18, 19}, {1, 1, -1}},
};

static void jacobian(double t, int phase, const double *y, ivp_matrix *j)
{
    (void)t, (void)phase;
    for (const reaction *r = reactions; r < reactions + REACTIONS; r++) {
        const double da = r->b < 0 ? r->k : r->k * y[(int)r->b], db = r->k * y[(int)r->a];
        for (int i = 0; i < r->count; i++) {
            ivp_add(j, r->species[i], r->a, r->amount[i] * da);
            if (r->b >= 0) {
                ivp_add(j, r->species[i], r->b, r->amount[i] * db);
            }
        }
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < SPECIES; i++) {
        y[i] = 0;
    }
    y[1] = 0.2;
    y[3] = 0.04;
    y[6] = 0.1;
    y[7] = 0.3;
    y[8] = 0.01;
    y[16] = 0.007;
    rhs(0, 0, y, yp);
}

extern const ivp_problem ivp_pollu;
const ivp_problem ivp_pollu = {.name = "pollu",
                               .n = SPECIES,
                               .differential = SPECIES,
                               .stop = 60,
                               .start = start,
                               .rhs = rhs,
                               .jacobian = jacobian};
