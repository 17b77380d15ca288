model Poly "Functions with algorithms, two outputs, loops, local arrays"
  function horner "value and slope of a polynomial, lowest power first"
    input Real c[:];
    input Real x;
    output Real value;
    output Real slope;
  protected
    Integer n = size(c, 1);
  algorithm
    value := c[n];
    slope := 0;
    for i in n - 1:-1:1 loop
      slope := slope*x + value;
      value := value*x + c[i];
    end for;
  end horner;
  function power "x to a natural number by squaring"
    input Real x;
    input Integer n;
    output Real y = 1;
  protected
    Integer k = n;
    Real f = x;
  algorithm
    while k > 0 loop
      if mod(k, 2) == 1 then
        y := y*f;
      end if;
      f := f*f;
      k := div(k, 2);
    end while;
  end power;
  parameter Real c[4] = {1, -0.5, 0.25, -0.125};
  Real x(start = 0, fixed = true), p, dp, fifth;
equation
  der(x) = p;
  (p, dp) = horner(c, x);
  fifth = power(x, 5);
  annotation(experiment(StopTime = 2));
end Poly;
