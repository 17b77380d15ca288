// The pendulum of spherical_pendulum.mo in three forms, and side by side.

// Newton's equations with the force in the rod along p, and the constraint as it is: index 3.
model Constrained
  parameter Real m = 1, L = 1, g = 9.81;
  Real p[3](start = {0.6, 0.0, -0.8}, fixed = {true, true, false}) "bob";
  Real v[3](start = {0.0, 1.0, 0.0}, fixed = {true, true, false}) = der(p), z;
equation
  m*der(v) + m*g*{0, 0, 1} + z*p = zeros(3);
  (p*p - L^2)/2 = 0;
end Constrained;

// The constraint c = (p*p - L^2)/2 differentiated twice by hand, with Baumgarte's damping: c'' + 2 a c' + a^2 c = 0. Index 1, and
// all six initial values are free; those that break the constraint come back to it like exp(-a t).
model IndexOne
  parameter Real m = 1, L = 1, g = 9.81, a = 2 "how fast errors of the constraint decay";
  Real p[3](start = {0.6, 0.0, -0.8}, each fixed = true) "bob";
  Real v[3](start = {0.0, 1.0, 0.0}, each fixed = true) = der(p), z;
  Real c = (p*p - L^2)/2 "how far it is from the sphere";
equation
  m*der(v) + m*g*{0, 0, 1} + z*p = zeros(3);
  p*der(v) + v*v + 2*a*(p*v) + a^2*c = 0;
end IndexOne;

// Two angles, th from the vertical and ph around it: an ODE, but singular where th = 0.
model SphericalAngles
  parameter Real L = 1, g = 9.81;
  Real th(start = asin(0.6), fixed = true), ph(start = 0, fixed = true);
  Real wt(start = 0, fixed = true) = der(th), wp(start = 1/0.6, fixed = true) = der(ph);
  Real p[3] = L*{sin(th)*cos(ph), sin(th)*sin(ph), -cos(th)} "bob";
equation
  der(wt) = wp^2*sin(th)*cos(th) - g/L*sin(th);
  der(wp)*sin(th) = -2*wt*wp*cos(th);
end SphericalAngles;

model Compared "one pendulum in three forms"
  Constrained dae;
  IndexOne one;
  SphericalAngles ode;
  Real difference[2] = {max(abs(dae.p - ode.p)), max(abs(one.p - ode.p))} "of the bob's position, from that of the angles";
end Compared;
