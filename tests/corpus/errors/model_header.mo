model M(objective = 1)
  Real x = 1;
end M;
// expect-error: 1:8: a model has no attributes in its header; only an `optimization` has
