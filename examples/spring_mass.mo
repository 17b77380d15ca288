// m x'' + d x' + k x = 0 from its energies: T kinetic, V potential, D dissipation.
model SpringMass "a mass on a spring, with a damper"
  parameter Real m(unit = "kg") = 2, k(unit = "N/m") = 8, d(unit = "N.s/m") = 0.1;
  Real x(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s") = der(x);
equation
  lagrange(q = {x}, T = 0.5*m*v^2, V = 0.5*k*x^2, D = 0.5*d*v^2);
  annotation(Daedal(draw(wall = line({-2, -0.3}, {-2, 0.5}, colour = "grey"), spring = spring({-2, 0}, {x - 0.25, 0}, radius = 0.12),
    mass = box({x, 0}, size = {0.5, 0.5}, colour = "red"), floor = ground(height = -0.25))));
end SpringMass;
