model M
  Real x;
equations
  der(x) = -x;
end M;
// expect-error: 3:1: there is no section `equations`: did you mean `equation`?
