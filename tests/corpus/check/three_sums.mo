// Three rows, two of them the same combination of three derivatives, the third a scaled one.
model ThreeSums
  Real x(start = 1), y(start = 1), z(start = 1);
equation
  der(x) + 2*der(y) + 3*der(z) = x;
  2*der(x) + 4*der(y) + 6*der(z) = y*z + 1;
  -der(x) - 2*der(y) - 3*der(z) = time - z;
end ThreeSums;
// Two visible constraints: y z + 1 = 2 x and time - z + x = 0; with them 1 degree of freedom.
// expect: index=1 structural_index=0 dof=1 constraint_count=2 hidden_count=0 unknowns=3 kind=dae verdict=ok certificate=converted|derivative_array
// expect-equivalent: x + time - z = 0
