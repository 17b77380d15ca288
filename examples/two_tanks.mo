// Tanks, pipes and a pump from parts of Daedal.Fluid, in two arrangements.

// A pump fills the first tank, a turbulent pipe leads to the second, an orifice empties it. Index 1, 2 degrees of freedom.
model TwoTanks
  import Daedal.Fluid.*;
  Reservoir lake, drain;
  Pump pump(dpmax = 4e4, qmax = 0.02);
  Tank first(A = 1.5, h(start = 0.5, fixed = true)), second(A = 1, h(start = 0.2, fixed = true));
  Pipe pipe(L = 20, D = 0.1, f = 0.025);
  Orifice outlet(k = 5e7, qs = 1e-5);
  Real water = first.A*first.h + second.A*second.h "in both tanks";
equation
  connect(lake.port, pump.a);
  connect(pump.b, first.port);
  connect(first.port, pipe.a);
  connect(pipe.b, second.port);
  connect(second.port, outlet.a);
  connect(outlet.b, drain.port);
  annotation(experiment(StopTime = 600), Daedal(draw(
    walls = {line({x - 0.6, 3}, {x - 0.6, 0}, {x + 0.6, 0}, {x + 0.6, 3}, radius = 0.03, colour = "grey") for x in {0, 2}},
    water = {box({0, first.h/2}, size = {1.14, first.h}, colour = "blue"), box({2, second.h/2}, size = {1.14, second.h}, colour = "blue")},
    current = arrow({0.7, -0.15}, {pipe.q, 0}))));
end TwoTanks;

// The same tanks joined by a pipe so wide that it has no resistance: one pressure, so one level follows from the other, and
// the flow between them from a derivative. Index 2, 1 degree of freedom.
model JoinedTanks
  import Daedal.Fluid.*;
  Reservoir lake, drain;
  Pump pump(dpmax = 4e4, qmax = 0.02);
  Tank first(A = 1.5, h(start = 0.5, fixed = true)), second(A = 1);
  Orifice outlet(k = 5e7, qs = 1e-5);
  Real water = first.A*first.h + second.A*second.h "in both tanks";
equation
  connect(lake.port, pump.a);
  connect(pump.b, first.port);
  connect(first.port, second.port);
  connect(second.port, outlet.a);
  connect(outlet.b, drain.port);
  annotation(experiment(StopTime = 600));
end JoinedTanks;
