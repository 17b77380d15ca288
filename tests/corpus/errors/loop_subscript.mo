model M
  Real x, y;
equation
  for i in 1:2 loop
    x = i[1];
  end for;
end M;
// expect-error: 5:9: i is a loop variable and has no subscripts
