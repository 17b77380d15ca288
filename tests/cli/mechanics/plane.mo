// One model for each part of Daedal.Mechanics.Planar. `err` is how far the simulation is from what is known, all the time.
package Plane
  import Daedal.Mechanics.Planar.*;

  model FreeBody "falls and turns"
    Body b(v(start = {1, 2}), w(start = 3));
    Real err[3] = {b.r[1] - time, b.r[2] - 2*time + 0.5*9.81*time^2, b.phi - 3*time};
  end FreeBody;

  model Pendulum "a rod on a pin, released in a horizontal position"
    World world;
    Revolute j(phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Link rod(m = 2, I = 1/6, ra = {-0.5, 0}, rb = {0.5, 0});
    Real err[3] = {j.w^2 + 3*9.81*sin(j.phi), rod.energy, rod.b.r[2] - sin(j.phi)};
  equation
    connect(world.frame, j.a);
    connect(j.b, rod.a);
  end Pendulum;

  model Motor "a motor with friction turns a disk"
    World world;
    Revolute j(phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = 3 - 0.5*j.w);
    Body disk(I = 2);
    Torque brake(t = -1.5);
    Real err[2] = {j.w - 3*(1 - exp(-time/4)), disk.w - j.w};
  equation
    connect(world.frame, j.a);
    connect(j.b, disk.frame);
    connect(brake.frame, disk.frame);
  end Motor;

  model Driven "what a prescribed turn takes"
    World world;
    RevoluteDrive j(phi = 2*sin(time));
    Body disk(I = 3);
    Real err[2] = {j.tau + 6*sin(time), disk.w - 2*cos(time)};
  equation
    connect(world.frame, j.a);
    connect(j.b, disk.frame);
  end Driven;

  model Sliding "pushed up an incline"
    World world;
    Prismatic j(n = {0.8, 0.6}, force = 20, s(start = 0, fixed = true), v(start = 0, fixed = true));
    Body box(m = 2);
    Real err[3] = {j.s - (10 - 9.81*0.6)*time^2/2, box.r[2] - 0.6*j.s, world.frame.f*j.n + 20};
  equation
    connect(world.frame, j.a);
    connect(j.b, box.frame);
  end Sliding;

  model Bead "a bead on a wire that goes down"
    World world;
    FixedTranslation wire(r = {1, 2}, angle = -0.4);
    Guide guide(s(start = 0, fixed = true), v(start = 0, fixed = true));
    PointMass bead;
    Real err[2] = {guide.s - 9.81*sin(0.4)*time^2/2, bead.r[1] - 1 - guide.s*cos(0.4)};
  equation
    connect(world.frame, wire.a);
    connect(wire.b, guide.a);
    connect(guide.b, bead.frame);
  end Bead;

  model Swing "a point on a rod: energy, and the force at the lowest point of the path"
    Fixed ceiling(r = {0, 1});
    PointMass p(m = 2, r(start = {0.6, 0.2}));
    Rod rod;
    Real err[2] = {p.energy - 2*9.81*0.2, rod.tension - 2*(p.v*p.v) - 2*9.81*(1 - p.r[2])};
  equation
    connect(ceiling.frame, rod.a);
    connect(rod.b, p.frame);
  end Swing;

  model Bouncing "a mass on a spring"
    Fixed ceiling(r = {0, 1});
    PointMass p(m = 2, r(start = {0, 0}));
    Spring s(c = 50, s0 = 0.5);
    parameter Real rest = 0.5 + 2*9.81/50;
    Real err[2] = {1 - p.r[2] - rest - (1 - rest)*cos(5*time), s.energy + p.energy - 0.5*50*0.25};
  equation
    connect(ceiling.frame, s.a);
    connect(s.b, p.frame);
  end Bouncing;

  model Damped "a mass on a spring with a damper"
    Fixed wall(r = {1, 2});
    PointMass p(m = 2, g = {0, 0}, r(start = {2.2, 2}));
    SpringDamper s(c = 50, k = 4, s0 = 1);
    parameter Real w = sqrt(24);
    Real err[1] = {p.r[1] - 2 - 0.2*exp(-time)*(cos(w*time) + sin(w*time)/w)};
  equation
    connect(wall.frame, s.a);
    connect(s.b, p.frame);
  end Damped;

  model Pulled "a constant pull along a line"
    World world;
    PointMass p(m = 2, g = zeros(2), r(start = {3, 4}));
    LineForce rope(force = 1.5);
    Real err[2] = {rope.s - 5 + 0.75*time^2/2, p.r[1] - 0.6*rope.s};
  equation
    connect(world.frame, rope.a);
    connect(rope.b, p.frame);
  end Pulled;

  model Welded "two bodies in one piece, pushed at one of them by a force that turns with it"
    Body first(m = 2, g = zeros(2), w(start = 3)), second(m = 3, g = zeros(2));
    Weld weld;
    Force push(turning = true, f = {30, 0});
    Real err[4] = cat(1, {second.v[1] - 2*sin(3*time), second.v[2] - 2*(1 - cos(3*time))}, first.r - second.r);
  equation
    connect(first.frame, weld.a);
    connect(weld.b, second.frame);
    connect(push.frame, first.frame);
  end Welded;
end Plane;
