model Settings
  parameter Real k, a[2] = {1, 2}, A[2,2] = identity(2), d = 2*k;
  parameter Integer n = 2;
  parameter Boolean on = false;
  input Real u, w[2];
  Real x(start = 1, fixed = true), p[3], z[n];
equation
  der(x) = k*u; der(p) = zeros(3);
  z = if on then zeros(n) else ones(n);
end Settings;
// set: k=2*(3 - 1)/8
// set: a[2]=-5
// set: A={{1, 2}, {3, 4}}
// set: n=3
// set: on=true
// set: u=sin(2*time)
// set: x=0.25
// set: p={1, 2, 3}
// expect-var: k value=0.5
// expect-var: d value=1
// expect-var: a[1] value=1
// expect-var: a[2] value=-5
// expect-var: A[2,1] value=3
// expect-var: n value=3 structural=true
// expect-var: z[3] kind=variable
// expect-var: x start=0.25 fixed=true has_start=true
// expect-var: p[2] start=2 has_start=true fixed=false
// expect-var: on value=1
// expect-row: der(x) = k*u
// expect-row: der(p) = zeros(3)
// expect-row: z = zeros(3)
