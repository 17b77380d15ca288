model M
  Real x = 1;
equation
  x = terminal();
  x = spatialDistribution(1, 2, 3, true);
  x = previous(x);
  x = hold(x);
  x = rooted(x);
  x = sample(0, 1);
  x = edge(x);
  x = change(x);
  Connections.potentialRoot(x);
  x = if Connections.isRoot(x) then 1 else 2;
  x = Connections.rooted(x);
end M;
// expect-error: 4:7: `terminal` is not supported yet
// expect-error: 5:7: `spatialDistribution` is not supported yet
// expect-error: 6:7: `previous` is not supported yet
// expect-error: 7:7: `hold` is not supported yet
// expect-error: 8:7: `rooted` is not supported yet
// expect-error: 9:7: `sample` is not supported yet
// expect-error: 10:7: `edge` is not supported yet
// expect-error: 11:7: `change` is not supported yet
// expect-error: 12:3: overconstrained connectors (`Connections.potentialRoot`) are not supported yet
// expect-error: 13:10: overconstrained connectors (`Connections.isRoot`) are not supported yet
// expect-error: 14:7: overconstrained connectors (`Connections.rooted`) are not supported yet
