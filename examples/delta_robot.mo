// Delta robot: three arms turn by alpha_k, three rods of length L hold the platform p. Index 3, 6 degrees of freedom.
model DeltaRobot
  parameter Real d = 0.1 "radius of the base", l = 0.3 "arm", L = 0.7 "rod", J = 0.05, M = 0.1 "mass of an arm";
  parameter Real m = 0.2 "mass of the platform", g = 9.81, gamma[3] = {0, 2.0943951, 4.1887902};
  Real alpha[3](each start = 0.3, each fixed = true, each unit = "rad"), w[3](each start = 0, each fixed = true) = der(alpha);
  Real p[3](start = {0, 0, -0.67}, each unit = "m"), v[3] = der(p), lam[3];
  input Real tau[3] "motor torques";
equation
  lagrange(q = cat(1, alpha, p), T = 0.5*J*(w*w) + 0.5*m*(v*v),
    V = m*g*p[3] - sum({M*g*l*sin(alpha[k])/2 for k in 1:3}),
    c = {(p[1] - cos(gamma[k])*(d + l*cos(alpha[k])))^2 + (p[2] - sin(gamma[k])*(d + l*cos(alpha[k])))^2
         + (p[3] + l*sin(alpha[k]))^2 - L^2 for k in 1:3},
    Q = cat(1, tau, zeros(3)), lambda = lam);
  annotation(Daedal(draw(
    base = line({{d*cos(gamma[k]), d*sin(gamma[k]), 0} for k in 1:3}, closed = true, radius = 0.012, colour = "steel"),
    motors = {cylinder({d*cos(gamma[k]) - 0.03*sin(gamma[k]), d*sin(gamma[k]) + 0.03*cos(gamma[k]), 0},
                       {d*cos(gamma[k]) + 0.03*sin(gamma[k]), d*sin(gamma[k]) - 0.03*cos(gamma[k]), 0}, radius = 0.024,
                       colour = "navy") for k in 1:3},
    arms = {line({d*cos(gamma[k]), d*sin(gamma[k]), 0},
                 {cos(gamma[k])*(d + l*cos(alpha[k])), sin(gamma[k])*(d + l*cos(alpha[k])), -l*sin(alpha[k])},
                 radius = 0.012, colour = "orange") for k in 1:3},
    rods = {line({cos(gamma[k])*(d + l*cos(alpha[k])), sin(gamma[k])*(d + l*cos(alpha[k])), -l*sin(alpha[k])}, p,
                 radius = 0.006, colour = "silver") for k in 1:3},
    platform = cylinder(p - {0, 0, 0.01}, p + {0, 0, 0.01}, radius = 0.04, colour = "blue"), path = trail(p, colour = "red"))));
end DeltaRobot;
