within Daedal.Mechanics;
// The parts of Mechanics for motion in a plane: x to the right, y up, angles counter-clockwise. The same rules hold: a
// frame belongs to one body (or World, Fixed, FixedTranslation), joints and the like go between frames.
package Planar "Rigid bodies in a plane, joints, springs and forces"
  connector Frame "A point with axes, fixed to a part"
    Real r[2](each unit = "m") "position";
    Real phi(unit = "rad") "angle";
    flow Real f[2](each unit = "N") "force on the part";
    flow Real t(unit = "N.m") "torque on the part about r";
  end Frame;

  function toWorld "A vector given in the axes of a frame, in the axes of the world"
    input Real phi(unit = "rad") "angle of the frame";
    input Real v[2];
    output Real y[2];
  algorithm
    y := {cos(phi)*v[1] - sin(phi)*v[2], sin(phi)*v[1] + cos(phi)*v[2]};
    annotation(Inline = true);
  end toWorld;

  function moment "Torque of the force f at the distance d"
    input Real d[2];
    input Real f[2];
    output Real y;
  algorithm
    y := d[1]*f[2] - d[2]*f[1];
    annotation(Inline = true);
  end moment;

  // ---- the world ----

  model World "The frame that everything is measured in, and gravity"
    parameter Real g[2](each unit = "m/s2") = {0, -9.81} "gravity; bodies have their own g: Body b(g = world.g)";
    Frame frame;
  equation
    frame.r = zeros(2);
    frame.phi = 0;
    annotation(Daedal(draw(axes = frame(frame.r))));
  end World;

  model Fixed "A frame that does not move"
    parameter Real r[2](each unit = "m") = zeros(2) "position";
    parameter Real phi(unit = "rad") = 0 "angle";
    Frame frame;
  equation
    frame.r = r;
    frame.phi = phi;
    annotation(Daedal(draw(bearing = hinge(frame.r, colour = "grey"))));
  end Fixed;

  // ---- bodies ----

  partial model RigidBody "Newton's and Euler's equations; what extends this says where forces act"
    parameter Real m(unit = "kg", min = 0) = 1 "mass";
    parameter Real I(unit = "kg.m2", min = 0) = 1 "inertia about the centre of mass";
    parameter Real g[2](each unit = "m/s2") = {0, -9.81} "gravity";
    Real r[2](each unit = "m", each start = 0, each stateSelect = StateSelect.avoid) "position of the centre of mass";
    Real v[2](each unit = "m/s", each start = 0, each stateSelect = StateSelect.avoid) = der(r) "its velocity";
    Real phi(unit = "rad", start = 0) "angle";
    Real w(unit = "rad/s", start = 0) = der(phi) "angular velocity";
    Real F[2](each unit = "N") "sum of the forces, without gravity";
    Real T(unit = "N.m") "sum of the torques about the centre of mass";
    Real energy(unit = "J") = 0.5*m*(v*v) + 0.5*I*w^2 - m*(g*r) "kinetic and potential";
  equation
    m*(der(v) - g) = F;
    I*der(w) = T;
  end RigidBody;

  model Body "A rigid body with one frame, at its centre of mass"
    extends RigidBody;
    Frame frame;
  equation
    frame.r = r;
    frame.phi = phi;
    F = frame.f;
    T = frame.t;
    annotation(Daedal(draw(body = box(r, size = {1, 1}*sqrt(6*I/max(m, 1e-9)), rotation = phi))));
  end Body;

  model Link "A rigid body with two frames"
    extends RigidBody;
    parameter Real ra[2](each unit = "m") = zeros(2) "from the centre of mass to frame a, in the axes of the body";
    parameter Real rb[2](each unit = "m") = zeros(2) "from the centre of mass to frame b, in the axes of the body";
    Frame a, b;
  equation
    a.r = r + toWorld(phi, ra);
    b.r = r + toWorld(phi, rb);
    a.phi = phi;
    b.phi = phi;
    F = a.f + b.f;
    T = a.t + moment(a.r - r, a.f) + b.t + moment(b.r - r, b.f);
    annotation(Daedal(draw(body = line(a.r, r, b.r))));
  end Link;

  model PointMass "A mass that moves without turning"
    parameter Real m(unit = "kg", min = 0) = 1 "mass";
    parameter Real g[2](each unit = "m/s2") = {0, -9.81} "gravity";
    Real r[2](each unit = "m", each start = 0) "position";
    Real v[2](each unit = "m/s", each start = 0) = der(r) "velocity";
    Real energy(unit = "J") = 0.5*m*(v*v) - m*(g*r) "kinetic and potential";
    Frame frame "its torque is what keeps the mass from turning";
  equation
    frame.r = r;
    frame.phi = 0;
    m*(der(v) - g) = frame.f;
    annotation(Daedal(draw(mass = point(r), path = trail(r))));
  end PointMass;

  // ---- what goes between frames ----

  partial model TwoFrames "A massless part between two frames"
    Frame a, b;
  equation
    a.f + b.f = zeros(2);
    a.t + b.t + moment(b.r - a.r, b.f) = 0;
  end TwoFrames;

  model FixedTranslation
    "A frame b fixed to the same body as frame a: b follows a, so a must be the frame of a body or of the world"
    extends TwoFrames;
    parameter Real r[2](each unit = "m") = zeros(2) "from a to b, in the axes of a";
    parameter Real angle(unit = "rad") = 0 "by which b is turned against a";
  equation
    b.r = a.r + toWorld(a.phi, r);
    b.phi = a.phi + angle;
    annotation(Daedal(draw(bar = line(a.r, b.r, colour = "grey"))));
  end FixedTranslation;

  model Weld "Holds two frames together"
    extends TwoFrames;
  equation
    a.r = b.r;
    a.phi = b.phi;
  end Weld;

  model Revolute "Pin joint. Set tau for a motor, a spring or friction: Revolute j(tau = u - 0.1*j.w)"
    extends TwoFrames;
    Real phi(unit = "rad", stateSelect = StateSelect.prefer) = b.phi - a.phi "angle of b against a";
    Real w(unit = "rad/s", stateSelect = StateSelect.prefer) = der(phi) "its rate";
    Real tau(unit = "N.m") = 0 "torque on b, and back on a";
  equation
    a.r = b.r;
    b.t = -tau;
    annotation(Daedal(draw(pin = hinge(a.r))));
  end Revolute;

  model RevoluteDrive "Pin joint whose angle is prescribed: RevoluteDrive j(phi = sin(time))"
    extends TwoFrames;
    Real phi(unit = "rad") "angle of b against a";
    Real w(unit = "rad/s") = der(phi) "its rate";
    Real tau(unit = "N.m") = -b.t "torque on b that this takes";
  equation
    a.r = b.r;
    b.phi = a.phi + phi;
    annotation(Daedal(draw(pin = hinge(a.r, colour = "orange"))));
  end RevoluteDrive;

  model Prismatic
    "Slides along one axis without turning. Set force for a drive, a spring or friction: Prismatic j(force = u - 5*j.v)"
    extends TwoFrames;
    parameter Real n[2] = {1, 0} "axis of length 1, in the axes of a and of b";
    Real s(unit = "m", stateSelect = StateSelect.prefer) "from a to b";
    Real v(unit = "m/s", stateSelect = StateSelect.prefer) = der(s) "its rate";
    Real force(unit = "N") = 0 "force on b along the axis, and back on a";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    a.phi = b.phi;
    b.r - a.r = s*toWorld(a.phi, n);
    toWorld(a.phi, n)*b.f = -force;
    annotation(Daedal(draw(rail = line(a.r, b.r, colour = "silver"))));
  end Prismatic;

  model Guide "Holds the point b on a straight line through a, without contact forces along it; b may turn as it likes"
    extends TwoFrames;
    parameter Real n[2] = {1, 0} "direction of length 1, in the axes of a";
    Real s(unit = "m") "from a to b along the line";
    Real v(unit = "m/s") = der(s) "its rate";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    b.r - a.r = s*toWorld(a.phi, n);
    toWorld(a.phi, n)*b.f = 0;
    b.t = 0;
    annotation(Daedal(draw(rail = line(a.r, b.r, colour = "silver"))));
  end Guide;

  partial model Line "A massless part that pulls along the line between two points"
    Frame a, b;
    Real d[2](each unit = "m") = b.r - a.r "from a to b";
    Real tension(unit = "N") "positive when it pulls the points together";
  equation
    a.f + b.f = zeros(2);
    a.t = 0;
    b.t = 0;
  end Line;

  model Rod "Keeps the distance of two points: a massless rod with pins at both ends"
    extends Line;
    parameter Real length(unit = "m", min = 0) = 1;
  equation
    d*d = length^2;
    b.f = tension*d/length;
    annotation(Daedal(draw(rod = line(a.r, b.r, colour = "silver"))));
  end Rod;

  partial model Length "A line whose length, which must not be zero, counts"
    extends Line;
    Real s(unit = "m") = sqrt(d*d) "length";
  equation
    b.f = tension*d/s;
  end Length;

  model Spring "Spring between two points, which must not meet"
    extends Length;
    parameter Real c(unit = "N/m", min = 0) "stiffness";
    parameter Real s0(unit = "m") = 0 "length without force";
    Real energy(unit = "J") = 0.5*c*(s - s0)^2;
  equation
    tension = c*(s - s0);
    annotation(Daedal(draw(spring = spring(a.r, b.r, colour = "teal"))));
  end Spring;

  model SpringDamper "Spring and damper between two points, which must not meet"
    extends Length;
    parameter Real c(unit = "N/m", min = 0) "stiffness";
    parameter Real k(unit = "N.s/m", min = 0) "damping";
    parameter Real s0(unit = "m") = 0 "length without force";
    Real energy(unit = "J") = 0.5*c*(s - s0)^2 "of the spring";
    Real loss(unit = "W") = k*der(s)^2 "of the damper";
  equation
    tension = c*(s - s0) + k*der(s);
    annotation(Daedal(draw(spring = spring(a.r, b.r, colour = "teal"))));
  end SpringDamper;

  model LineForce "A drive that pulls two points together: LineForce cylinder(force = u)"
    extends Length;
    input Real force(unit = "N");
  equation
    tension = force;
    annotation(Daedal(draw(drive = line(a.r, b.r, colour = "orange"))));
  end LineForce;

  model Force "A force on a frame: Force push(f = {u, 0})"
    parameter Boolean turning = false "f is in the axes of the frame, not of the world";
    input Real f[2](each unit = "N");
    Frame frame;
  equation
    frame.f = -(if turning then toWorld(frame.phi, f) else f);
    frame.t = 0;
    annotation(Daedal(draw(force = arrow(frame.r, -frame.f))));
  end Force;

  model Torque "A torque on a frame: Torque drive(t = u)"
    input Real t(unit = "N.m");
    Frame frame;
  equation
    frame.f = zeros(2);
    frame.t = -t;
  end Torque;
end Planar;
