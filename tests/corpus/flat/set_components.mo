// --set reaches parameters and start values inside components, of one element or of all.
model Arm
  parameter Real J = 0.05, c[2] = {1, 2};
  Real th(start = 0.3, fixed = true);
equation
  J*der(th) = -c[1]*th;
end Arm;
model Top
  parameter Integer n = 2;
  Arm arm[n], single(J = 3);
end Top;
// run: Top --set arm[2].J=0.1 --set single.J=7
// run: Top --set arm.J=0.1 --set arm[1].th=0.5
// run: Top --set n=1 --set arm[1].c[2]=9 --set single.c={4,5}
