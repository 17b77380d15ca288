// Arrays of components: members as vectors and matrices, slices, end, size, sums.
model Arm
  parameter Real alpha = 1, J = 0.05;
  Real th(start = 0.3, fixed = true), w(start = 0, fixed = true) = der(th), T = 0.5*J*w^2, e[2] = {cos(th), sin(th)};
equation
  J*der(w) = -alpha*th;
end Arm;
model Top
  parameter Integer n = 3;
  Arm arm[n](alpha = {1, 2, 3});
  Real all[n] = arm.th, energy = sum(arm.T), tail[2] = arm[2:end].w, last = arm[end].th;
  Real E[n, 2] = arm.e, col[n] = arm.e[2], row[2] = arm[2].e, k = size(arm, 1), mean = sum(arm[i].th for i in 1:size(arm, 1))/n;
  Real prod = arm.th*arm.w;
end Top;
