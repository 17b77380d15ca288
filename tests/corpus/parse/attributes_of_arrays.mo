// a scalar attribute applies to every element, with or without `each`; attributes are expressions in parameters
model Attributes
  parameter Real a = 2, s[2] = {1, a}, big = 10*a;
  parameter Boolean fix = true;
  Real x[2](start = a, each fixed = fix, min = -big, max = {big, 2*big});
  Real y[2](each start = a^2, fixed = {true, not fix});
  Real A[2,2](start = [1, 2; 3, a], nominal = 5);
equation
  der(x) = -x;
  der(y) = s;
  A = identity(2);
end Attributes;
// expect-var: x[1] start=2 fixed=true min=-20 max=20
// expect-var: x[2] start=2 fixed=true min=-20 max=40
// expect-var: y[1] start=4 fixed=true
// expect-var: y[2] start=4 fixed=false
// expect-var: A[2,2] start=2 nominal=5
// expect-var: A[1,2] start=2 nominal=5
// expect-var: s[2] value=2
// expect-var: big value=20
