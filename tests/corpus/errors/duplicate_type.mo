type T = Real;
type T = Integer;
model M
  T x = 1;
end M;
// expect-error: 2:6: the type T is defined twice, the first time in line 1
