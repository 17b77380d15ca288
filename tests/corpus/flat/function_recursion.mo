// Recursion on parameters, constants of packages in functions, inherited functions, functions in models.
package Math
  constant Integer base = 2;
  function power
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := if n == 0 then 1 else x*power(x, n - 1);
  end power;
  partial function Law
    input Real u;
    output Real y;
  end Law;
  function Quadratic
    extends Law;
    input Real c = base;
  algorithm
    y := c*u^2;
  end Quadratic;
  function Half = Quadratic(c = 0.5);
end Math;
model Top
  function local_one input Real u; output Real y; algorithm y := Math.power(u, Math.base + 1); end local_one;
  Real x = local_one(time), q = Math.Quadratic(time), h = Math.Half(time);
end Top;
//| model Top
//|   Real x = time^3;
//|   Real q = 2*time^2;
//|   Real h = 0.5*time^2;
//|   constant Integer 'Math.base' = 2;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=3 equations=3
