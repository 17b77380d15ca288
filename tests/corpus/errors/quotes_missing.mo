model M
  Real 'a.b' = 1;
  Real x = a.b;
  Real y = c.d;
  Real z = StateSelect.prefer;
end M;
// expect-error: 3:12: a.b is declared with quotes: write 'a.b'
// expect-error: 4:12: c.d: names with a dot belong to components and packages, which are not supported yet
// expect-error: 5:12: StateSelect.prefer can stand only in stateSelect = ...
