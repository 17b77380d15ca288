// N rods in space, hanging from each other on ball joints: index 3, 6 N degrees of freedom.
model SpatialChain
  import Daedal.Mechanics.*;
  parameter Integer N = 6;
  parameter Real J[3, 3] = diagonal({0.002, 0.01, 0.01});
  World world;
  Spherical joint[N];
  Link rod[N](each m = 0.5, each I = J, each ra = {-0.25, 0, 0}, each rb = {0.25, 0, 0}, w(start = {{1, 0.5*i, -0.2*i} for i in 1:N}));
  Real energy = sum(rod.energy);
  Real spin = sum({toWorld(rod[i].q, J*rod[i].w)*{0, 0, 1} + rod[i].m*(rod[i].r[1]*rod[i].v[2] - rod[i].r[2]*rod[i].v[1]) for i in 1:N})
    "angular momentum about the vertical through the first joint";
equation
  connect(world.frame, joint[1].a);
  for i in 1:N loop
    connect(joint[i].b, rod[i].a);
  end for;
  for i in 2:N loop
    connect(rod[i - 1].b, joint[i].a);
  end for;
end SpatialChain;
