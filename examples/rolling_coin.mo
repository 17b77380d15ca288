// A coin rolls upright without slipping: two constraints on speeds, which cannot be written on positions. Index 2.
model RollingCoin
  parameter Real m = 1, R = 0.3, J = 0.045, I = 0.0225;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), heading(start = 0.4, fixed = true), roll(start = 0, fixed = true);
  Real vx = der(x), vy = der(y), wh(start = 0.5, fixed = true) = der(heading), wr(start = 1, fixed = true) = der(roll), mu[2];
equation
  lagrange(q = {x, y, heading, roll}, T = 0.5*m*(vx^2 + vy^2) + 0.5*I*wh^2 + 0.5*J*wr^2,
           a = {der(x) - R*cos(heading)*der(roll), der(y) - R*sin(heading)*der(roll)}, lambda = mu);
  annotation(Daedal(draw(coin = cylinder({x + 0.02*sin(heading), y - 0.02*cos(heading), R}, {x - 0.02*sin(heading), y + 0.02*cos(heading), R}, radius = R, colour = "gold"),
    mark = sphere({x, y, R} + 0.75*R*{cos(heading)*sin(roll), sin(heading)*sin(roll), cos(roll)}, radius = 0.05, colour = "navy"),
    path = trail({x, y, 0}), floor = ground())));
end RollingCoin;
