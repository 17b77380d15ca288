model M
  Real x;;
equation
  x = 1;;
end M;
;
// expect-error: 2:10: a `;` without a declaration before it
// expect-error: 4:9: a `;` without an equation before it
// expect-error: 6:1: a `;` without a class before it
