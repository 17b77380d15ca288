model M
  Real x, y;
equation
  x = 1 + if y > 0 then 1 else 2;
end M;
// expect-error: 4:11: an `if` inside an expression needs parentheses: 1 + (if c then a else b)
