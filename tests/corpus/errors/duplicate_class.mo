model M
  Real x = 1;
end M;
model M
  Real y = 1;
end M;
// expect-error: 4:7: the class M is defined twice, the first time in line 1
