model HaresAndLynxes "Prey and predators after Lotka and Volterra"
  parameter Real birth=0.6 "hares per hare and year";
  parameter Real hunt=0.03 "of a hare by a lynx, per year";
  parameter Real death=0.8 "of lynxes, per year";
  parameter Real feed=0.012 "lynxes per lynx and hare";
  parameter Real h0=35;
  parameter Real l0=8;
  Real hares(start=h0);
  Real lynxes(start=l0);
equation
  der(hares) = (birth - hunt*lynxes)*hares;
  der(lynxes) = (feed*hares - death)*lynxes;
  annotation(experiment(StopTime=25));
end HaresAndLynxes;

model Balance "the populations at which nothing changes"
  extends HaresAndLynxes(h0=60, l0=18);
initial equation
  der(hares) = 0;
  der(lynxes) = 0;
end Balance;

model OtherBalance "modifications over two levels"
  extends Balance(feed=0.02, birth=0.9, h0=45, l0=25);
end OtherBalance;
