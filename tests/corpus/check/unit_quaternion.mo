// Torque-free body with a unit quaternion kept by a multiplier: (q' = W(w) q / 2 + mu q, q.q = 1), index 2.
model UnitQuaternion
  parameter Real I[3] = {1, 2, 3};
  Real q[4](start = {1, 0, 0, 0}), w[3](start = {0.1, 1, 0.1}), mu;
equation
  der(q) = 0.5*{-q[2]*w[1] - q[3]*w[2] - q[4]*w[3], q[1]*w[1] + q[3]*w[3] - q[4]*w[2],
                q[1]*w[2] + q[4]*w[1] - q[2]*w[3], q[1]*w[3] + q[2]*w[2] - q[3]*w[1]} + mu*q;
  I[1]*der(w[1]) = (I[2] - I[3])*w[2]*w[3];
  I[2]*der(w[2]) = (I[3] - I[1])*w[3]*w[1];
  I[3]*der(w[3]) = (I[1] - I[2])*w[1]*w[2];
  q*q = 1;
end UnitQuaternion;
// expect: index=2 dof=6 constraint_count=1 hidden_count=1 unknowns=8 verdict=ok certificate=structural
