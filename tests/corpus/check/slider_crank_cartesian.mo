// Slider-crank in Cartesian coordinates: crank pin, slider on a rail, two rods.
model SliderCrankCartesian
  parameter Real m1 = 1, m2 = 2, r = 1, l = 2.5, g = 9.81;
  Real p[2](start = {0.6, 0.8}), s[2](start = {2.9, 0}), vp[2] = der(p), vs[2] = der(s), lam[3];
equation
  lagrange(q = cat(1, p, s), T = 0.5*m1*(vp*vp) + 0.5*m2*(vs*vs), V = m1*g*p[2] + m2*g*s[2],
           c = {p*p - r^2, (s - p)*(s - p) - l^2, s[2]}, lambda = lam);
end SliderCrankCartesian;
// expect: index=3 dof=2 constraint_count=3 hidden_count=6 unknowns=11 equations=11 kind=dae verdict=ok certificate=structural
