// Rectifier with an exponential diode: a nonlinear equation for its voltage, index 1.
model Rectifier
  parameter Real R = 1000, C = 1e-5, Is = 1e-12, Vt = 0.025;
  Real vc(start = 0, fixed = true), vd, id;
equation
  id = Is*(exp(vd/Vt) - 1);
  sin(314*time) = vd + vc;
  C*der(vc) = id - vc/R;
end Rectifier;
// expect: index=1 dof=1 constraint_count=2 hidden_count=0 unknowns=3 kind=dae verdict=ok certificate=structural
