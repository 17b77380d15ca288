model Lines
  Real x = 1; // comment
  Real y = 2;
end Lines;
// expect-count: rows=2
