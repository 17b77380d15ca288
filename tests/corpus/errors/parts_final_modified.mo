model Part final parameter Real k = 1; parameter Real m = 2; Real x = k*m; end Part;
model Mid Part p(final m = 3); end Mid;
model Top
  Part a(k = 2);
  Mid b(p(m = 4));
  extends Part(final m = 5);
end Top;
model Top2 extends Top(m = 6); end Top2;
// expect-error: 8:24: m was modified as final and cannot be modified again
// expect-note: 6:22: here it was made final
// expect-error: 4:10: a.k is final and cannot be modified
// expect-note: 1:33: a.k is declared here
// expect-error: 5:11: b.p.m was modified as final and cannot be modified again
// expect-note: 2:24: here it was made final
// expect-note: 5:7: inside b, a Mid declared here
