function f
  input Real x;
  output Real y;
algorithm
  y := sin(x);
annotation(derivative = df);
end f;
function df
  input Real x;
  output Real y;
algorithm
  y := cos(x);
end df;
function g
  input Real x;
  output Real y;
algorithm
  y := sin(x);
annotation(derivative = nothing);
end g;
model Top
  Real x, v = der(x), z, w = der(z);
equation
  f(x) = time/2;
  g(z) = time/2;
end Top;
// expect-error: 6:12: df is not a derivative of f: it needs 2 inputs and 1 output (the inputs, then their derivatives), but has 1 and 1
// expect-note: 24:3: in this call of f
// expect-error: 19:12: the derivative of g must be a function
