// A graph of masses given by arrays of end points; the first mass is held (both its equations are algebraic).
model Graph
  parameter Integer from[3] = {1, 2, 3}, to[3] = {2, 3, 4};
  parameter Real k = 10;
  Real x[4](start = {0, 1, 2, 3}), v[4](each start = 0), f[3];
equation
  for j in 1:3 loop
    f[j] = k*(x[to[j]] - x[from[j]] - 1);
  end for;
  der(x) = v;
  x[1] = 0;
  for i in 2:4 loop
    der(v[i]) = sum({(if from[j] == i then f[j] elseif to[j] == i then -f[j] else 0) for j in 1:3});
  end for;
end Graph;
// x[1] = 0 makes v[1] = 0 hidden: index 2
// expect: index=2 dof=6 constraint_count=4 hidden_count=1 unknowns=11 verdict=ok certificate=structural
