model M
  Real 'a.b' = 1;
  Real x = a.b;
  Real y = c.d;
  Real z = StateSelect.prefer;
end M;
// expect-error: 3:12: a.b is declared with quotes: write 'a.b'
// expect-error: 4:12: c is not declared
