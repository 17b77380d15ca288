// A function whose derivative is given: differentiating the constraint uses it.
function curve
  input Real u;
  output Real y;
algorithm
  y := sin(u);
annotation(derivative = curve_der, Inline = false, smoothOrder = 1);
end curve;
function curve_der
  input Real u, du;
  output Real dy;
algorithm
  dy := cos(u)*du;
end curve_der;
model Top
  Real x, v = der(x);
equation
  curve(x) = 0.5*time;
end Top;
//| model Top
//|   Real x;
//|   Real v = der(x);
//| equation
//|   sin(x) - 0.5*time = 0;
//| end Top;
// expect: verdict=ok index=2 dof=0 unknowns=2 equations=2
