model OldStyle
  annotation (Icon(Rectangle(extent=[-100, 100; 100, -100], style(color=3))), Diagram);
  parameter Real a=2. "dot at the end" annotation (Dialog(enable = true));
  parameter Real b=1E-3, _c=1e+2;
  Real x(start=1.), y;
  annotation (Coordsys(extent=[-100, -100; 100, 100]));
public
  Real z;
protected
  Real w;
equation
  der(x) = -a*x;
  y = -x^2;
equation
  z = y + b;
initial equation
  x = 1.5;
equation
  w = _c*z;
  for i in 1:0 loop
    w = 1;
  end for;
end OldStyle;
