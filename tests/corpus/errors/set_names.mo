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
// set: kk=1
// set: c=2
// set: f=2
// set: 3=4
// set: =3
// set: a[3]=1
// set: a[1,2]=1
// expect-error: --set 1:1: expected the name of a parameter, input or variable, found `3`
// expect-error: --set 1:1: --set needs a name, as in --set k=3
// expect-error: --set 1:1: c is a constant and cannot be set
// expect-error: --set 1:1: f is final and cannot be set
// expect-error: --set 1:1: M has no parameter or variable kk: did you mean k?
// expect-error: --set 1:1: subscript 3 is out of range: a has size 2
// expect-error: --set 1:1: a has 1 dimension, but 2 subscripts are given
