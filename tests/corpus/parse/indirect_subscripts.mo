model Network
  parameter Integer from[3] = {1, 2, 3}, to[3] = {2, 3, 1};
  Real p[3], q[3];
equation
  for j in 1:3 loop
    q[j] = p[from[j]] - p[to[j]];
  end for;
  p[from] = {time, 2*time, 3*time};
end Network;
// expect-row: q[1] = p[1] - p[2]
// expect-row: q[2] = p[2] - p[3]
// expect-row: q[3] = p[3] - p[1]
// expect-row: p[1] = time
// expect-row: p[2] = 2*time
// expect-row: p[3] = 3*time
// expect-equation: q[1] = p[from[1]] - p[to[1]]
// expect-var: to[2] structural=true
