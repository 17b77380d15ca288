model Motor
  Real x = 1;
end;
// expect-error: 3:1: `end` names what it closes: write `end Motor;`
