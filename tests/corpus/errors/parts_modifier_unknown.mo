model Part parameter Real k = 1; Real x = k; end Part;
model Top
  Part a(kk = 2), b(x(strat = 1)), c(k(start = 1), y = 2), d[5000](kk = 1);
  extends Part(q = 3);
end Top;
// expect-error: 4:16: Part has no member q
// expect-note: 1:7: Part is defined here; its parameter is k
// expect-error: 3:10: Part has no member kk: did you mean k?
// expect-note: 1:7: Part is defined here
// expect-error: 3:52: Part has no member y
// expect-note: 1:7: Part is defined here; its parameter is k
// expect-error: 3:68: Part has no member kk: did you mean k?
// expect-note: 1:7: Part is defined here
// expect-error: 3:23: b.x has no attribute strat: did you mean start?
// expect-note: 1:39: b.x is declared here
