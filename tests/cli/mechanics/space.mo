// One model for each part of Daedal.Mechanics. `err` is how far the simulation is from what is known, all the time.
package Space
  import Daedal.Mechanics.*;

  model FreeBody "falls, and turns about a principal axis"
    Body b(I = diagonal({1, 2, 3}), v(start = {1, 2, 3}), w(start = {0, 0, 2}));
    Real err[7] = cat(1, b.r - {time, 2*time, 3*time - 0.5*9.81*time^2}, b.q - {cos(time), 0, 0, sin(time)});
  end FreeBody;

  model AnglesAndQuaternions "the same motion with both attitudes"
    Body b(I = diagonal({1, 2, 3}), w(start = {0.3, 0.4, 0.1}), g = world.g);
    AngleBody a(I = diagonal({1, 2, 3}), w(start = {0.3, 0.4, 0.1}), g = world.g);
    World world(g = {0.1, 0, 0});
    Real err[7] = cat(1, {1 - (a.q*b.q)^2}, a.w - b.w, a.r - b.r);
  end AnglesAndQuaternions;

  model ConicalPendulum "a point on a rod goes round at a constant height"
    parameter Real angle = 0.5, w = sqrt(9.81/cos(angle));
    World world;
    PointMass p(r(start = {sin(angle), 0, -cos(angle)}), v(start = {0, w*sin(angle), 0}));
    Rod rod;
    Real err[3] = {p.r[1] - sin(angle)*cos(w*time), p.r[2] - sin(angle)*sin(w*time), rod.tension - 9.81/cos(angle)};
  equation
    connect(world.frame, rod.a);
    connect(rod.b, p.frame);
  end ConicalPendulum;

  model Bouncing "a mass on a spring"
    Fixed ceiling(r = {0, 0, 1});
    PointMass p(m = 2, r(start = {0, 0, 0}));
    Spring s(c = 50, s0 = 0.5);
    parameter Real rest = 0.5 + 2*9.81/50;
    Real err[2] = {1 - p.r[3] - rest - (1 - rest)*cos(5*time), s.energy + p.energy - 0.5*50*0.25};
  equation
    connect(ceiling.frame, s.a);
    connect(s.b, p.frame);
  end Bouncing;

  model Damped "a mass on a spring with a damper, released where the spring is at rest"
    Fixed ceiling(r = {1, 2, 3});
    PointMass p(m = 2, g = {0, 0, 0}, r(start = {1, 3.2, 3}));
    SpringDamper s(c = 50, k = 4, s0 = 1);
    parameter Real w = sqrt(24);
    Real lost(start = 0, fixed = true);
    Real err[2] = {p.r[2] - 3 - 0.2*exp(-time)*(cos(w*time) + sin(w*time)/w), s.energy + p.energy + lost - 0.5*50*0.04};
  equation
    der(lost) = s.loss;
    connect(ceiling.frame, s.a);
    connect(s.b, p.frame);
  end Damped;

  model Pulled "a constant pull along a line"
    World world;
    PointMass p(m = 2, g = zeros(3), r(start = {0, 3, 4}));
    LineForce rope(force = 1.5);
    Real err[2] = {rope.s - 5 + 0.75*time^2/2, p.r[2] - 0.6*rope.s};
  equation
    connect(world.frame, rope.a);
    connect(rope.b, p.frame);
  end Pulled;

  model Pendulum "a rod on a hinge, released in a horizontal position"
    World world;
    Revolute j(n = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Link rod(m = 2, I = diagonal({0.001, 1/6, 1/6}), ra = {-0.5, 0, 0}, rb = {0.5, 0, 0});
    Real err[3] = {j.w^2 - 3*9.81*sin(j.phi), rod.energy, rod.b.r[3] + sin(j.phi)};
  equation
    connect(world.frame, j.a);
    connect(j.b, rod.a);
  end Pendulum;

  model TiltedMotor "a motor turns a disk about a tilted axis, with friction"
    World world;
    Revolute j(n = {0.6, 0, 0.8}, phi(start = 0, fixed = true), w(start = 0, fixed = true), tau = 3 - 0.5*j.w);
    Body disk(I = 2*identity(3));
    Real err[5] = cat(1, {j.w - 6*(1 - exp(-time/4)), disk.w*j.n - j.w}, disk.r);
  equation
    connect(world.frame, j.a);
    connect(j.b, disk.frame);
  end TiltedMotor;

  model Driven "what a prescribed turn takes"
    World world;
    RevoluteDrive j(n = {0, 1, 0}, phi = 2*sin(time));
    Body disk(I = diagonal({1, 3, 2}));
    Real err[2] = {j.tau + 6*sin(time), disk.w[2] - 2*cos(time)};
  equation
    connect(world.frame, j.a);
    connect(j.b, disk.frame);
  end Driven;

  model Sliding "pushed up an incline"
    World world;
    Prismatic j(n = {0.8, 0, 0.6}, force = 20, s(start = 0, fixed = true), v(start = 0, fixed = true));
    Body box(m = 2, I = diagonal({1, 3, 2}));
    Real err[3] = {j.s - (10 - 9.81*0.6)*time^2/2, box.r[3] - 0.6*j.s, world.frame.f*j.n + 20};
  equation
    connect(world.frame, j.a);
    connect(j.b, box.frame);
  end Sliding;

  model Falling "turning and falling along an axis"
    World world;
    Cylindrical j(phi(start = 0, fixed = true), w(start = 3, fixed = true), s(start = 1, fixed = true), v(start = 2, fixed = true));
    Body nut(I = diagonal({1, 3, 2}));
    Real err[3] = {j.s - 1 - 2*time + 9.81*time^2/2, j.phi - 3*time, nut.r[3] - j.s};
  equation
    connect(world.frame, j.a);
    connect(j.b, nut.frame);
  end Falling;

  model Whirling "a rod on a hinge that is carried round: two joints meet without a body, and Jacobi's integral is kept"
    parameter Real W = 3;
    World world;
    RevoluteDrive hub(n = {0, 0, 1}, phi = W*time);
    Massless pin;
    Revolute j(n = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Link rod(m = 2, I = diagonal({0.001, 1/6, 1/6}), ra = {-0.5, 0, 0}, rb = {0.5, 0, 0});
    Real err = j.w^2/3 - W^2*(2/3*(cos(j.phi)^2 - 1) + 0.001*sin(j.phi)^2)/2 - 9.81*sin(j.phi);
  equation
    connect(world.frame, hub.a);
    connect(hub.b, pin.frame);
    connect(pin.frame, j.a);
    connect(j.b, rod.a);
  end Whirling;

  model Hooke "two shafts at an angle of beta: the second turns with cos(beta)/(1 - (sin(beta)*cos(phi))^2) of the first"
    parameter Real beta = 0.5;
    World world;
    RevoluteDrive motor(n = {1, 0, 0}, phi = 2*time);
    Body first;
    Universal u(na = {0, 1, 0}, nb = {0, 0, 1});
    Link second(I = diagonal({0.1, 1, 1}), g = zeros(3), ra = zeros(3), rb = {1, 0, 0}, q(start = {cos(beta/2), 0, 0, sin(beta/2)}),
      r(start = {0, 0, 0}));
    FixedTransform bearing(n = {0, 0, 1}, angle = beta);
    Guide guide(n = {1, 0, 0});
    Real err[4] = cat(1, {second.w[1] - 2*cos(beta)/(1 - (sin(beta)*cos(2*time))^2)}, second.b.r - {cos(beta), sin(beta), 0});
  equation
    connect(world.frame, motor.a);
    connect(motor.b, first.frame);
    connect(first.frame, u.a);
    connect(u.b, second.a);
    connect(world.frame, bearing.a);
    connect(bearing.b, guide.a);
    connect(guide.b, second.b);
  end Hooke;

  model Cardan "a load on a universal joint with a torque, and Lagrange's equations in the two angles"
    parameter Real m = 0.3, l = 0.5, I[3] = {0.01, 0.02, 0.03};
    parameter Real turned = 0 "1: both axes are the first of their frames, so that b is turned by a right angle about the third";
    World world;
    Universal j(na = {1, 0, 0}, nb = if turned > 0 then {1, 0, 0} else {0, 1, 0}, phi(start = {0.3, -0.4}, each fixed = true),
      w(start = {2, 5}, each fixed = true), tau = {0.1*sin(3*time), -0.01*j.w[2]});
    FixedTransform rope(r = {0, 0, -l});
    Body load(m = m, I = if turned > 0 then diagonal({I[2], I[1], I[3]}) else diagonal(I));
    Real a(start = 0.3, fixed = true), b(start = -0.4, fixed = true), va(start = 2, fixed = true) = der(a),
      vb(start = 5, fixed = true) = der(b), o[3] = {va*cos(b), vb, va*sin(b)}, r[3] = {-l*sin(b), l*sin(a)*cos(b), -l*cos(a)*cos(b)};
    Real err[5] = cat(1, j.phi - {a, b}, load.r - r);
  equation
    connect(world.frame, j.a);
    connect(j.b, rope.a);
    connect(rope.b, load.frame);
    lagrange(q = {a, b}, T = 0.5*m*(der(r)*der(r)) + 0.5*(I .* o)*o, V = m*9.81*r[3], Q = {0.1*sin(3*time), -0.01*vb});
  end Cardan;

  model CardanTurned
    extends Cardan(turned = 1);
  end CardanTurned;

  model Welded "two bodies in one piece, pushed at one of them"
    Body first(m = 2, g = zeros(3)), second(m = 3, g = zeros(3));
    Weld weld;
    Force push(f = {10, 0, 0});
    Real err[5] = cat(1, {second.v[1] - 2*time, weld.b.f[1] + 6}, first.r - second.r);
  equation
    connect(first.frame, weld.a);
    connect(weld.b, second.frame);
    connect(push.frame, first.frame);
  end Welded;

  model Offset "the pendulum with its hinge given by a transform, turned a little"
    World world;
    FixedTransform wall(r = {0, 0, 2}, n = {0, 1, 0}, angle = 0.3), arm(r = {-0.5, 0, 0});
    Revolute j(n = {0, 1, 0}, phi(start = -0.3, fixed = true), w(start = 0, fixed = true));
    Body rod(m = 2, I = diagonal({0.001, 1/6, 1/6}));
    Real err[2] = {j.w^2 - 3*9.81*sin(j.phi + 0.3), rod.r[3] - 2 + 0.5*sin(j.phi + 0.3)};
  equation
    connect(world.frame, wall.a);
    connect(wall.b, j.a);
    connect(j.b, arm.b);
    connect(arm.a, rod.frame);
  end Offset;

  model Bead "a bead on a wire, which is an incline"
    FixedTransform wire(n = {0, 1, 0}, angle = 0.4);
    World world;
    Guide guide(n = {1, 0, 0}, s(start = 0, fixed = true), v(start = 0, fixed = true));
    PointMass bead;
    Real err[1] = {guide.s - 9.81*sin(0.4)*time^2/2};
  equation
    connect(world.frame, wire.a);
    connect(wire.b, guide.a);
    connect(guide.b, bead.frame);
  end Bead;

  model Plane "a point on an inclined plane"
    World world;
    PlaneGuide guide(n = {0, 0.6, 0.8});
    PointMass p(m = 2, r(start = {0, 0, 0}), v(start = {1, 0, 0}));
    Real err[3] = {p.r[1] - time, p.r[2] - 9.81*0.48*time^2/2, guide.lambda - 2*9.81*0.8};
  equation
    connect(world.frame, guide.a);
    connect(guide.b, p.frame);
  end Plane;

  model Thruster "a force that turns with its body, which a torque keeps turning"
    Body b(m = 2, I = identity(3), g = zeros(3), w(start = {0, 0, 3}));
    Force engine(turning = true, f = {12, 0, 0});
    Torque wheel(turning = true, t = {0, 0, 0.5*sin(time)});
    Torque brake(t = {0, 0, -0.5*sin(time)});
    Real err[2] = {b.v[1] - 2*sin(3*time), b.v[2] - 2*(1 - cos(3*time))};
  equation
    connect(b.frame, engine.frame);
    connect(b.frame, wheel.frame);
    connect(b.frame, brake.frame);
  end Thruster;

  model Ball "a rod on a ball joint keeps its energy and its angular momentum about the vertical"
    World world;
    Spherical j;
    Link rod(m = 2, I = diagonal({0.1, 1/6, 1/6}), ra = {-0.5, 0, 0}, w(start = {2, 1, 3}));
    Real turn = toWorld(rod.q, rod.I*rod.w)*{0, 0, 1} + rod.m*(rod.r[1]*rod.v[2] - rod.r[2]*rod.v[1]);
    Real err[2] = {turn - (1/6 + 0.5)*3, rod.energy - 0.2 - 0.5*(1/6 + 0.5)*10};
  equation
    connect(world.frame, j.a);
    connect(j.b, rod.a);
  end Ball;

  model Hanging "a platform on three ropes, pushed aside: it swings without turning"
    parameter Real a[3] = {0, 2.0943951023931953, 4.1887902047863905};
    Fixed ceiling[3](r = {{cos(a[i]), sin(a[i]), 2} for i in 1:3});
    Platform p(n = 3, m = 6, s = {{cos(a[i]), sin(a[i]), 0} for i in 1:3}, v(start = {1, 0, 0}));
    Rod rope[3](each length = 2);
    Real err[6] = cat(1, {p.energy - 3, p.r[3] - 2 + sqrt(4 - p.r[1]^2), p.r[2]}, p.w);
  equation
    for i in 1:3 loop
      connect(ceiling[i].frame, rope[i].a);
      connect(rope[i].b, p.p[i]);
    end for;
  end Hanging;

  model Wheels "a rotor, and the same as a body of its own on a hinge"
    Body hub(I = diagonal({3, 4, 5}), g = zeros(3), w(start = {0.1, 0.2, 0.3}));
    Rotor rotor(n = {1, 0, 0}, J = 0.5, w(start = 4.1), tau = 0.2*sin(time));
    Body core(I = diagonal({3, 3.5, 4.5}), m = 0.7, g = zeros(3), w(start = {0.1, 0.2, 0.3}));
    Body wheel(I = diagonal({0.5, 0.5, 0.5}), m = 0.3, g = zeros(3));
    Revolute axle(n = {1, 0, 0}, phi(start = 0), w(start = 4), tau = 0.2*sin(time));
    Real err[6] = cat(1, {1 - (hub.q*core.q)^2, rotor.w - wheel.w[1], hub.energy + rotor.energy - core.energy - wheel.energy}, hub.w - core.w);
  equation
    connect(hub.frame, rotor.frame);
    connect(core.frame, axle.a);
    connect(axle.b, wheel.frame);
  end Wheels;
end Space;
