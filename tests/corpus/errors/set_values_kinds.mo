model M
  parameter Real k = 1, a[2] = {1, 2};
  parameter Boolean b = true;
  parameter Integer n = 2;
  constant Real c = 3;
  final parameter Real f = 4;
  input Real u;
  Real x(start = 1), A[2,2];
equation
  der(x) = k*u; A = zeros(2, 2);
end M;
// set: a={1,2,3}
// set: a[1]={1}
// set: b=2
// set: k=true
// set: n=2.5
// set: k=time
// set: x=time
// set: A[1]=2
// expect-error: --set 1:3: only an input can be set to a function of time, and k is a parameter
// expect-error: --set 1:3: only an input can be set to a function of time, and x is a variable
// expect-error: --set 1:3: k is a number, not a Boolean
// expect-error: --set 1:3: a has size 2, but the value has size 3
// expect-error: --set 1:6: one element takes one number, not an array of size 1
// expect-error: --set 1:3: b is Boolean: set it to true or false
// expect-error: --set 1:1: n is an Integer, but its value is 2.5
// expect-error: --set 1:1: A has 2 dimensions, but 1 subscript is given
