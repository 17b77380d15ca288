model L
  Real x[3], y[2, 3], s = sum(x[i]^2 for i), t[3] = {2*x[k] for k};
equation
  for i loop
    x[i] = i;
  end for;
  for i, j loop
    y[i, j] = 10*i + x[j];
  end for;
end L;
// expect-model: L
// expect-count: vars=13 rows=13
// expect-row: s = x[1]^2 + x[2]^2 + x[3]^2
// expect-row: t[1] = 2*x[1]
// expect-row: t[2] = 2*x[2]
// expect-row: t[3] = 2*x[3]
// expect-row: x[1] = 1
// expect-row: x[2] = 2
// expect-row: x[3] = 3
// expect-row: y[1,1] = 10 + x[1]
