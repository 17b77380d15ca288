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
//| model Top
//|   parameter Integer n = 3;
//|   parameter Real 'arm[1].alpha' = 1;
//|   parameter Real 'arm[1].J' = 0.05;
//|   Real 'arm[1].th'(start = 0.3, fixed = true);
//|   Real 'arm[1].w'(start = 0, fixed = true) = der('arm[1].th');
//|   Real 'arm[1].T' = 0.5*'arm[1].J'*'arm[1].w'^2;
//|   Real 'arm[1].e'[2] = {cos('arm[1].th'), sin('arm[1].th')};
//|   parameter Real 'arm[2].alpha' = 2;
//|   parameter Real 'arm[2].J' = 0.05;
//|   Real 'arm[2].th'(start = 0.3, fixed = true);
//|   Real 'arm[2].w'(start = 0, fixed = true) = der('arm[2].th');
//|   Real 'arm[2].T' = 0.5*'arm[2].J'*'arm[2].w'^2;
//|   Real 'arm[2].e'[2] = {cos('arm[2].th'), sin('arm[2].th')};
//|   parameter Real 'arm[3].alpha' = 3;
//|   parameter Real 'arm[3].J' = 0.05;
//|   Real 'arm[3].th'(start = 0.3, fixed = true);
//|   Real 'arm[3].w'(start = 0, fixed = true) = der('arm[3].th');
//|   Real 'arm[3].T' = 0.5*'arm[3].J'*'arm[3].w'^2;
//|   Real 'arm[3].e'[2] = {cos('arm[3].th'), sin('arm[3].th')};
//|   Real all[3] = {'arm[1].th', 'arm[2].th', 'arm[3].th'};
//|   Real energy = 'arm[1].T' + 'arm[2].T' + 'arm[3].T';
//|   Real tail[2] = {'arm[2].w', 'arm[3].w'};
//|   Real last = 'arm[3].th';
//|   Real E[3, 2] = {{'arm[1].e'[1], 'arm[1].e'[2]}, {'arm[2].e'[1], 'arm[2].e'[2]}, {'arm[3].e'[1], 'arm[3].e'[2]}};
//|   Real col[3] = {'arm[1].e'[2], 'arm[2].e'[2], 'arm[3].e'[2]};
//|   Real row[2] = 'arm[2].e';
//|   Real k = 3;
//|   Real mean = ('arm[1].th' + 'arm[2].th' + 'arm[3].th')/n;
//|   Real prod = 'arm[1].th'*'arm[1].w' + 'arm[2].th'*'arm[2].w' + 'arm[3].th'*'arm[3].w';
//| equation
//|   'arm[1].J'*der('arm[1].w') = -'arm[1].alpha'*'arm[1].th';
//|   'arm[2].J'*der('arm[2].w') = -'arm[2].alpha'*'arm[2].th';
//|   'arm[3].J'*der('arm[3].w') = -'arm[3].alpha'*'arm[3].th';
//| end Top;
// expect: verdict=ok index=1 dof=6 unknowns=36 equations=36
