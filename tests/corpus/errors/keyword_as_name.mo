model M
  Real x;
  Real end;
  Real input;
equation
  x = 1;
end M;
// expect-error: 3:8: expected a name for the variable, found the keyword `end`: choose another name, or quote it as 'end'
// expect-error: 4:8: expected a name for the variable, found the keyword `input`: choose another name, or quote it as 'input'
