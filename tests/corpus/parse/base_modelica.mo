//! base 0.1.0
package 'M'
  constant Real 'g' = 9.81;
  type 'T' = Real(unit = "m");
  model 'M' "flat, names in quotes"
    parameter Real 'a.b' = 2;
    'T' 'x.y'(start = 1, fixed = true);
    Real 'z[1]', 'q';
    parameter equation guess('q') = 2.5;
  equation
    der('x.y') = -'a.b'*'x.y';
    'z[1]' = 'g';
    'q' = 'x.y';
  end 'M';
end 'M';
// expect-model: 'M'
// expect-var: 'a.b' value=2
// expect-var: 'x.y' start=1 fixed=true unit=m
// expect-var: 'q' start=2.5
