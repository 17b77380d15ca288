// A crank turns and a rocker goes to and fro: three bars and the ground, four joints, one loop. 2 degrees of freedom.
model FourBar
  import Daedal.Mechanics.Planar.*;
  World world;
  Fixed bearing(r = {2.2, 0}) "of the rocker";
  Link crank(m = 1, I = 0.03, ra = {-0.3, 0}, rb = {0.3, 0}, phi(start = 1.5));
  Link coupler(m = 2, I = 0.7, ra = {-1, 0}, rb = {1, 0});
  Link rocker(m = 1, I = 0.12, ra = {-0.6, 0}, rb = {0.6, 0}, phi(start = 1.2));
  Revolute j1(phi(start = 1.5, fixed = true), w(start = 8, fixed = true)), j2, j3, j4;
  Real energy = crank.energy + coupler.energy + rocker.energy;
equation
  connect(world.frame, j1.a);
  connect(j1.b, crank.a);
  connect(crank.b, j2.a);
  connect(j2.b, coupler.a);
  connect(coupler.b, j3.a);
  connect(j3.b, rocker.b);
  connect(rocker.a, j4.b);
  connect(j4.a, bearing.frame);
end FourBar;

// The same in space. Four Revolute joints would say some things twice (mistakes/redundant_loop.mo): one is a RevolutePlanarLoop.
model FourBarInSpace
  import Daedal.Mechanics.*;
  World world;
  Fixed bearing(r = {2.2, 0, 0});
  Link crank(m = 1, I = 0.03*identity(3), ra = {-0.3, 0, 0}, rb = {0.3, 0, 0}, q(start = {cos(0.75), 0, -sin(0.75), 0}));
  Link coupler(m = 2, I = 0.7*identity(3), ra = {-1, 0, 0}, rb = {1, 0, 0});
  Link rocker(m = 1, I = 0.12*identity(3), ra = {-0.6, 0, 0}, rb = {0.6, 0, 0}, q(start = {cos(0.6), 0, -sin(0.6), 0}));
  Revolute j1(n = {0, -1, 0}, phi(start = 1.5, fixed = true), w(start = 8, fixed = true)), j2(n = {0, -1, 0}), j3(n = {0, -1, 0});
  RevolutePlanarLoop j4(n = {0, -1, 0});
  Real energy = crank.energy + coupler.energy + rocker.energy;
equation
  connect(world.frame, j1.a);
  connect(j1.b, crank.a);
  connect(crank.b, j2.a);
  connect(j2.b, coupler.a);
  connect(coupler.b, j3.a);
  connect(j3.b, rocker.b);
  connect(rocker.a, j4.b);
  connect(j4.a, bearing.frame);
end FourBarInSpace;
