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
//| model Top
//|   parameter Real 'm.rho' = 500;
//|   parameter Real 'm.cp' = 4000;
//|   constant Real 'Materials.steel.rho' = 7850;
//|   parameter Real 'a.mat.rho' = 'Materials.steel.rho';
//|   constant Real 'Materials.steel.cp' = 460;
//|   parameter Real 'a.mat.cp' = 'Materials.steel.cp';
//|   parameter Real 'a.V' = 1;
//|   parameter Real 'a.C' = 'a.mat.rho'*'a.mat.cp'*'a.V';
//|   Real 'a.T'(start = 300, fixed = true);
//|   constant Real 'Materials.water.rho' = 1000;
//|   parameter Real 'b.mat.rho' = 'Materials.water.rho';
//|   constant Real 'Materials.water.cp' = 4000;
//|   parameter Real 'b.mat.cp' = 'Materials.water.cp';
//|   parameter Real 'b.V' = 1;
//|   parameter Real 'b.C' = 'b.mat.rho'*'b.mat.cp'*'b.V';
//|   Real 'b.T'(start = 300, fixed = true);
//|   parameter Real 'c.mat.rho' = 'm.rho';
//|   parameter Real 'c.mat.cp' = 'm.cp';
//|   parameter Real 'c.V' = 2;
//|   parameter Real 'c.C' = 'c.mat.rho'*'c.mat.cp'*'c.V';
//|   Real 'c.T'(start = 300, fixed = true);
//|   parameter Real 'd.mat.rho' = 2;
//|   parameter Real 'd.mat.cp' = 1;
//|   parameter Real 'd.V' = 1;
//|   parameter Real 'd.C' = 'd.mat.rho'*'d.mat.cp'*'d.V';
//|   Real 'd.T'(start = 300, fixed = true);
//| equation
//|   'a.C'*der('a.T') = 1;
//|   'b.C'*der('b.T') = 1;
//|   'c.C'*der('c.T') = 1;
//|   'd.C'*der('d.T') = 1;
//| end Top;
// expect: verdict=ok index=0 dof=4 unknowns=4 equations=4
