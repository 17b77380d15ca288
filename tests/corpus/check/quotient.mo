// A quotient rule in disguise: y^2 der(x/y) = y x' - x y'.
model Quotient
  Real x(start = 1), y(start = 2), z;
equation
  y^2*der(x/y) - y*der(x) + x*der(y) + z = x*y;
  der(x) = z;
  der(y) = -y;
end Quotient;
// expect: index=1 dof=2 constraint_count=1 hidden_count=0 unknowns=3 kind=dae verdict=ok
// expect-equivalent: z = x*y
