// A body without torque, started near one of its three axes: turning is stable about the axes of the smallest and of the largest
// inertia and unstable about the middle one. Energy and angular momentum are kept. 12 degrees of freedom.
model TumblingBody
  import Daedal.Mechanics.*;
  parameter Integer axis = 2 "1 smallest, 2 middle, 3 largest inertia";
  parameter Real I[3] = {1, 2, 3};
  Body body(I = diagonal(I), g = zeros(3), w(start = {if i == axis then 2 else 0.01 for i in 1:3}));
  Real momentum[3] = toWorld(body.q, body.I*body.w), energy = body.energy;
  Real away = sqrt(body.w*body.w - body.w[axis]^2) "turning about the other axes";
end TumblingBody;
