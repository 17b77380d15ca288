/* crank_rhs.h - f of the flexible slider crank in the number type T (double, or double complex for derivatives). Include
 * it once with T and CRANK_RHS (the function's name) defined. 0 = A(p) w - F(p, v) + G(p)' lambda, 0 = G(p) v - c. */
static void CRANK_RHS(const T *y, T *f)
{
    const T *q = y + 3, *v = y + 7, *vq = y + 10, *w = y + 14, *wq = y + 17, *lam = y + 21;
    const T c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), len = L2 + q[3];
    const T cos1 = cos(y[0]), sin1 = sin(y[0]), cos2 = cos(y[1]), sin2 = sin(y[1]);
    /* products with the sparse vectors c1 = (0, 0, C13, C14), c2 = (C21, 0, 0, 0) and so on */
    const T c1q = C13 * q[2] + C14 * q[3], c2q = C21 * q[0], c12q = C123 * q[2] + C124 * q[3];
    const T c1v = C13 * vq[2] + C14 * vq[3], c2v = C21 * vq[0], c12v = C123 * vq[2] + C124 * vq[3];
    const T c1w = C13 * wq[2] + C14 * wq[3], c2w = C21 * wq[0], c21w = C211 * wq[0] + C212 * wq[1];
    const T mq[4] = {FM / 2 * q[0], FM / 2 * q[1], FM * (8 * q[2] + q[3]), FM * (q[2] + 2 * q[3])};
    const T mw[4] = {FM / 2 * wq[0], FM / 2 * wq[1], FM * (8 * wq[2] + wq[3]), FM * (wq[2] + 2 * wq[3])};
    const T kq[4] = {K11 * q[0], K22 * q[1], FK / 3 * (16 * q[2] - 8 * q[3]), FK / 3 * (7 * q[3] - 8 * q[2])};
    /* B is antisymmetric: B v, and q' B = -(B q)' */
    const T bv[4] = {B13 * vq[2] + B14 * vq[3], B24 * vq[3], -B13 * vq[0], -B14 * vq[0] - B24 * vq[1]};
    const T bq[4] = {B13 * q[2] + B14 * q[3], B24 * q[3], -B13 * q[0], -B14 * q[0] - B24 * q[1]};
    const T a12 = L1 * L2 * M2 / 2 * c + RHO * L1 * (s * c2q + c * c1q);
    const T c1[4] = {0, 0, C13, C14}, c2[4] = {C21, 0, 0, 0}, c12[4] = {0, 0, C123, C124}, c21[4] = {C211, C212, 0, 0};
    T qmq = 0, vmq = 0, qbw = 0, vbv = 0;
    for (int i = 0; i < 4; i++) {
        qmq += q[i] * mq[i];
        vmq += vq[i] * mq[i];
        qbw -= bq[i] * wq[i];
        vbv += vq[i] * bv[i];
    }
    for (int i = 0; i < 14; i++) {
        f[i] = y[7 + i];
    }
    f[14] = (J1 + M2 * L1 * L1) * w[0] + a12 * w[1] + RHO * L1 * (c * c2w - s * c1w) +
            L1 * L2 * M2 / 2 * v[1] * v[1] * s - RHO * L1 * v[1] * v[1] * (c * c2q - s * c1q) +
            2 * RHO * L1 * v[1] * (c * c1v + s * c2v) + L1 * (cos1 * lam[0] + sin1 * lam[1]) + lam[2];
    f[15] = a12 * w[0] + (J2 + qmq + 2 * RHO * c12q) * w[1] + RHO * (c21w + qbw) - L1 * L2 * M2 / 2 * v[0] * v[0] * s -
            RHO * L1 * v[0] * v[0] * (s * c1q - c * c2q) + 2 * RHO * v[1] * c12v + 2 * v[1] * vmq + RHO * vbv +
            len * (cos2 * lam[0] + sin2 * lam[1]);
    f[16] = M3 * w[2] + lam[1];
    for (int i = 0; i < 4; i++) {
        f[17 + i] =
            RHO * L1 * (c * c2[i] - s * c1[i]) * w[0] + RHO * (c21[i] - bq[i]) * w[1] + mw[i] - v[1] * v[1] * mq[i] -
            RHO * (v[1] * v[1] * c12[i] + L1 * v[0] * v[0] * (c * c1[i] + s * c2[i]) + 2 * v[1] * bv[i]) + kq[i];
    }
    f[20] += sin2 * lam[0] - cos2 * lam[1];
    f[21] = L1 * cos1 * v[0] + len * cos2 * v[1] + sin2 * vq[3];
    f[22] = L1 * sin1 * v[0] + len * sin2 * v[1] + v[2] - cos2 * vq[3];
    f[23] = v[0] - SPEED;
}
