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
//| model Top
//|   parameter Integer c = 3;
//|   parameter Real w[3] = {1, 2, 3};
//|   parameter Integer 'a.mode' = 'Mode.fast';
//|   constant Integer 'Mode.fast' = 1;
//|   Real 'a.y';
//|   parameter Integer 'b.mode' = 'Mode.slow';
//|   constant Integer 'Mode.slow' = 2;
//|   Real 'b.y';
//|   Real x[3];
//|   Real z = w[c] + w['Color.blue'];
//|   Real u = if c <> 'Color.red' and c < 'Color.blue' then 1 else 2;
//|   constant Integer 'Color.blue' = 3;
//|   constant Integer 'Color.red' = 1;
//| equation
//|   'a.y' = 10;
//|   'b.y' = 1;
//|   x[1] = w[1]*time;
//|   x[2] = w[2]*time;
//|   x[3] = w[3]*time;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
