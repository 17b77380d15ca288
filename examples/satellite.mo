// A satellite turns itself with three reaction wheels: what the wheels gain the body loses. Their motors hold the attitude that a
// proportional-derivative law asks for. Index 2, 16 degrees of freedom: 12 of the hub, 3 of the wheels, and the work.
model Satellite
  import Daedal.Mechanics.*;
  parameter Real goal[4] = {cos(0.6), 0.6*sin(0.6), 0.48*sin(0.6), 0.64*sin(0.6)} "attitude to turn to";
  parameter Real k = 2, d = 15 "gains";
  Body hub(m = 100, I = diagonal({30, 40, 50}), g = zeros(3), w(start = {0.01, -0.02, 0.03}));
  Rotor wheel[3](n = identity(3), each J = 0.05, each w(start = 0), tau = u);
  Real u[3](each unit = "N.m") = {k*turn[i] + d*hub.w[i] for i in 1:3} "motor torques";
  Real turn[3] = turnOf(goal, hub.q) "what is left to turn, as axis*sin(angle/2)";
  Real momentum[3] = toWorld(hub.q, hub.I*hub.w + wheel.J .* wheel.w) "angular momentum, kept";
  Real work(start = 0, fixed = true) "of the motors";
  Real energy = hub.energy + sum(wheel.energy) - work "kept";
equation
  der(work) = sum({wheel[i].tau*(wheel[i].w - hub.w[i]) for i in 1:3});
  for i in 1:3 loop
    connect(wheel[i].frame, hub.frame);
  end for;
end Satellite;
