// The pendulum of spherical_pendulum.mo in two angles, th from the vertical and ph around it: an ODE, but singular
// where th = 0. p = L (sin(th) cos(ph), sin(th) sin(ph), -cos(th)).
model SphericalAngles
  parameter Real L = 1, g = 9.81;
  Real th(start = asin(0.6), fixed = true), ph(start = 0, fixed = true);
  Real wt(start = 0, fixed = true) = der(th), wp(start = 1/0.6, fixed = true) = der(ph);
  Real p[3] = L*{sin(th)*cos(ph), sin(th)*sin(ph), -cos(th)} "the bob, for comparison";
equation
  der(wt) = wp^2*sin(th)*cos(th) - g/L*sin(th);
  der(wp)*sin(th) = -2*wt*wp*cos(th);
end SphericalAngles;
