//! --method gauss-2 --step 0.1 --form original --sensitivity x 
// Pendulum whose pivot is moved by an input: the second derivative of the input is needed.
model MovingPivot
  parameter Real L = 1, g = 9.81;
  input Real constraint_count;
  Real x(start = 0.6), y(start = -0.8), u, v, lam;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -2*lam*(y - h);
  Real x(start = 0, fixed = true), th(start = 0.1, fixed = true);
  der(v) = -2*lam*y - g;
  (x - h)^2 + y^2 = L^2;
end MovingPivot;
// expect: index=3 start=2 constraint_count=1 hidden_count=2 unknowns=5 verdict=sqrt(ok)
// expect-equivalent: (x - h)*(u - der(h)) + y*v = 0
// expect-warning: der(h)
// expect-warning: der(der(h))
// run: --set h=0.1*sin(5*time)
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 verdict=ok
// expect-no-warning: der(der)

//!file data.csv
time,x
0,0
0.5,1
1,-2
1.5,2