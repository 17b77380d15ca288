"""Numbers to compare with: an integrator by extrapolation, events by bisection, roots."""


def gbs(f, y, t0, t1, n):
    """y' = f(t, y) from t0 to t1 in n steps of the modified midpoint rule, extrapolated from 2, 4, ..., 16 substeps."""
    h = (t1 - t0)/n
    for s in range(n):
        t, table = t0 + s*h, []
        for k in range(1, 9):
            m = 2*k
            d = h/m
            a, b = y, [p + d*q for p, q in zip(y, f(t, y))]
            for i in range(1, m):
                a, b = b, [p + 2*d*q for p, q in zip(a, f(t + i*d, b))]
            row = [[(p + q + d*r)/2 for p, q, r in zip(a, b, f(t + h, b))]]
            for j in range(1, k):
                w = (k/(k - j))**2 - 1
                row.append([p + (p - q)/w for p, q in zip(row[j - 1], table[-1][j - 1])])
            table.append(row)
        y = table[-1][-1]
    return y


def until(f, g, y, t0, t1, h):
    """Steps of h from t0 until g(t, y) changes its sign, located by bisection, or t1: returns t, y."""
    t, sign = t0, None
    while t < t1 - 1e-12*max(1, abs(t1)):
        d = min(h, t1 - t)
        z = gbs(f, y, t, t + d, 1)
        now = g(t + d, z) > 0
        if sign is None:
            sign = g(t + 1e-6*h, gbs(f, y, t, t + 1e-6*h, 1)) > 0
        if now != sign:
            lo, hi = 0.0, d
            for _ in range(60):
                mid = (lo + hi)/2
                if (g(t + mid, gbs(f, y, t, t + mid, 1)) > 0) == sign:
                    lo = mid
                else:
                    hi = mid
            return t + hi, gbs(f, y, t, t + hi, 1)
        t, y = t + d, z
    return t1, y


def root(f, lo, hi):
    for _ in range(200):
        mid = (lo + hi)/2
        if (f(mid) > 0) == (f(lo) > 0):
            lo = mid
        else:
            hi = mid
    return (lo + hi)/2
