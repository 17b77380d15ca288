model A
  Real x = 1;
end A;
model B = A(x(start = 1));
model extends C end C;
// expect-error: 4:7: a model defined as `B = ...` is not supported yet
// expect-error: 5:7: `model extends` is not supported yet
