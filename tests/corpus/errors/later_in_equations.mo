model M
  Real x, y;
equation
  when x > 1 then
    reinit(y, 2);
  elsewhen x < 0 then
    y = 1;
  end when;
  x = pre(y) + edge(y);
  y = if initial() then 1 else 2;
  terminate("enough");
  x = delay(y, 2);
  x = change(y);
  x = inStream(y);
  x = actualStream(y);
  reinit(x, 2);
  Connections.root(a.R);
  Connections.branch(a.R, b.R);
  x = cardinality(y) + String(3);
algorithm
  x := 2;
  for i in 1:2 loop
    y := 3;
  end for;
  when x > 1 then
    y := 2;
  end when;
initial algorithm
  x := 2;
equation
  x = sample(0, 1);
  if x > 1 then
    when y > 2 then
      x = 1;
    end when;
  end if;
end M;
// expect-error: 4:3: `when` is not supported yet
// expect-error: 9:7: `pre` is not supported yet
// expect-error: 10:10: `initial()` is not supported yet
// expect-error: 11:3: `terminate` is not supported yet
// expect-error: 12:7: `delay` is not supported yet
// expect-error: 13:7: `change` is not supported yet
// expect-error: 14:7: `inStream` is not supported yet
// expect-error: 15:7: `actualStream` is not supported yet
// expect-error: 16:3: `reinit` is not supported yet
// expect-error: 17:3: overconstrained connectors (`Connections.root`) are not supported yet
// expect-error: 18:3: overconstrained connectors (`Connections.branch`) are not supported yet
// expect-error: 19:7: `cardinality` is not supported yet
// expect-error: 20:1: `algorithm` is not supported yet in a model: only functions have algorithms
// expect-error: 28:9: `algorithm` is not supported yet in a model: only functions have algorithms
// expect-error: 31:7: `sample` is not supported yet
// expect-error: 33:5: `when` is not supported yet
