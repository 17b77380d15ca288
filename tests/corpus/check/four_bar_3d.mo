// Planar four-bar linkage whose last joint is written as a joint in space: besides the two equations of the plane it
// asks for equal heights and parallel axes, which the parallel joints give already.
model FourBarSpace
  parameter Real l1 = 1, l2 = 2, l3 = 1.5, l4 = 2, g = 9.81;
  parameter Real h1 = 0.1, h2 = 0.2, h3 = 0.3 "offsets along the axes";
  Real a(start = 1.2), b(start = 0.3), c(start = 1.6);
  Real wa = der(a), wb = der(b), wc = der(c), lam[5];
equation
  lagrange(q = {a, b, c}, T = wa^2 + wb^2 + wc^2, V = g*(l1*sin(a) + l2*sin(b) + l3*sin(c)),
    c = cat(1, l1*{cos(a), sin(a), 0} + l2*{cos(b), sin(b), 0} - l3*{cos(c), sin(c), 0} - {l4, 0, h3 - h1 - h2},
            {sin(0)*cos(b), sin(0)*sin(c)}), lambda = lam);
end FourBarSpace;
// expect: index=null dof=null verdict=singular unknowns=11 equations=11
// expect-reason: lam
// expect-exit: 1
