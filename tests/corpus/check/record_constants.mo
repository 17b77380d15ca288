// Constants that are records, by constructor and by modification, as values of parameters.
package RecordConstants
  record Material
    parameter Real rho;
    Real E = 1;
  end Material;
  constant Material steel = Material(rho = 4);
  constant Material alu(rho = 2, E = 3);
  model Bar
    parameter Material m = steel;
    Real x(start = 1, fixed = true);
  equation
    m.rho*der(x) = -m.E*x*(steel.rho - 4);
  end Bar;
  model Two
    Bar a, b(m = alu), c(m = Material(1, 2));
    Real y(start = a.m.rho + 10*b.m.rho + 100*c.m.rho + 1000*c.m.E, fixed = true);
  equation
    der(y) = 0;
  end Two;
end RecordConstants;
// run: RecordConstants.Two
// expect: dof=4 verdict=ok
