model M
  Real x, y;
equation
  connect(x, y);
  when x > 1 then
    reinit(y, 2);
  elsewhen x < 0 then
    y = 1;
  end when;
  x = pre(y) + edge(y);
  y = if initial() then 1 else 2;
  terminate("enough");
  x = delay(y, 2);
  (x, y) = f(y);
algorithm
  x := 2;
  for i in 1:2 loop
    y := 3;
  end for;
initial algorithm
  x := 2;
equation
  x = sample(0, 1);
end M;
// expect-error: 4:3: `connect` is not supported yet
// expect-error: 5:3: `when` is not supported yet
// expect-error: 10:7: `pre` is not supported yet
// expect-error: 11:10: `initial()` is not supported yet
// expect-error: 12:3: `terminate` is not supported yet
// expect-error: 13:7: `delay` is not supported yet
// expect-error: 14:5: lists (a, b) of results are not supported yet
// expect-error: 15:1: `algorithm` is not supported yet
// expect-error: 20:9: `algorithm` is not supported yet
// expect-error: 23:7: `sample` is not supported yet
