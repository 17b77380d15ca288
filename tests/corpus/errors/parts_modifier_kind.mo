model Part parameter Real k = 1; Real x = k; end Part;
model Top
  Part a(k = {1, 2}), b(k = true), c(x = "text"), d = 3, e(k.z = 2);
  parameter Integer n = 2.5;
end Top;
// expect-error: 3:51: d is a component: only records and variables are bound with `=`
// expect-error: 3:10: a.k is a scalar, but its value has size 2
// expect-note: 1:27: a.k is declared here
// expect-error: 3:25: b.k is a number, but its value is Boolean
// expect-note: 1:27: b.k is declared here
// expect-error: 4:21: n is an Integer, but its value is 2.5
// expect-error: 3:62: e.k has no attribute z; there are start, fixed, min, max, nominal, unit, displayUnit, quantity and stateSelect
// expect-note: 1:27: e.k is declared here
// expect-error: 3:42: a text cannot be used where a number or a Boolean is needed
// expect-note: 1:39: c.x is declared here
