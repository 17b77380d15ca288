model M
  Real 'a b = 1;
end M;
// expect-error: 2:8: this quoted name is never closed: add `'`
// expect-error: 2:17: missing `;` after the declaration
