model M
  Real x;
  Real y
  Real z;
equation
  x = ;
  y = 2*(x;
  for k in 1:2 loop
    z == 3;
  end for;
end N;
// expect-error: 3:9: missing `;` after the declaration
// expect-error: 6:7: expected an expression, found `;`
// expect-error: 7:11: expected `)` to close the parenthesis, found `;`
// expect-error: 9:5: an equation is written with one `=`; `==` compares two values
// expect-error: 11:5: `end N` does not fit: the model that begins in line 1 is called M
