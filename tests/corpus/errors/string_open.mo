model M "never closed
  Real x;
end M;
// expect-error: 1:9: this string is never closed
