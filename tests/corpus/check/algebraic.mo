// No derivative at all.
model Algebraic
  Real x, y;
equation
  x + y = time;
  x - y^3 = 1;
end Algebraic;
// expect: index=1 dof=0 constraint_count=2 hidden_count=0 unknowns=2 kind=algebraic verdict=ok
