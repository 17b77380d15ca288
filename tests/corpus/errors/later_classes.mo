operator record Q end Q;
expandable connector X end X;
impure function f end f;
model extends C end C;
record R
  operator 'constructor' end 'constructor';
  operator function '+' end '+';
  Real a;
end R;
function g = der(f, x);
type E = enumeration(:);
partial Real z;
model M
  Real x = 1;
end M;
// expect-error: 1:1: `operator` is not supported yet
// expect-error: 2:1: `expandable` is not supported yet
// expect-error: 3:1: `impure` is not supported yet
// expect-error: 4:1: `model extends` is not supported yet
// expect-error: 6:3: `operator` is not supported yet
// expect-error: 7:3: `operator` is not supported yet
// expect-error: 10:14: a function defined as a partial derivative, = der(f, x), is not supported yet
// expect-error: 11:22: `enumeration(:)` is not supported yet: name the literals
// expect-error: 12:9: expected `model`, `block`, `package` or another kind of class, found `Real`
