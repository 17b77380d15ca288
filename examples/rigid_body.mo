// A body that tumbles without torque; its orientation is a unit quaternion, kept so by a multiplier. Index 2.
model RigidBody
  import Daedal.Rotations.*;
  parameter Real I[3](each unit = "kg.m2") = {1, 2, 3} "moments of inertia";
  parameter Real at[3] = zeros(3) "where it is drawn";
  Real q[4](start = {1, 0, 0, 0}, fixed = {false, true, true, true}) "attitude", mu "stays 0: holds q*q = 1";
  Real w[3](start = {0.1, 1, 0.1}, each fixed = true, each unit = "rad/s") "angular velocity, in the body";
  Real energy(unit = "J") = 0.5*(I*w.^2);
  Real H[3](each unit = "N.m.s") = quaternionRotate(q, I.*w) "angular momentum, in space";
equation
  der(q) = 0.5*quaternionProduct(q, cat(1, {0}, w)) + mu*q;
  I.*der(w) + cross(w, I.*w) = zeros(3);
  q*q = 1;
  annotation(Daedal(draw(body = box(at, size = {sqrt(sum(I) - 2*I[k]) for k in 1:3}, rotation = q), axes = frame(at, rotation = q, length = 1.6),
    momentum = arrow(at, H))));
end RigidBody;

// The same body three times, turning about one of its axes each, a little beside it.
model ThreeAxes "stable about the first and the third axis, not about the second"
  RigidBody about[3](w(start = [1, 0.01, 0.01; 0.01, 1, 0.01; 0.01, 0.01, 1]), at = {{4*(i - 2), 0, 0} for i in 1:3});
  annotation(experiment(StopTime = 40));
end ThreeAxes;
