model Rectifier
  parameter Real R = 1000, C = 1e-5, Is = 1e-12, Vt = 0.025;
  Real vc(start = 0, fixed = true), vd, id;
equation
  id = Is*(exp(vd/Vt) - 1);
  sin(314*time) = vd + vc;
  C*der(vc) = id - vc/R;
end Rectifier;
