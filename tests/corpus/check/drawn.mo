// A drawing adds nothing to the system: the counts are those of the pendulum alone.
model Drawn
  parameter Real L = 1, g = 9.81;
  parameter Integer n = 3;
  parameter Boolean forces = true;
  Real p[2](start = {0.6, -0.8}, fixed = {true, false}), v[2](start = {0, 0}, fixed = {true, false}) = der(p), lam[1];
  Part part[2](L = {1, 2});
equation
  lagrange(q = p, T = 0.5*(v*v), V = g*p[2], c = {p*p - L^2}, lambda = lam);
  annotation(Daedal(draw(rod = line({0, 0}, p), bob = sphere(p, radius = L/20, colour = "#d1495b", label = "bob"),
    marks = {point(p*k/n, opacity = 0.5) for k in 1:n}, f = if forces then arrow(p, 2*lam[1]*p) else {},
    ends = {line({0, 0}, part[i].tip) for i in 1:2}, view(from = {0, -1}, follow = p))));
end Drawn;
model Part
  parameter Real L;
  Real a(start = 0, fixed = true), tip[2] = L*{cos(a), sin(a)};
equation
  der(a) = L;
  annotation(Daedal(draw(tip = box(tip, size = {L, 0.1}, rotation = a), path = trail(tip, duration = 2))));
end Part;
// class: Drawn
// expect: index=3 structural_index=3 dof=4 constraint_count=5 hidden_count=2 unknowns=11 equations=11
