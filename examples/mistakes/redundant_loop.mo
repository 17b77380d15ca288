// A four-bar in space made of four joints with parallel axes: the loop is closed more than once.
model RedundantLoop
  import Daedal.Mechanics.*;
  World world;
  Fixed bearing(r = {2.2, 0, 0});
  Link crank(ra = {-0.3, 0, 0}, rb = {0.3, 0, 0}), coupler(ra = {-1, 0, 0}, rb = {1, 0, 0}), rocker(ra = {-0.6, 0, 0}, rb = {0.6, 0, 0});
  Revolute j1(n = {0, 1, 0}), j2(n = {0, 1, 0}), j3(n = {0, 1, 0}), j4(n = {0, 1, 0});
equation
  connect(world.frame, j1.a);
  connect(j1.b, crank.a);
  connect(crank.b, j2.a);
  connect(j2.b, coupler.a);
  connect(coupler.b, j3.a);
  connect(j3.b, rocker.b);
  connect(rocker.a, j4.b);
  connect(j4.a, bearing.frame);
end RedundantLoop;
