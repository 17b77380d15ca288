// Pendulum whose pivot is moved by an input: the second derivative of the input is needed.
model MovingPivot
  parameter Real L = 1, g = 9.81;
  input Real h;
  Real x(start = 0.6), y(start = -0.8), u, v, lam;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -2*lam*(x - h);
  der(v) = -2*lam*y - g;
  (x - h)^2 + y^2 = L^2;
end MovingPivot;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=ok
// expect-equivalent: (x - h)*(u - der(h)) + y*v = 0
// expect-warning: der(h)
// expect-warning: der(der(h))
// run: --set h=0.1*sin(5*time)
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 verdict=ok
// expect-no-warning: der(h)
