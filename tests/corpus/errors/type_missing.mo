model M
  parameter k = 2;
  input u;
  Real x = 1;
end M;
// expect-error: 2:13: the type of k is missing: write Real k
// expect-error: 3:9: the type of u is missing: write Real u
