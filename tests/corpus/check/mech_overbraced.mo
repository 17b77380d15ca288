// Twelve rods between five points and two anchors, three points braced by one rod too many: it carries any force.
model OverbracedTruss
 parameter Real ms[5]={0.1,50,2,2,50};
 Real p[15](start={-1.47,0.85,-0.79,1.75,-1.23,1.05,-1.34,1.86,1.49,-1.57,0.6,-1.13,0.05,1.4,-1.38}), v[15]=der(p), lam[12];
equation
 lagrange(q=p, T=0.5*sum(ms[i]*(v[3*i-2:3*i]*v[3*i-2:3*i]) for i in 1:5), V=9.81*sum(ms[i]*p[3*i] for i in 1:5),
  c={(p[10] - (-0.0))^2 + (p[11] - (-1.35))^2 + (p[12] - (-1.48))^2 - 6.389900000000001, (p[13] - p[10])^2 + (p[14] - p[11])^2 + (p[15] - p[12])^2 - 3.3269, (p[1] - (-1.13))^2 + (p[2] - (-1.71))^2 + (p[3] - (-1.75))^2 - 7.5908, (p[13] - (-0.0))^2 + (p[14] - (-1.35))^2 + (p[15] - (-1.48))^2 - 7.575, (p[10] - p[1])^2 + (p[11] - p[2])^2 + (p[12] - p[3])^2 - 0.18809999999999993, (p[4] - (-0.0))^2 + (p[5] - (-1.35))^2 + (p[6] - (-1.48))^2 - 9.477800000000002, (p[7] - (-0.0))^2 + (p[8] - (-1.35))^2 + (p[9] - (-1.48))^2 - 20.9206, (p[10] - p[4])^2 + (p[11] - p[5])^2 + (p[12] - p[6])^2 - 19.1237, (p[4] - (-1.13))^2 + (p[5] - (-1.71))^2 + (p[6] - (-1.75))^2 - 16.3648, (p[10] - (-1.13))^2 + (p[11] - (-1.71))^2 + (p[12] - (-1.75))^2 - 5.9141, (p[4] - p[1])^2 + (p[5] - p[2])^2 + (p[6] - p[3])^2 - 18.080399999999997, (p[1] - (-0.0))^2 + (p[2] - (-1.35))^2 + (p[3] - (-1.48))^2 - 7.477}, lambda=lam);
end OverbracedTruss;
// long: ranks of a derivative array of several hundred rows
// expect: verdict=singular certificate=derivative_array
// expect-reason: not determined by any derivative
