function g
  input Real x;
  output Real y;
algorithm
  y := der(x) + time;
end g;
model Top
 Real b = g(1);
end Top;
// expect-error: 5:8: der(..) cannot be used in the function g: give the derivative as an input
// expect-error: 5:17: time cannot be used in the function g: give it as an input
// expect-note: 8:11: in this call of g
