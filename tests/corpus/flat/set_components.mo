// --set reaches parameters and start values inside components, of one element or of all.
model Arm
  parameter Real J = 0.05, c[2] = {1, 2};
  Real th(start = 0.3, fixed = true);
equation
  J*der(th) = -c[1]*th;
end Arm;
model Top
  parameter Integer n = 2;
  Arm arm[n], single(J = 3);
end Top;
// run: Top --set arm[2].J=0.1 --set single.J=7
//| model Top
//|   parameter Integer n = 2;
//|   parameter Real 'arm[1].J' = 0.05;
//|   parameter Real 'arm[1].c'[2] = {1, 2};
//|   Real 'arm[1].th'(start = 0.3, fixed = true);
//|   parameter Real 'arm[2].J' = 0.1;
//|   parameter Real 'arm[2].c'[2] = {1, 2};
//|   Real 'arm[2].th'(start = 0.3, fixed = true);
//|   parameter Real 'single.J' = 7;
//|   parameter Real 'single.c'[2] = {1, 2};
//|   Real 'single.th'(start = 0.3, fixed = true);
//| equation
//|   'arm[1].J'*der('arm[1].th') = -'arm[1].c'[1]*'arm[1].th';
//|   'arm[2].J'*der('arm[2].th') = -'arm[2].c'[1]*'arm[2].th';
//|   'single.J'*der('single.th') = -'single.c'[1]*'single.th';
//| end Top;
// expect: verdict=ok index=0 dof=3 unknowns=3 equations=3
// run: Top --set arm.J=0.1 --set arm[1].th=0.5
//| model Top
//|   parameter Integer n = 2;
//|   parameter Real 'arm[1].J' = 0.1;
//|   parameter Real 'arm[1].c'[2] = {1, 2};
//|   Real 'arm[1].th'(start = 0.5, fixed = true);
//|   parameter Real 'arm[2].J' = 0.1;
//|   parameter Real 'arm[2].c'[2] = {1, 2};
//|   Real 'arm[2].th'(start = 0.3, fixed = true);
//|   parameter Real 'single.J' = 3;
//|   parameter Real 'single.c'[2] = {1, 2};
//|   Real 'single.th'(start = 0.3, fixed = true);
//| equation
//|   'arm[1].J'*der('arm[1].th') = -'arm[1].c'[1]*'arm[1].th';
//|   'arm[2].J'*der('arm[2].th') = -'arm[2].c'[1]*'arm[2].th';
//|   'single.J'*der('single.th') = -'single.c'[1]*'single.th';
//| end Top;
// expect: verdict=ok index=0 dof=3 unknowns=3 equations=3
// run: Top --set n=1 --set arm[1].c[2]=9 --set single.c={4,5}
//| model Top
//|   parameter Integer n = 1;
//|   parameter Real 'arm[1].J' = 0.05;
//|   parameter Real 'arm[1].c'[2] = {1, 9};
//|   Real 'arm[1].th'(start = 0.3, fixed = true);
//|   parameter Real 'single.J' = 3;
//|   parameter Real 'single.c'[2] = {4, 5};
//|   Real 'single.th'(start = 0.3, fixed = true);
//| equation
//|   'arm[1].J'*der('arm[1].th') = -'arm[1].c'[1]*'arm[1].th';
//|   'single.J'*der('single.th') = -'single.c'[1]*'single.th';
//| end Top;
// expect: verdict=ok index=0 dof=2 unknowns=2 equations=2
