// Overhead crane whose load follows a prescribed path: trolley force F and hoist force W follow. Index 5
// (Blajer and Kolodziejczyk): the rope's direction needs two derivatives of the path, the forces two more, their rates one.
model OverheadCrane
  parameter Real mt = 10, mw = 5, m = 2, g = 9.81;
  Real s(start = 0), l(start = 4), x(start = 0), z(start = 4), vs, vl, vx, vz, lam(start = 5), F, W;
equation
  der(s) = vs;
  der(l) = vl;
  der(x) = vx;
  der(z) = vz;
  mt*der(vs) = F + lam*(x - s);
  mw*der(vl) = W + lam*l;
  m*der(vx) = -lam*(x - s);
  m*der(vz) = m*g - lam*z;
  (x - s)^2 + z^2 = l^2;
  x = 0.2*sin(time);
  z = 4 - 0.1*sin(2*time);
end OverheadCrane;
// expect: index=5 structural_index=5 dof=0 constraint_count=3 hidden_count=8 unknowns=11 equations=11 kind=dae verdict=ok certificate=structural
