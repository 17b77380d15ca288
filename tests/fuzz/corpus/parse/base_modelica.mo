//! base 0.1.0
package 'M'
  constant Real 'g' = 9.81;
  model 'M'
    parameter Real 'a.b' = 1;
    Real 'x.y'(start = 1, fixed = true);
    Real 'z[1]', 'q';
    parameter equation guess('q') = 2.5;
  initial equation
    'q' = 1;
  equation
    der('x.y') = -'a.b'*'x.y';
    'z[1]' = 'g';
    'q' = 'x.y';
  end 'M';
end 'M';
