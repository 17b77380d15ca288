// Enumerations: parameters, comparison, branches, sizes and subscripts, loops over all values.
type Color = enumeration(red "hot", green, blue);
type Mode = enumeration(fast, slow);
model Part
  parameter Mode mode = Mode.fast;
  Real y;
equation
  if mode == Mode.fast then
    y = 10;
  else
    y = 1;
  end if;
end Part;
model Top
  parameter Color c = Color.green;
  parameter Real w[Color] = {1, 2, 3};
  Part a, b(mode = Mode.slow);
  Real x[Color], z = w[c] + w[Color.blue];
  Real u = if c <> Color.red and c < Color.blue then 1 else 2;
equation
  for k in Color loop
    x[k] = w[k]*time;
  end for;
end Top;
// run: --set c=3 Top
