// A loop of two capacitors and a voltage source: index 2.
model CvLoop
  parameter Real C1 = 1e-6, C2 = 2e-6, R = 100;
  Real v1, v2(start = 0), i1, i2, iR, iV;
equation
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  v1 + v2 = 5*sin(100*time);
  iR = v2/R;
  i1 = i2 + iR;
  iV = -i1;
end CvLoop;
// expect: index=2 dof=1 constraint_count=4 hidden_count=1 unknowns=6 equations=6 kind=dae verdict=ok certificate=structural
// expect-equivalent: i1/C1 + i2/C2 = 500*cos(100*time)
