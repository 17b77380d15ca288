model Part Real x = 1; end Part;
model Top
  parameter Boolean on = false;
  Part p if on;
  Real y = p.x;
equation
  p.x = 2;
end Top;
// expect-error: 5:12: p does not exist: the condition of its declaration in line 4 is false
// expect-note: 4:8: p is declared here
// expect-error: 7:3: p does not exist: the condition of its declaration in line 4 is false
// expect-note: 4:8: p is declared here
