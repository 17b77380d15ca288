connector RealInput = input Real(unit = "V") "a signal";
connector RealOutput = output Real;
type Length extends Real(unit = "m", min = 0); end Length;
type Point = Length[2];
block Gain
  parameter Real k = 1;
  RealInput u;
  RealOutput y;
equation
  y = k*u;
end Gain;
block Double = Gain(k = 2, u(start = 3));
model Top
  Double d;
  Point p = {1, 2};
  Length l = 4;
equation
  d.u = time;
end Top;
// expect-model: Top
// expect-var: d.k value=2
// expect-var: d.u unit=V start=3
// expect-var: p[2] unit=m min=0
// expect-var: l unit=m
