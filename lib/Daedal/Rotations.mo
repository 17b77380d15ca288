within Daedal;
package Rotations "Rotations, rigid-body transforms and inertia"
  // R takes coordinates in the body to coordinates in space: v_space = R*v_body,
  // der(R) = R*skew(w_body) = skew(w_space)*R. Quaternions are {w, x, y, z}, the scalar first, of length 1. Angles are
  // in radians: R = rotZ(yaw)*rotY(pitch)*rotX(roll) for roll-pitch-yaw, R = rotZ(a)*rotY(b)*rotZ(c) for z-y-z. The
  // same functions for C are in daedal/rotation.h.
  // Everything can be differentiated. Where the branches of a condition meet, their values and derivatives agree to
  // rounding, so no event is needed.

  // ---- rotation matrices ----

  function skew "The matrix of the cross product: skew(v)*u = cross(v, u)"
    input Real v[3];
    output Real S[3, 3];
  algorithm
    S := [0, -v[3], v[2];
          v[3], 0, -v[1];
          -v[2], v[1], 0];
    annotation(Inline = true);
  end skew;

  function vee "The inverse of skew; of other matrices the vector of the antisymmetric part"
    input Real S[3, 3];
    output Real v[3];
  algorithm
    v := 0.5*{S[3, 2] - S[2, 3], S[1, 3] - S[3, 1], S[2, 1] - S[1, 2]};
    annotation(Inline = true);
  end vee;

  function rotX "Turn about the x axis"
    input Real angle "radians";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := [1, 0, 0;
          0, cos(angle), -sin(angle);
          0, sin(angle), cos(angle)];
    annotation(Inline = true);
  end rotX;

  function rotY "Turn about the y axis"
    input Real angle "radians";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := [cos(angle), 0, sin(angle);
          0, 1, 0;
          -sin(angle), 0, cos(angle)];
    annotation(Inline = true);
  end rotY;

  function rotZ "Turn about the z axis"
    input Real angle "radians";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := [cos(angle), -sin(angle), 0;
          sin(angle), cos(angle), 0;
          0, 0, 1];
    annotation(Inline = true);
  end rotZ;

  // ---- angle and axis, exponential and logarithm ----

  function sineRatio "sin(a)/a as a function of s = a^2, with all derivatives also at s = 0"
    input Real s "square of the angle, s >= 0";
    output Real y;
  algorithm
    y := noEvent(if s < 0.25 then
           1 - s/6*(1 - s/20*(1 - s/42*(1 - s/72*(1 - s/110*(1 - s/156*(1 - s/210))))))
         else sin(sqrt(s))/sqrt(s));
    annotation(Inline = true);
  end sineRatio;

  function cosineRatio "(1 - cos(a))/a^2 as a function of s = a^2, with all derivatives also at s = 0"
    input Real s "square of the angle, s >= 0";
    output Real y;
  algorithm
    y := noEvent(if s < 0.25 then
           0.5*(1 - s/12*(1 - s/30*(1 - s/56*(1 - s/90*(1 - s/132*(1 - s/182*(1 - s/240)))))))
         else 2*sin(0.5*sqrt(s))^2/s);
    annotation(Inline = true);
  end cosineRatio;

  function arcTangentRatio "atan(x)/x as a function of z = x^2 < 0.01, with all derivatives also at z = 0"
    input Real z "square of the tangent";
    output Real y;
  algorithm
    y := 1 - z*(1/3 - z*(1/5 - z*(1/7 - z*(1/9 - z*(1/11 - z*(1/13 - z*(1/15
         - z*(1/17 - z*(1/19 - z*(1/21 - z/23))))))))));
    annotation(Inline = true);
  end arcTangentRatio;

  function exponential "The rotation by |w| about w: exp(skew(w))"
    input Real w[3] "rotation vector";
    output Real R[3, 3] "rotation, body to space";
  protected
    Real S[3, 3];
  algorithm
    S := skew(w);
    R := identity(3) + sineRatio(w*w)*S + cosineRatio(w*w)*(S*S);
    annotation(Inline = true);
  end exponential;

  function logarithm "The rotation vector of R, of length at most pi; differentiable but at half a turn"
    input Real R[3, 3] "rotation, body to space";
    output Real w[3] "rotation vector";
  algorithm
    w := quaternionLogarithm(quaternionFromMatrix(R));
    annotation(Inline = true);
  end logarithm;

  function fromAngleAxis "The rotation by an angle about an axis of any length but zero"
    input Real angle "radians";
    input Real axis[3];
    output Real R[3, 3] "rotation, body to space";
  protected
    Real S[3, 3];
  algorithm
    S := skew(axis/sqrt(axis*axis));
    R := identity(3) + sin(angle)*S + 2*sin(0.5*angle)^2*(S*S);
    annotation(Inline = true);
  end fromAngleAxis;

  function angleOf "The angle of R, from 0 to pi; not differentiable at either end"
    input Real R[3, 3] "rotation, body to space";
    output Real angle "radians";
  protected
    Real q[4];
  algorithm
    q := quaternionFromMatrix(R);
    angle := 2*atan2(sqrt(q[2:4]*q[2:4]), q[1]);
    annotation(Inline = true);
  end angleOf;

  function axisOf "The axis of R, of length 1; R must not be the identity"
    input Real R[3, 3] "rotation, body to space";
    output Real axis[3];
  protected
    Real q[4];
  algorithm
    q := quaternionFromMatrix(R);
    axis := q[2:4]/sqrt(q[2:4]*q[2:4]);
    annotation(Inline = true);
  end axisOf;

  // ---- quaternions {w, x, y, z} ----

  function quaternionProduct "The product of quaternions: turn by b, then by a"
    input Real a[4];
    input Real b[4];
    output Real q[4];
  algorithm
    q := {a[1]*b[1] - a[2]*b[2] - a[3]*b[3] - a[4]*b[4],
          a[1]*b[2] + a[2]*b[1] + a[3]*b[4] - a[4]*b[3],
          a[1]*b[3] + a[3]*b[1] + a[4]*b[2] - a[2]*b[4],
          a[1]*b[4] + a[4]*b[1] + a[2]*b[3] - a[3]*b[2]};
    annotation(Inline = true);
  end quaternionProduct;

  function quaternionConjugate "The inverse turn"
    input Real q[4];
    output Real c[4];
  algorithm
    c := {q[1], -q[2], -q[3], -q[4]};
    annotation(Inline = true);
  end quaternionConjugate;

  function quaternionNormalise "q divided by its length, which must not be zero"
    input Real q[4];
    output Real u[4];
  algorithm
    u := q/sqrt(q*q);
    annotation(Inline = true);
  end quaternionNormalise;

  function quaternionRotate "The vector v turned by q"
    input Real q[4] "quaternion of length 1";
    input Real v[3];
    output Real u[3];
  protected
    Real t[3];
  algorithm
    t := 2*cross(q[2:4], v);
    u := v + q[1]*t + cross(q[2:4], t);
    annotation(Inline = true);
  end quaternionRotate;

  function quaternionToMatrix "The rotation matrix of q"
    input Real q[4] "quaternion of length 1";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := [1 - 2*(q[3]^2 + q[4]^2), 2*(q[2]*q[3] - q[1]*q[4]), 2*(q[2]*q[4] + q[1]*q[3]);
          2*(q[2]*q[3] + q[1]*q[4]), 1 - 2*(q[2]^2 + q[4]^2), 2*(q[3]*q[4] - q[1]*q[2]);
          2*(q[2]*q[4] - q[1]*q[3]), 2*(q[3]*q[4] + q[1]*q[2]), 1 - 2*(q[2]^2 + q[3]^2)];
    annotation(Inline = true);
  end quaternionToMatrix;

  function quaternionFromMatrix "The quaternion of R with q[1] >= 0, by the largest of its components (Shepperd)"
    input Real R[3, 3] "rotation, body to space";
    output Real q[4] "quaternion of length 1";
  protected
    Real t "trace";
    Real p[4] "q times four times its largest component";
  algorithm
    t := R[1, 1] + R[2, 2] + R[3, 3];
    p := noEvent(if t >= R[1, 1] and t >= R[2, 2] and t >= R[3, 3] then
           {1 + t, R[3, 2] - R[2, 3], R[1, 3] - R[3, 1], R[2, 1] - R[1, 2]}
         elseif R[1, 1] >= R[2, 2] and R[1, 1] >= R[3, 3] then
           {R[3, 2] - R[2, 3], 1 + R[1, 1] - R[2, 2] - R[3, 3], R[1, 2] + R[2, 1], R[1, 3] + R[3, 1]}
         elseif R[2, 2] >= R[3, 3] then
           {R[1, 3] - R[3, 1], R[1, 2] + R[2, 1], 1 + R[2, 2] - R[1, 1] - R[3, 3], R[2, 3] + R[3, 2]}
         else
           {R[2, 1] - R[1, 2], R[1, 3] + R[3, 1], R[2, 3] + R[3, 2], 1 + R[3, 3] - R[1, 1] - R[2, 2]});
    q := noEvent(if p[1] < 0 then -1 else 1)*p/sqrt(p*p);
    annotation(Inline = true);
  end quaternionFromMatrix;

  function quaternionFromAngleAxis "The quaternion of a turn by an angle about an axis of any length but zero"
    input Real angle "radians";
    input Real axis[3];
    output Real q[4] "quaternion of length 1";
  protected
    Real u[3];
  algorithm
    u := axis/sqrt(axis*axis);
    q := {cos(0.5*angle), sin(0.5*angle)*u[1], sin(0.5*angle)*u[2], sin(0.5*angle)*u[3]};
    annotation(Inline = true);
  end quaternionFromAngleAxis;

  function quaternionExponential "The quaternion of the turn by |w| about w"
    input Real w[3] "rotation vector";
    output Real q[4] "quaternion of length 1";
  protected
    Real a;
  algorithm
    a := 0.5*sineRatio(0.25*(w*w));
    q := {1 - 0.25*(w*w)*cosineRatio(0.25*(w*w)), a*w[1], a*w[2], a*w[3]};
    annotation(Inline = true);
  end quaternionExponential;

  function quaternionLogarithm "The rotation vector of q, of length at most pi"
    input Real q[4] "quaternion of length 1";
    output Real w[3] "rotation vector";
  protected
    Real p[4] "q or -q";
    Real n "square of the sine of half the angle";
    Real a;
  algorithm
    p := noEvent(if q[1] < 0 then -1 else 1)*q;
    n := p[2:4]*p[2:4];
    a := noEvent(if n < 0.01*p[1]^2 then 2/p[1]*arcTangentRatio(n/p[1]^2) else 2*atan2(sqrt(n), p[1])/sqrt(n));
    w := a*p[2:4];
    annotation(Inline = true);
  end quaternionLogarithm;

  // ---- Euler angles ----

  function fromRollPitchYaw "R = rotZ(yaw)*rotY(pitch)*rotX(roll)"
    input Real rpy[3] "roll, pitch, yaw";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := rotZ(rpy[3])*rotY(rpy[2])*rotX(rpy[1]);
    annotation(Inline = true);
  end fromRollPitchYaw;

  function toRollPitchYaw "Roll, pitch and yaw of R, |pitch| < pi/2; singular where cos(pitch) = 0"
    input Real R[3, 3] "rotation, body to space";
    output Real rpy[3] "roll, pitch, yaw";
  algorithm
    rpy := {atan2(R[3, 2], R[3, 3]), atan2(-R[3, 1], sqrt(R[1, 1]^2 + R[2, 1]^2)), atan2(R[2, 1], R[1, 1])};
    annotation(Inline = true);
  end toRollPitchYaw;

  function fromZYZ "R = rotZ(a)*rotY(b)*rotZ(c)"
    input Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := rotZ(zyz[1])*rotY(zyz[2])*rotZ(zyz[3]);
    annotation(Inline = true);
  end fromZYZ;

  function toZYZ "The angles z-y-z of R, 0 < b < pi; singular where sin(b) = 0"
    input Real R[3, 3] "rotation, body to space";
    output Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
  algorithm
    zyz := {atan2(R[2, 3], R[1, 3]), atan2(sqrt(R[1, 3]^2 + R[2, 3]^2), R[3, 3]), atan2(R[3, 2], -R[3, 1])};
    annotation(Inline = true);
  end toZYZ;

  function rollPitchYawMapBody "E with w_body = E*der(rpy); its determinant is cos(pitch)"
    input Real rpy[3] "roll, pitch, yaw";
    output Real E[3, 3];
  algorithm
    E := [1, 0, -sin(rpy[2]);
          0, cos(rpy[1]), sin(rpy[1])*cos(rpy[2]);
          0, -sin(rpy[1]), cos(rpy[1])*cos(rpy[2])];
    annotation(Inline = true);
  end rollPitchYawMapBody;

  function rollPitchYawMapSpace "E with w_space = E*der(rpy); its determinant is cos(pitch)"
    input Real rpy[3] "roll, pitch, yaw";
    output Real E[3, 3];
  algorithm
    E := [cos(rpy[3])*cos(rpy[2]), -sin(rpy[3]), 0;
          sin(rpy[3])*cos(rpy[2]), cos(rpy[3]), 0;
          -sin(rpy[2]), 0, 1];
    annotation(Inline = true);
  end rollPitchYawMapSpace;

  function rollPitchYawRatesBody "der(rpy) for an angular velocity in the body; singular where cos(pitch) = 0"
    input Real rpy[3] "roll, pitch, yaw";
    input Real w[3] "angular velocity in the body";
    output Real rates[3];
  protected
    Real yaw "der(rpy[3])";
  algorithm
    yaw := (sin(rpy[1])*w[2] + cos(rpy[1])*w[3])/cos(rpy[2]);
    rates := {w[1] + sin(rpy[2])*yaw, cos(rpy[1])*w[2] - sin(rpy[1])*w[3], yaw};
    annotation(Inline = true);
  end rollPitchYawRatesBody;

  function rollPitchYawRatesSpace "der(rpy) for an angular velocity in space; singular where cos(pitch) = 0"
    input Real rpy[3] "roll, pitch, yaw";
    input Real w[3] "angular velocity in space";
    output Real rates[3];
  protected
    Real roll "der(rpy[1])";
  algorithm
    roll := (cos(rpy[3])*w[1] + sin(rpy[3])*w[2])/cos(rpy[2]);
    rates := {roll, cos(rpy[3])*w[2] - sin(rpy[3])*w[1], w[3] + sin(rpy[2])*roll};
    annotation(Inline = true);
  end rollPitchYawRatesSpace;

  function zyzMapBody "E with w_body = E*der(zyz); its determinant is -sin(b)"
    input Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
    output Real E[3, 3];
  algorithm
    E := [-sin(zyz[2])*cos(zyz[3]), sin(zyz[3]), 0;
          sin(zyz[2])*sin(zyz[3]), cos(zyz[3]), 0;
          cos(zyz[2]), 0, 1];
    annotation(Inline = true);
  end zyzMapBody;

  function zyzMapSpace "E with w_space = E*der(zyz); its determinant is -sin(b)"
    input Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
    output Real E[3, 3];
  algorithm
    E := [0, -sin(zyz[1]), cos(zyz[1])*sin(zyz[2]);
          0, cos(zyz[1]), sin(zyz[1])*sin(zyz[2]);
          1, 0, cos(zyz[2])];
    annotation(Inline = true);
  end zyzMapSpace;

  function zyzRatesBody "der(zyz) for an angular velocity in the body; singular where sin(b) = 0"
    input Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
    input Real w[3] "angular velocity in the body";
    output Real rates[3];
  protected
    Real first "der(zyz[1])";
  algorithm
    first := (sin(zyz[3])*w[2] - cos(zyz[3])*w[1])/sin(zyz[2]);
    rates := {first, sin(zyz[3])*w[1] + cos(zyz[3])*w[2], w[3] - cos(zyz[2])*first};
    annotation(Inline = true);
  end zyzRatesBody;

  function zyzRatesSpace "der(zyz) for an angular velocity in space; singular where sin(b) = 0"
    input Real zyz[3] "angles of Rz(a) Ry(b) Rz(c)";
    input Real w[3] "angular velocity in space";
    output Real rates[3];
  protected
    Real last "der(zyz[3])";
  algorithm
    last := (cos(zyz[1])*w[1] + sin(zyz[1])*w[2])/sin(zyz[2]);
    rates := {w[3] - cos(zyz[2])*last, cos(zyz[1])*w[2] - sin(zyz[1])*w[1], last};
    annotation(Inline = true);
  end zyzRatesSpace;

  // ---- angular velocity ----

  function velocityBody "Angular velocity in the body, from R and der(R)"
    input Real R[3, 3] "rotation, body to space";
    input Real Rdot[3, 3] "der(R)";
    output Real w[3] "angular velocity in the body";
  algorithm
    w := vee(transpose(R)*Rdot);
    annotation(Inline = true);
  end velocityBody;

  function velocitySpace "Angular velocity in space, from R and der(R)"
    input Real R[3, 3] "rotation, body to space";
    input Real Rdot[3, 3] "der(R)";
    output Real w[3] "angular velocity in space";
  algorithm
    w := vee(Rdot*transpose(R));
    annotation(Inline = true);
  end velocitySpace;

  function rateBody "der(R) for an angular velocity in the body"
    input Real R[3, 3] "rotation, body to space";
    input Real w[3] "angular velocity in the body";
    output Real Rdot[3, 3] "der(R)";
  algorithm
    Rdot := R*skew(w);
    annotation(Inline = true);
  end rateBody;

  function rateSpace "der(R) for an angular velocity in space"
    input Real R[3, 3] "rotation, body to space";
    input Real w[3] "angular velocity in space";
    output Real Rdot[3, 3] "der(R)";
  algorithm
    Rdot := skew(w)*R;
    annotation(Inline = true);
  end rateSpace;

  function quaternionVelocityBody "Angular velocity in the body, from q and der(q)"
    input Real q[4] "quaternion of length 1";
    input Real qdot[4] "der(q)";
    output Real w[3] "angular velocity in the body";
  algorithm
    w := 2*(q[1]*qdot[2:4] - qdot[1]*q[2:4] - cross(q[2:4], qdot[2:4]));
    annotation(Inline = true);
  end quaternionVelocityBody;

  function quaternionVelocitySpace "Angular velocity in space, from q and der(q)"
    input Real q[4] "quaternion of length 1";
    input Real qdot[4] "der(q)";
    output Real w[3] "angular velocity in space";
  algorithm
    w := 2*(q[1]*qdot[2:4] - qdot[1]*q[2:4] + cross(q[2:4], qdot[2:4]));
    annotation(Inline = true);
  end quaternionVelocitySpace;

  function quaternionRateBody "der(q) for an angular velocity in the body"
    input Real q[4] "quaternion of length 1";
    input Real w[3] "angular velocity in the body";
    output Real qdot[4] "der(q)";
  algorithm
    qdot := 0.5*quaternionProduct(q, {0, w[1], w[2], w[3]});
    annotation(Inline = true);
  end quaternionRateBody;

  function quaternionRateSpace "der(q) for an angular velocity in space"
    input Real q[4] "quaternion of length 1";
    input Real w[3] "angular velocity in space";
    output Real qdot[4] "der(q)";
  algorithm
    qdot := 0.5*quaternionProduct({0, w[1], w[2], w[3]}, q);
    annotation(Inline = true);
  end quaternionRateSpace;

  // ---- rigid-body transforms [R, p; 0, 1] ----

  function transform "The transform x -> R*x + p"
    input Real R[3, 3] "rotation, body to space";
    input Real p[3];
    output Real T[4, 4];
  algorithm
    T := [R[1, 1], R[1, 2], R[1, 3], p[1];
          R[2, 1], R[2, 2], R[2, 3], p[2];
          R[3, 1], R[3, 2], R[3, 3], p[3];
          0, 0, 0, 1];
    annotation(Inline = true);
  end transform;

  function transformRotation "The rotation of a transform"
    input Real T[4, 4];
    output Real R[3, 3] "rotation, body to space";
  algorithm
    R := T[1:3, 1:3];
    annotation(Inline = true);
  end transformRotation;

  function transformTranslation "The translation of a transform"
    input Real T[4, 4];
    output Real p[3];
  algorithm
    p := T[1:3, 4];
    annotation(Inline = true);
  end transformTranslation;

  function transformCompose "A after B"
    input Real A[4, 4];
    input Real B[4, 4];
    output Real T[4, 4];
  algorithm
    T := A*B;
    annotation(Inline = true);
  end transformCompose;

  function transformInverse "The inverse of a transform"
    input Real T[4, 4];
    output Real I[4, 4];
  algorithm
    I := transform(transpose(T[1:3, 1:3]), -(transpose(T[1:3, 1:3])*T[1:3, 4]));
    annotation(Inline = true);
  end transformInverse;

  function transformPoint "A point transformed: R*x + p"
    input Real T[4, 4];
    input Real x[3];
    output Real y[3];
  algorithm
    y := T[1:3, 1:3]*x + T[1:3, 4];
    annotation(Inline = true);
  end transformPoint;

  function transformVector "A direction transformed: R*v"
    input Real T[4, 4];
    input Real v[3];
    output Real u[3];
  algorithm
    u := T[1:3, 1:3]*v;
    annotation(Inline = true);
  end transformVector;

  // ---- inertia about the centre of mass, axes of symmetry along z ----

  function inertiaBox "Solid box with edges x, y, z"
    input Real m "mass";
    input Real x;
    input Real y;
    input Real z;
    output Real J[3, 3] "inertia";
  algorithm
    J := m/12*diagonal({y^2 + z^2, x^2 + z^2, x^2 + y^2});
    annotation(Inline = true);
  end inertiaBox;

  function inertiaRod "Thin rod"
    input Real m "mass";
    input Real length;
    output Real J[3, 3] "inertia";
  algorithm
    J := m/12*diagonal({length^2, length^2, 0});
    annotation(Inline = true);
  end inertiaRod;

  function inertiaCylinder "Solid cylinder"
    input Real m "mass";
    input Real radius;
    input Real height;
    output Real J[3, 3] "inertia";
  algorithm
    J := inertiaTube(m, 0, radius, height);
    annotation(Inline = true);
  end inertiaCylinder;

  function inertiaTube "Hollow cylinder; inside = outside is a thin wall"
    input Real m "mass";
    input Real inside;
    input Real outside;
    input Real height;
    output Real J[3, 3] "inertia";
  protected
    Real across;
  algorithm
    across := (inside^2 + outside^2)/4 + height^2/12;
    J := m*diagonal({across, across, (inside^2 + outside^2)/2});
    annotation(Inline = true);
  end inertiaTube;

  function inertiaSphere "Solid sphere"
    input Real m "mass";
    input Real radius;
    output Real J[3, 3] "inertia";
  algorithm
    J := 0.4*m*radius^2*identity(3);
    annotation(Inline = true);
  end inertiaSphere;

  function inertiaShell "Hollow sphere, outside > 0; inside = outside is a thin wall"
    input Real m "mass";
    input Real inside;
    input Real outside;
    output Real J[3, 3] "inertia";
  protected
    Real k;
  algorithm
    k := inside/outside;
    J := 0.4*m*outside^2*(1 + k + k^2 + k^3 + k^4)/(1 + k + k^2)*identity(3);
    annotation(Inline = true);
  end inertiaShell;

  function inertiaCone "Solid cone; its centre of mass is height/4 above the base"
    input Real m "mass";
    input Real radius;
    input Real height;
    output Real J[3, 3] "inertia";
  protected
    Real across;
  algorithm
    across := 3/80*(4*radius^2 + height^2);
    J := m*diagonal({across, across, 0.3*radius^2});
    annotation(Inline = true);
  end inertiaCone;

  function inertiaShift "Parallel axes: inertia about a point at distance r from the centre of mass"
    input Real Jc[3, 3] "inertia about the centre of mass";
    input Real m "mass";
    input Real r[3];
    output Real J[3, 3] "inertia";
  protected
    Real S[3, 3];
  algorithm
    S := skew(r);
    J := Jc - m*(S*S);
    annotation(Inline = true);
  end inertiaShift;

  function inertiaToCentre "Parallel axes, back: inertia about the centre of mass at distance r"
    input Real J[3, 3] "inertia about the point";
    input Real m "mass";
    input Real r[3];
    output Real Jc[3, 3] "inertia about the centre of mass";
  algorithm
    Jc := inertiaShift(J, -m, r);
    annotation(Inline = true);
  end inertiaToCentre;

  function inertiaRotate "The inertia along other axes: R*J*transpose(R)"
    input Real J[3, 3] "inertia";
    input Real R[3, 3] "rotation, body to space";
    output Real K[3, 3];
  algorithm
    K := R*J*transpose(R);
    annotation(Inline = true);
  end inertiaRotate;

  function joinedCentre "The common centre of mass of n bodies"
    input Real m[:] "masses";
    input Real c[size(m, 1), 3] "centres of mass";
    output Real centre[3];
  algorithm
    centre := (m*c)/sum(m);
    annotation(Inline = true);
  end joinedCentre;

  function joinedInertia "The inertia of n bodies about their common centre of mass"
    input Real m[:] "masses";
    input Real c[size(m, 1), 3] "centres of mass";
    input Real J[size(m, 1), 3, 3] "inertias, each about its own centre";
    output Real K[3, 3];
  protected
    Real centre[3];
  algorithm
    centre := joinedCentre(m, c);
    K := zeros(3, 3);
    for i in 1:size(m, 1) loop
      K := K + inertiaShift(J[i, :, :], m[i], c[i, :] - centre);
    end for;
    annotation(Inline = true);
  end joinedInertia;

  // ---- rigid bodies ----

  function pointVelocity "v0 + w x r + vRel: a point at r that moves with vRel in a frame turning with w"
    input Real v0[3] "velocity of the origin";
    input Real w[3];
    input Real r[3];
    input Real vRel[3];
    output Real v[3];
  algorithm
    v := v0 + cross(w, r) + vRel;
    annotation(Inline = true);
  end pointVelocity;

  function pointAcceleration "a0 + w' x r (transversal) + w x (w x r) (centripetal) + 2 w x vRel (Coriolis) + aRel"
    input Real a0[3] "acceleration of the origin";
    input Real w[3];
    input Real wdot[3] "der(w)";
    input Real r[3];
    input Real vRel[3];
    input Real aRel[3];
    output Real a[3];
  algorithm
    a := a0 + cross(wdot, r) + cross(w, cross(w, r)) + 2*cross(w, vRel) + aRel;
    annotation(Inline = true);
  end pointAcceleration;

  function torque "J*der(w) + w x J*w (Euler)"
    input Real J[3, 3] "inertia";
    input Real w[3];
    input Real wdot[3] "der(w)";
    output Real t[3];
  algorithm
    t := J*wdot + cross(w, J*w);
    annotation(Inline = true);
  end torque;

  function angularAcceleration "der(w) for a torque: J*der(w) = t - w x J*w, by Cramer's rule"
    input Real J[3, 3] "inertia";
    input Real w[3];
    input Real t[3] "torque";
    output Real wdot[3];
  protected
    Real b[3];
  algorithm
    b := t - cross(w, J*w);
    wdot := (b[1]*cross(J[2, :], J[3, :]) + b[2]*cross(J[3, :], J[1, :]) + b[3]*cross(J[1, :], J[2, :]))
            /(J[1, :]*cross(J[2, :], J[3, :]));
    annotation(Inline = true);
  end angularAcceleration;

  function kineticEnergy "m*v^2/2 + w*J*w/2, v of the centre of mass"
    input Real m "mass";
    input Real J[3, 3] "inertia";
    input Real v[3];
    input Real w[3];
    output Real T;
  algorithm
    T := 0.5*m*(v*v) + 0.5*(w*(J*w));
    annotation(Inline = true);
  end kineticEnergy;
end Rotations;
