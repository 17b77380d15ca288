// A circuit without ground: only differences of potentials are determined.
model Ungrounded
  parameter Real R = 10, C = 1e-3;
  Real va, vb, i, ic, vc(start = 1);
equation
  va - vb = R*i;
  va - vb = vc;
  C*der(vc) = ic;
  i + ic = 0;
  -i - ic = 0;
end Ungrounded;
// expect: verdict=singular index=null
// expect-exit: 1
