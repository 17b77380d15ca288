model Derivatives
  Real a, b, c, d;
equation
  der(a + b) = 1;
  der(der(c)) = -c;
  der(a*b) = d;
  der(2*sin(a)) = 0;
initial equation
  der(c) = 0;
  a = 2;
  for i in 1:2 loop
    b = i;
  end for;
end Derivatives;
// expect-count: rows=4 initial=4
// expect-row: der(a) + der(b) = 1
// expect-row: der(der(c)) + c = 0
// expect-row: der(a)*b + a*der(b) = d
// expect-row: 2*cos(a)*der(a) = 0
// expect-initial: der(c) = 0
// expect-initial: a = 2
// expect-initial: b = 1
// expect-initial: b = 2
