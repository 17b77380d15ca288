package Deriv
  function f
    input Real x;
    output Real y;
  algorithm
    y := x^3;
    annotation(derivative = f_der, smoothOrder = 2);
  end f;
  function f_der
    input Real x, dx;
    output Real dy;
  algorithm
    dy := 3*x^2*dx;
  end f_der;
  model M
    Real x, y, z;
    Real q(start = 1, fixed = true);
  equation
    x = f(q);
    y = der(x);
    der(q) = -q;
    z = f(x = q) + Modelica.Math.exp(q);
  end M;
  type Mode = enumeration(off, low, high);
  model E
    parameter Mode modes[3] = {Mode.off, Mode.high, Mode.low};
    parameter Real p[Mode] = {1, 2, 3};
    Real x[3](each start = 1, each fixed = true);
    parameter Boolean strong = modes[2] > Mode.low;
    parameter Integer code = Integer(modes[2]);
  equation
    for i in 1:3 loop
      if modes[i] == Mode.off then
        der(x[i]) = 0;
      else
        der(x[i]) = -p[modes[i]]*x[i];
      end if;
    end for;
  end E;
end Deriv;
