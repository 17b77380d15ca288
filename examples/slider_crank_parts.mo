// A crank of length 1 drives a piston through a rod of length 1.5, from parts. Index 3, 2 degrees of freedom.
model SliderCrankParts
  import Daedal.Mechanics.Planar.*;
  World world;
  Link crank(m = 1, I = 1/12, ra = {-0.5, 0}, rb = {0.5, 0}, phi(start = 0.7));
  Link rod(m = 1, I = 0.1875, ra = {-0.75, 0}, rb = {0.75, 0}, phi(start = -0.44));
  Body piston(m = 3, I = 0.1, r(start = {2.1, 0}));
  Revolute main(phi(start = 0.7, fixed = true), w(start = 5, fixed = true)), big, small;
  Prismatic cylinder(s(start = 2.1));
  Real energy = crank.energy + rod.energy + piston.energy;
equation
  connect(world.frame, main.a);
  connect(main.b, crank.a);
  connect(crank.b, big.a);
  connect(big.b, rod.a);
  connect(rod.b, small.a);
  connect(small.b, piston.frame);
  connect(world.frame, cylinder.a);
  connect(cylinder.b, piston.frame);
end SliderCrankParts;
