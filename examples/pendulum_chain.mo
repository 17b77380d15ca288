// A chain of N masses hanging from the ceiling, neighbours at distance L: index 3, 2 N degrees of freedom.
model PendulumChain
  parameter Integer N = 3;
  parameter Real m = 1, L = 0.2, g = 9.81;
  Real x[N](start = {0.16*i for i in 1:N}), y[N](start = {-0.12*i for i in 1:N});
  Real u[N](each start = 0) = der(x), v[N](each start = 0) = der(y), lam[N];
equation
  lagrange(q = cat(1, x, y), T = 0.5*m*(u*u + v*v), V = m*g*sum(y),
    c = {(x[i] - (if i > 1 then x[i - 1] else 0))^2 + (y[i] - (if i > 1 then y[i - 1] else 0))^2 - L^2 for i in 1:N},
    lambda = lam);
  annotation(Daedal(draw(rods = {line({if i > 1 then x[i - 1] else 0, if i > 1 then y[i - 1] else 0}, {x[i], y[i]}) for i in 1:N},
    masses = {point({x[i], y[i]}, colour = "red") for i in 1:N})));
end PendulumChain;
