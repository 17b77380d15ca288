// What is inherited stands where extends stands, its equations first.
partial model TwoPort
  Real u, i;
  parameter Real q = 1;
equation
  u = q*10;
end TwoPort;
model R
  Real before = 1;
  extends TwoPort;
  parameter Real R = 2;
equation
  u = R*i;
end R;
//| model R
//|   Real before = 1;
//|   Real u;
//|   Real i;
//|   parameter Real q = 1;
//|   parameter Real R = 2;
//| equation
//|   u = q*10;
//|   u = R*i;
//| end R;
// expect: verdict=ok index=1 dof=0 unknowns=3 equations=3
