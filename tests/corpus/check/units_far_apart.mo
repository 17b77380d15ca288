// Unknowns of sizes 1e8 and 1e-8, said by nominal values: a coefficient that is small beside others of its row counts.
// expect: verdict=ok index=3 structural_index=3 dof=2 initial.missing=0
model UnitsFarApart
  Real x(start = -9.94e7, nominal = 1e8), u(start = 4.3e7, nominal = 1e8);
  Real y(start = -0.05, fixed = true), v(start = 2.62e-9, fixed = true, nominal = 1e-8);
  Real z(start = 1.4e-8, nominal = 1e-8);
equation
  der(x)/1e8 = u/1e8;
  der(u)/1e8 + 0.35*(x/1e8) - 0.29*sin(x/1e8) + 1.97*(z/1e-8) = sin(time + 8);
  der(y) = v/1e-8;
  1e-8*(der(v)/1e-8 + 1.71*y - 0.34*sin(y) + 0.15*(z/1e-8)) = 1e-8*sin(time + 10);
  1.5*(x/1e8) + 0.2*sin(x/1e8) + 0.2*tanh(y) = sin(time + 11);
end UnitsFarApart;
