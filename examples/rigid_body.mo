// A tumbling body without torque; its orientation is a unit quaternion, kept so by a multiplier. Index 2.
model RigidBody
  parameter Real I[3] = {1, 2, 3};
  Real q[4](start = {1, 0, 0, 0}), w[3](start = {0.1, 1, 0.1}, each fixed = true), mu;
equation
  der(q) = 0.5*{-q[2]*w[1] - q[3]*w[2] - q[4]*w[3], q[1]*w[1] + q[3]*w[3] - q[4]*w[2],
                q[1]*w[2] + q[4]*w[1] - q[2]*w[3], q[1]*w[3] + q[2]*w[2] - q[3]*w[1]} + mu*q;
  I[1]*der(w[1]) = (I[2] - I[3])*w[2]*w[3];
  I[2]*der(w[2]) = (I[3] - I[1])*w[3]*w[1];
  I[3]*der(w[3]) = (I[1] - I[2])*w[1]*w[2];
  q*q = 1;
end RigidBody;
