connector Pin
  Real v;
  flow Real i;
end Pin;
record R
  Real a;
end R;
block B
  Real y = 1;
end B;
function f
  input Real u;
  output Real y;
algorithm
  y := u;
end f;
partial model Base
  Real x;
end Base;
encapsulated package E end E;
class C end C;
operator record Q end Q;
model M
  Real x = 1;
end M;
// expect-error: 1:1: `connector` is not supported yet
// expect-error: 5:1: `record` is not supported yet
// expect-error: 8:1: `block` is not supported yet
// expect-error: 11:1: `function` is not supported yet
// expect-error: 17:1: `partial` is not supported yet
// expect-error: 20:1: `encapsulated` is not supported yet
// expect-error: 21:1: `class` is not supported yet
// expect-error: 22:1: `operator` is not supported yet
