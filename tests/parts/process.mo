// Every part of Daedal.Process once.
package ProcessParts
  import Daedal.Process.*;

  model WashOut "Feed, CSTR without reactions, Drain: exponential"
    Feed feed(q = 0.5, c = {2, 0});
    CSTR tank(n = 2, V(start = 4, fixed = true), c(start = {0, 3}, each fixed = true));
    Drain drain(n = 2);
  equation
    connect(feed.outlet, tank.inlet);
    connect(tank.outlet, drain.inlet);
    annotation(experiment(StopTime = 6));
  end WashOut;

  model FirstOrder "A -> B with a rate, and A <-> B in equilibrium beside it is another model"
    Feed feed(q = 1, c = {1, 0});
    CSTR tank(n = 2, S = [-1; 1], k = {0.5}, V(start = 2, fixed = true), c(start = {0, 0}, each fixed = true));
    Drain drain(n = 2);
  equation
    connect(feed.outlet, tank.inlet);
    connect(tank.outlet, drain.inlet);
    annotation(experiment(StopTime = 3));
  end FirstOrder;

  model Equilibrium "A <-> B at once, B -> C slowly: index 2, one degree of freedom less"
    Feed feed(q = 1, c = {1, 0, 0});
    CSTR tank(n = 3, E = [-1; 1; 0], K = {2}, S = [0; -1; 1], k = {0.7}, V(start = 2, fixed = true),
              c(start = {0.4, 0.8, 0}, fixed = {true, false, true}));
    Drain drain(n = 3);
  equation
    connect(feed.outlet, tank.inlet);
    connect(tank.outlet, drain.inlet);
    annotation(experiment(StopTime = 2));
  end Equilibrium;

  model Dimer "2 A <-> A2 in equilibrium: quadratic"
    Feed feed(q = 0.3, c = {3, 0});
    CSTR tank(n = 2, E = [-2; 1], K = {1.5}, V(start = 1, fixed = true), c(start = {1, 1.5}, fixed = {true, false}));
    Drain drain(n = 2);
  equation
    connect(feed.outlet, tank.inlet);
    connect(tank.outlet, drain.inlet);
    annotation(experiment(StopTime = 4));
  end Dimer;

  model Filling "Mixer and DrainedCSTR: two streams fill a tank, the signal drains it"
    Feed water(q = 0.2, c = {0}), salt(q = 0.1, c = {6});
    Mixer mixer(n = 1);
    Daedal.Blocks.Constant drain(k = 0.05);
    DrainedCSTR tank(n = 1, V(start = 1, fixed = true), c(start = {0}, each fixed = true));
    Drain end_(n = 1);
  equation
    connect(water.outlet, mixer.inlet1);
    connect(salt.outlet, mixer.inlet2);
    connect(mixer.outlet, tank.inlet);
    connect(drain.y, tank.drain);
    connect(tank.outlet, end_.inlet);
    annotation(experiment(StopTime = 8));
  end Filling;
end ProcessParts;
