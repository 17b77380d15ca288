model Assigned
  Real x(start = 1, fixed = true), y = 2*x, z = x + y + time;
equation
  der(x) = -z;
end Assigned;
