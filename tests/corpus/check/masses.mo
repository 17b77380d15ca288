// Two masses with a spring between them: without the second mass its position is algebraic.
model Masses
  parameter Real m1 = 1, m2 = 1, k = 100, d = 0;
  Real x1(start = 0), x2(start = 1);
equation
  m1*der(der(x1)) = k*(x2 - x1) + d*(der(x2) - der(x1));
  m2*der(der(x2)) = -k*(x2 - x1) - d*(der(x2) - der(x1)) - k*x2;
end Masses;
// expect: index=0 dof=4 kind=ode verdict=ok unknowns=4
// run: --set m2=0 --set d=1
// The second row is d x2' + ... = 0: x2 a state without inertia; its velocity is then assigned.
// expect: verdict=ok dof=3
// run: --set m2=0
// expect: verdict=ok dof=2
