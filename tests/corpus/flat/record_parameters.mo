// A record of material data given as a whole, changed in part, and handed down.
record Material
  parameter Real rho = 1000, cp = 4000;
end Material;
package Materials
  constant Material steel = Material(rho = 7850, cp = 460);
  constant Material water;
end Materials;
model Body
  parameter Material mat = Materials.steel;
  parameter Real V = 1;
  final parameter Real C = mat.rho*mat.cp*V;
  Real T(start = 300, fixed = true);
equation
  C*der(T) = 1;
end Body;
model Top
  parameter Material m(rho = 500);
  Body a, b(mat = Materials.water), c(mat = m, V = 2), d(mat(cp = 1, rho = 2));
end Top;
