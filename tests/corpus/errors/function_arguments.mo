function f
  input Real x;
  input Real k = 2;
  output Real y;
algorithm
  y := k*x;
end f;
model Top
  Real a = f(), b = f(1, 2, 3), c = f(1, q = 2), d = f(x = 1, x = 2), e = f(1, x = 2), g = f(true), h = f("s"), i = f({1, 2});
  Real j = ff(1), k[3] = f({1, 2}), l = f(k = 3), m = f(1, 2, k = 3);
end Top;
// expect-error: 9:12: f: the input x is not given and has no default
// expect-error: 9:21: f has 2 inputs, but 3 arguments are given
// expect-error: 9:42: f has no input q
// expect-error: 9:63: f: the input x is given twice
// expect-error: 9:80: f: the input x is given twice
// expect-error: 9:92: f: x is Real, but the value given to it is Boolean
// expect-error: 9:107: a text cannot be used where a number or a Boolean is needed
// expect-error: 9:113: i is a scalar, but its value has size 2
// expect-error: 10:12: there is no function ff
// expect-error: 10:19: k has size 3, but its value has size 2
// expect-error: 10:41: f: the input x is not given and has no default
// expect-error: 10:63: f: the input k is given twice
