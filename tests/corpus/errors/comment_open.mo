model M
  Real x = 1; /* a comment
end M;
// expect-error: 2:15: this comment is never closed
