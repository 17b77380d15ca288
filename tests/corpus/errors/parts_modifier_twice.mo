model Part parameter Real k = 1; Real x = k; end Part;
model Top
  Part a(k = 1, k = 2), b(x(start = 1), x(min = 0)), c(x(start = 1, start = 2));
end Top;
// expect-error: 3:17: k is given twice
// expect-error: 3:41: x is modified twice: write all of it in one place, x(start = .., min = ..)
// expect-error: 3:69: start is given twice
