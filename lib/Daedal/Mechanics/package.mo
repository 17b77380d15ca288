within Daedal;
// Rigid bodies in space and the joints, springs and forces between them. docs/mechanics.md tells how they are made.
//
// Every body carries its own position and attitude; joints are equations between two frames, and the forces in them
// follow. So chains and closed loops are built in the same way: connect the parts.
//   - A frame belongs to exactly one part that says where it is: a body, World, Fixed or FixedTransform. Joints, rods,
//     springs and forces go between such frames; where joints meet without a body there is a Massless. (Two bodies are joined by Weld, not by connecting their frames.)
//   - Vectors are in the axes of the world unless something else is said; forces and torques at a frame act on the part
//     that the frame belongs to.
package Mechanics "Rigid bodies in space, joints, springs and forces"
  connector Frame "A point with axes, fixed to a part"
    Real r[3](each unit = "m") "position, in the axes of the world";
    Real q[4] "attitude as a unit quaternion, scalar first: takes coordinates in the frame to coordinates in the world";
    flow Real f[3](each unit = "N") "force on the part, in the axes of the world";
    flow Real t[3](each unit = "N.m") "torque on the part about r, in the axes of the world";
    annotation(Daedal(balanced = false, // q has four components for three freedoms
      undetermined = "a frame belongs to a body: connect a Body here, or a Massless where the joints meet without one"));
  end Frame;

  function toWorld "A vector given in the axes of a frame, in the axes of the world"
    input Real q[4] "attitude of the frame";
    input Real v[3];
    output Real y[3];
  algorithm
    y := v + 2*cross(q[2:4], cross(q[2:4], v) + q[1]*v);
    annotation(Inline = true);
  end toWorld;

  function toFrame "A vector given in the axes of the world, in the axes of a frame"
    input Real q[4] "attitude of the frame";
    input Real v[3];
    output Real y[3];
  algorithm
    y := v + 2*cross(q[2:4], cross(q[2:4], v) - q[1]*v);
    annotation(Inline = true);
  end toFrame;

  function turnOf
    "The vector part of the attitude b seen from a: zero when both are the same, n*sin(angle/2) in general"
    input Real a[4];
    input Real b[4];
    output Real y[3];
  algorithm
    y := a[1]*b[2:4] - b[1]*a[2:4] - cross(a[2:4], b[2:4]);
    annotation(Inline = true);
  end turnOf;

  function turned "The attitude q, turned by an angle about an axis of its own"
    input Real q[4];
    input Real n[3] "axis of length 1, in the axes of q";
    input Real angle(unit = "rad");
    output Real y[4];
  algorithm
    y := cat(1, {q[1]*cos(angle/2) - q[2:4]*n*sin(angle/2)},
             cos(angle/2)*q[2:4] + sin(angle/2)*(q[1]*n + cross(q[2:4], n)));
    annotation(Inline = true);
  end turned;

  function times "The attitude q, then p in the axes of q"
    input Real q[4];
    input Real p[4];
    output Real y[4];
  algorithm
    y := cat(1, {q[1]*p[1] - q[2:4]*p[2:4]}, q[1]*p[2:4] + p[1]*q[2:4] + cross(q[2:4], p[2:4]));
    annotation(Inline = true);
  end times;

  function rightAngled "The shortest turn that brings the axis n to right angles with the axis m"
    input Real m[3] "axis of length 1";
    input Real n[3] "axis of length 1, in the same axes";
    output Real q[4];
  protected
    Real c = m*n "cosine between them";
    Real side[3] "a direction that is not m";
    Real to[3] "where n goes";
    Real h "cosine of half the angle";
  algorithm
    if abs(c) < 1e-9 then
      q := {1, 0, 0, 0};
    else
      side := if 1 - abs(c) > 1e-6 then n elseif abs(m[1]) < 0.6 then {1, 0, 0} else {0, 1, 0};
      to := side - (side*m)*m;
      to := to/sqrt(to*to);
      h := sqrt((1 + n*to)/2);
      q := cat(1, {h}, cross(n, to)/(2*h));
    end if;
  end rightAngled;

  // ---- the world ----

  model World "The frame that everything is measured in, and gravity"
    parameter Real g[3](each unit = "m/s2") = {0, 0, -9.81} "gravity; bodies have their own g: Body b(g = world.g)";
    Frame frame;
  equation
    frame.r = zeros(3);
    frame.q = {1, 0, 0, 0};
    annotation(Daedal(draw(axes = frame(frame.r))));
  end World;

  model Fixed "A frame that does not move"
    parameter Real r[3](each unit = "m") = zeros(3) "position";
    parameter Real q[4] = {1, 0, 0, 0} "attitude, a unit quaternion";
    Frame frame;
  equation
    frame.r = r;
    frame.q = q;
    annotation(Daedal(draw(bearing = point(frame.r, colour = "grey"))));
  end Fixed;

  // ---- bodies ----

  partial model RigidBody "Newton's and Euler's equations; what extends this says where forces act"
    parameter Real m(unit = "kg", min = 0) = 1 "mass";
    parameter Real I[3, 3](each unit = "kg.m2") = identity(3)
      "inertia about the centre of mass, in the axes of the body";
    parameter Real g[3](each unit = "m/s2") = {0, 0, -9.81} "gravity";
    Real r[3](each unit = "m", each start = 0, each stateSelect = StateSelect.avoid) "position of the centre of mass";
    Real v[3](each unit = "m/s", each start = 0, each stateSelect = StateSelect.avoid) = der(r) "its velocity";
    Real q[4](start = {1, 0, 0, 0},
              stateSelect = {StateSelect.avoid, StateSelect.default, StateSelect.default, StateSelect.default})
      "attitude";
    Real w[3](each unit = "rad/s", each start = 0) "angular velocity, in the axes of the body";
    Real F[3](each unit = "N") "sum of the forces, without gravity";
    Real T[3](each unit = "N.m") "sum of the torques about the centre of mass";
    Real energy(unit = "J") = 0.5*m*(v*v) + 0.5*(w*(I*w)) - m*(g*r) "kinetic and potential";
  equation
    m*(der(v) - g) = F;
    I*der(w) + cross(w, I*w) = toFrame(q, T);
  end RigidBody;

  partial model QuaternionBody "A rigid body whose attitude is a quaternion: no position is singular"
    extends RigidBody;
  protected
    Real mu "stays 0: the multiplier that holds q*q = 1";
  equation
    der(q) = 0.5*cat(1, {-q[2:4]*w}, q[1]*w + cross(q[2:4], w)) + mu*q;
    q*q = 1;
  end QuaternionBody;

  model Body "A rigid body with one frame, at its centre of mass"
    extends QuaternionBody;
    Frame frame;
  equation
    frame.r = r;
    frame.q = q;
    F = frame.f;
    T = frame.t;
    annotation(Daedal(draw(body = box(r, size = {sqrt(6*max(I[1, 1] + I[2, 2] + I[3, 3] - 2*I[k, k], 0)/max(m, 1e-9)) for k in 1:3}, rotation = q))));
  end Body;

  model Link "A rigid body with two frames"
    extends QuaternionBody;
    parameter Real ra[3](each unit = "m") = zeros(3) "from the centre of mass to frame a, in the axes of the body";
    parameter Real rb[3](each unit = "m") = zeros(3) "from the centre of mass to frame b, in the axes of the body";
    Frame a, b;
  equation
    a.r = r + toWorld(q, ra);
    b.r = r + toWorld(q, rb);
    a.q = q;
    b.q = q;
    F = a.f + b.f;
    T = a.t + cross(a.r - r, a.f) + b.t + cross(b.r - r, b.f);
    annotation(Daedal(draw(body = line(a.r, r, b.r))));
  end Link;

  model Platform "A rigid body with any number of frames"
    extends QuaternionBody;
    parameter Integer n = 1 "number of frames";
    parameter Real s[n, 3](each unit = "m") = zeros(n, 3)
      "from the centre of mass to each frame, in the axes of the body";
    Frame p[n];
  protected
    Real force[n, 3](each unit = "N") "at each frame";
    Real torque[n, 3](each unit = "N.m") "of each frame about the centre of mass";
  equation
    for i in 1:n loop
      p[i].r = r + toWorld(q, s[i, :]);
      p[i].q = q;
      force[i, :] = p[i].f;
      torque[i, :] = p[i].t + cross(p[i].r - r, p[i].f);
    end for;
    F = ones(n)*force;
    T = ones(n)*torque;
    annotation(Daedal(draw(body = {line(r, p[i].r) for i in 1:n},
      rim = if n > 2 then line({p[i].r for i in 1:n}, closed = true) else {})));
  end Platform;

  model AngleBody
    "A rigid body with one frame whose attitude is given by roll, pitch and yaw; singular where cos(pitch) = 0"
    extends RigidBody(q(each stateSelect = StateSelect.never));
    Real rpy[3](each unit = "rad", each start = 0) "roll, pitch, yaw: R = Rz(yaw)*Ry(pitch)*Rx(roll)";
    Real rate[3](each unit = "rad/s") = der(rpy) "their rates";
    Frame frame;
  protected
    Real c[3] = {cos(rpy[i]/2) for i in 1:3}, s[3] = {sin(rpy[i]/2) for i in 1:3};
  equation
    q = {c[1]*c[2]*c[3] + s[1]*s[2]*s[3], s[1]*c[2]*c[3] - c[1]*s[2]*s[3],
         c[1]*s[2]*c[3] + s[1]*c[2]*s[3], c[1]*c[2]*s[3] - s[1]*s[2]*c[3]};
    w = {rate[1] - sin(rpy[2])*rate[3],
         cos(rpy[1])*rate[2] + sin(rpy[1])*cos(rpy[2])*rate[3],
         cos(rpy[1])*cos(rpy[2])*rate[3] - sin(rpy[1])*rate[2]};
    frame.r = r;
    frame.q = q;
    F = frame.f;
    T = frame.t;
    annotation(Daedal(draw(body = box(r, size = {sqrt(6*max(I[1, 1] + I[2, 2] + I[3, 3] - 2*I[k, k], 0)/max(m, 1e-9)) for k in 1:3}, rotation = q))));
  end AngleBody;

  model PointMass "A mass that moves without turning"
    parameter Real m(unit = "kg", min = 0) = 1 "mass";
    parameter Real g[3](each unit = "m/s2") = {0, 0, -9.81} "gravity";
    Real r[3](each unit = "m", each start = 0) "position";
    Real v[3](each unit = "m/s", each start = 0) = der(r) "velocity";
    Real energy(unit = "J") = 0.5*m*(v*v) - m*(g*r) "kinetic and potential";
    Frame frame "its torque is what keeps the mass from turning";
  equation
    frame.r = r;
    frame.q = {1, 0, 0, 0};
    m*(der(v) - g) = frame.f;
    annotation(Daedal(draw(mass = point(r), path = trail(r))));
  end PointMass;

  model Massless "A body without mass: for a frame between two joints that has no body"
    Frame frame;
  equation
    frame.q*frame.q = 1;
    frame.f = zeros(3);
    frame.t = zeros(3);
  end Massless;

  model Rotor
    "A wheel that turns in a body: its mass and its inertia across the axis belong to that body. Set tau for a motor"
    parameter Real n[3] = {0, 0, 1} "axis of length 1, in the axes of the body";
    parameter Real J(unit = "kg.m2", min = 0) = 1 "inertia about the axis";
    Real w(unit = "rad/s", start = 0) "rate about the axis, measured in the world: that of the body is included";
    Real tau(unit = "N.m") = 0 "torque on the wheel about the axis, and back on the body";
    Real energy(unit = "J") = 0.5*J*w^2 "of this turning";
    Frame frame;
  protected
    Real e[3] = toWorld(frame.q, n) "axis";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    J*der(w) = tau;
    frame.t = tau*e + J*w*der(e); // change of the angular momentum J*w*e
    frame.f = zeros(3);
    annotation(Daedal(draw(wheel = hinge(frame.r, toWorld(frame.q, n), colour = "purple"))));
  end Rotor;

  // ---- what goes between frames ----

  partial model TwoFrames "A massless part between two frames"
    Frame a, b;
  equation
    a.f + b.f = zeros(3);
    a.t + b.t + cross(b.r - a.r, b.f) = zeros(3);
  end TwoFrames;

  model FixedTransform
    "A frame b fixed to the same body as frame a: b follows a, so a must be the frame of a body or of the world"
    extends TwoFrames;
    parameter Real r[3](each unit = "m") = zeros(3) "from a to b, in the axes of a";
    parameter Real n[3] = {0, 0, 1} "axis of length 1 about which b is turned, in the axes of a";
    parameter Real angle(unit = "rad") = 0 "by how much";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    b.r = a.r + toWorld(a.q, r);
    b.q = turned(a.q, n, angle);
    annotation(Daedal(draw(bar = line(a.r, b.r, colour = "grey"))));
  end FixedTransform;

  model Weld "Holds two frames together"
    extends TwoFrames;
  equation
    a.r = b.r;
    turnOf(a.q, b.q) = zeros(3);
  end Weld;

  model Spherical "Ball joint: holds two points together"
    extends TwoFrames;
  equation
    a.r = b.r;
    b.t = zeros(3);
    annotation(Daedal(draw(ball = point(a.r, colour = "black"))));
  end Spherical;

  model Universal
    "Holds two points together and the axis na of a at right angles to the axis nb of b. Set tau for motors or friction"
    extends TwoFrames;
    parameter Real na[3] = {1, 0, 0} "axis of length 1, in the axes of a";
    parameter Real nb[3] = {0, 1, 0} "axis of length 1, in the axes of b";
    Real phi[2](each unit = "rad", each stateSelect = StateSelect.prefer)
      "angles of b against a: about na, then about nb; both 0 where the frames have the same axes (see rightAngled)";
    Real w[2](each unit = "rad/s", each stateSelect = StateSelect.prefer) = der(phi) "their rates";
    Real tau[2](each unit = "N.m") = zeros(2) "torques on b about na and nb, and back on a";
    Real lambda(unit = "N.m") = b.t*cross(toWorld(a.q, na), toWorld(b.q, nb)) "torque that keeps the axes at right angles";
  protected
    parameter Real q0[4] = rightAngled(na, nb) "attitude of b against a where both angles are 0";
    Real c[4] = times(turned(a.q, na, phi[1]), q0) "attitude of the cross, as a gives it";
    Real d[4] = turned(b.q, nb, -phi[2]) "and as b gives it: in these axes the slopes in both angles are constant";
  equation
    assert(abs(na*na - 1) < 1e-6 and abs(nb*nb - 1) < 1e-6, "the axes na and nb must have the length 1");
    a.r = b.r;
    turnOf(c, d) = zeros(3);
    toWorld(a.q, na)*b.t = -tau[1];
    toWorld(b.q, nb)*b.t = -tau[2];
    annotation(Daedal(draw(cross = {hinge(a.r, toWorld(a.q, na)), hinge(b.r, toWorld(b.q, nb))})));
  end Universal;

  partial model Hinge "A joint whose frames turn about one axis; tau is what turns b against a"
    extends TwoFrames;
    parameter Real n[3] = {0, 0, 1} "axis of length 1, in the axes of a and of b";
    Real phi(unit = "rad", stateSelect = StateSelect.prefer) "angle of b against a";
    Real w(unit = "rad/s", stateSelect = StateSelect.prefer) = der(phi) "its rate";
  protected
    Real e[4] = turned(a.q, n, phi) "attitude that b must have";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    turnOf(e, b.q) = zeros(3)
      "a loop of joints with parallel axes would say some of this twice: let one be a RevolutePlanarLoop of the same n";
  end Hinge;

  model Revolute "Joint with one axis. Set tau for a motor, a spring or friction: Revolute j(tau = u - 0.1*j.w)"
    extends Hinge;
    Real tau(unit = "N.m") = 0 "torque on b about the axis, and back on a";
  equation
    a.r = b.r
      "a loop of joints with parallel axes would say some of this twice: let one be a RevolutePlanarLoop of the same n";
    toWorld(a.q, n)*b.t = -tau;
    annotation(Daedal(draw(pin = hinge(a.r, toWorld(a.q, n)))));
  end Revolute;

  model RevoluteDrive "Joint with one axis whose angle is prescribed: RevoluteDrive j(phi = sin(time))"
    extends Hinge;
    Real tau(unit = "N.m") = -toWorld(a.q, n)*b.t "torque on b that this takes";
  equation
    a.r = b.r
      "a loop of joints with parallel axes would say some of this twice: let one be a RevolutePlanarLoop of the same n";
    annotation(Daedal(draw(pin = hinge(a.r, toWorld(a.q, n), colour = "orange"))));
  end RevoluteDrive;

  model Prismatic
    "Slides along one axis without turning. Set force for a drive, a spring or friction: Prismatic j(force = u - 5*j.v)"
    extends TwoFrames;
    parameter Real n[3] = {1, 0, 0} "axis of length 1, in the axes of a and of b";
    Real s(unit = "m", stateSelect = StateSelect.prefer) "from a to b";
    Real v(unit = "m/s", stateSelect = StateSelect.prefer) = der(s) "its rate";
    Real force(unit = "N") = 0 "force on b along the axis, and back on a";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    turnOf(a.q, b.q) = zeros(3);
    b.r - a.r = s*toWorld(a.q, n);
    toWorld(a.q, n)*b.f = -force;
    annotation(Daedal(draw(rail = line(a.r, b.r, colour = "silver"))));
  end Prismatic;

  model Cylindrical "Turns about one axis and slides along it"
    extends Hinge;
    Real s(unit = "m", stateSelect = StateSelect.prefer) "from a to b along the axis";
    Real v(unit = "m/s", stateSelect = StateSelect.prefer) = der(s) "its rate";
  equation
    b.r - a.r = s*toWorld(a.q, n);
    toWorld(a.q, n)*b.f = 0;
    toWorld(a.q, n)*b.t = 0;
    annotation(Daedal(draw(rail = line(a.r, b.r, colour = "silver"), pin = hinge(a.r, toWorld(a.q, n)))));
  end Cylindrical;

  model Guide "Holds the point b on a straight line through a, without contact forces along it; b may turn as it likes"
    extends TwoFrames;
    parameter Real n[3] = {1, 0, 0} "direction of length 1, in the axes of a";
    Real s(unit = "m") "from a to b along the line";
    Real v(unit = "m/s") = der(s) "its rate";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    b.r - a.r = s*toWorld(a.q, n);
    toWorld(a.q, n)*b.f = 0;
    b.t = zeros(3);
    annotation(Daedal(draw(rail = line(a.r, b.r, colour = "silver"))));
  end Guide;

  model RevolutePlanarLoop
    "Closes a planar loop of Revolute joints with parallel axes: only what is not already said by the others"
    extends Guide(n = {0, 0, 1});
    annotation(Daedal(draw(rail = hinge(b.r, toWorld(a.q, n)))));
  end RevolutePlanarLoop;

  model PlaneGuide "Holds the point b in a plane through a"
    extends TwoFrames;
    parameter Real n[3] = {0, 0, 1} "normal of length 1, in the axes of a";
    Real lambda(unit = "N") "force on b along the normal";
  equation
    assert(abs(n*n - 1) < 1e-6, "the axis n must have the length 1");
    toWorld(a.q, n)*(b.r - a.r) = 0;
    b.f = -lambda*toWorld(a.q, n);
    b.t = zeros(3);
  end PlaneGuide;

  partial model Line "A massless part that pulls along the line between two points"
    Frame a, b;
    Real d[3](each unit = "m") = b.r - a.r "from a to b";
    Real tension(unit = "N") "positive when it pulls the points together";
  equation
    a.f + b.f = zeros(3);
    a.t = zeros(3);
    b.t = zeros(3);
  end Line;

  model Rod "Keeps the distance of two points: a massless rod with ball joints at both ends"
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

  model Force "A force on a frame: Force push(f = {u, 0, 0})"
    parameter Boolean turning = false "f is in the axes of the frame, not of the world";
    input Real f[3](each unit = "N");
    Frame frame;
  equation
    frame.f = -(if turning then toWorld(frame.q, f) else f);
    frame.t = zeros(3);
    annotation(Daedal(draw(force = arrow(frame.r, -frame.f))));
  end Force;

  model Torque "A torque on a frame: Torque drive(t = {0, 0, u})"
    parameter Boolean turning = false "t is in the axes of the frame, not of the world";
    input Real t[3](each unit = "N.m");
    Frame frame;
  equation
    frame.f = zeros(3);
    frame.t = -(if turning then toWorld(frame.q, t) else t);
    annotation(Daedal(draw(torque = arrow(frame.r, -frame.t, colour = "purple"))));
  end Torque;
end Mechanics;
