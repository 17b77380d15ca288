model M "a\q"
  Real x = 1;
end M;
// expect-error: 1:11: unknown escape in a string: a backslash itself is written `\\`
