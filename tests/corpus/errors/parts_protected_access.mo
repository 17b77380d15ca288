model Part
protected parameter Real k = 1; Real h = k;
public Real y = h;
end Part;
model Top
  Part a, b(k = 2);
  Real z = a.h;
equation
  a.h = 3;
end Top;
// expect-error: 6:13: b.k is protected: it cannot be modified from outside its class
// expect-note: 2:26: b.k is declared here
// expect-error: 7:12: a.h is protected: it cannot be used from outside its class
// expect-note: 2:38: a.h is declared here
// expect-error: 9:3: a.h is protected: it cannot be used from outside its class
// expect-note: 2:38: a.h is declared here
