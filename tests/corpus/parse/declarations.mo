model Declarations "everything a declaration can hold"
  type Voltage = Real(unit = "V", min = -100, max = 100, nominal = 10);
  type Small = Voltage(max = 5);
  type Position = Real[3](unit = "m", each start = 1);
  parameter Integer n = 2 "a size";
  constant Real c = 3;
  final parameter Real f = 2*c;
  parameter Boolean on = not false;
  input Real u(min = -1, max = 1), w[n];
  output Real y "seen from outside";
  Voltage v(start = 3, fixed = true, displayUnit = "mV", quantity = "Voltage");
  Small s(nominal = 0.5);
  Position p, q[2];
  Real[2] a, b[3];
  Real z(stateSelect = StateSelect.prefer, final start = f, min = -c);
  Real e[2](stateSelect = {StateSelect.never, StateSelect.always}, start = {1, n}, each nominal = 100);
equation
  y = v; der(v) = u; s = 1; p = zeros(3); q = zeros(2, 3); a = w; b = zeros(3, 2); z = 1; e = {1, 2};
end Declarations;
// expect-count: vars=30 rows=23 groups=9
// expect-var: n kind=parameter value=2
// expect-var: c kind=constant value=3
// expect-var: f kind=parameter value=6
// expect-var: on kind=parameter value=1
// expect-var: u kind=input min=-1 max=1
// expect-var: w[2] kind=input
// expect-var: y output=true kind=variable
// expect-var: v unit=V min=-100 max=100 nominal=10 start=3 fixed=true displayUnit=mV quantity=Voltage
// expect-var: s unit=V min=-100 max=5 nominal=0.5
// expect-var: p[3] unit=m start=1
// expect-var: q[2,3] unit=m start=1
// expect-var: a[2] kind=variable
// expect-var: b[3,2] kind=variable
// expect-var: z select=prefer start=6 min=-3
// expect-var: e[1] select=never start=1 nominal=100
// expect-var: e[2] select=always start=2
