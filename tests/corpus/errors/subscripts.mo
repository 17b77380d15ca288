model M
  Real p[3], x;
equation
  p[4] = 1;
  p[0] = x;
  p[1, 2] = 3;
  x[1] = 2;
  for i in 1:3 loop
    p[i] = p[i + 1];
  end for;
  p[1.5] = 2;
end M;
// expect-error: 4:5: subscript 4 is out of range: p has size 3
// expect-error: 5:5: subscript 0 is out of range: p has size 3
// expect-error: 6:3: p has 1 dimension, but 2 subscripts
// expect-error: 7:3: x has 0 dimensions, but 1 subscript
// expect-error: 9:14: subscript 4 is out of range: p has size 3
// expect-error: 11:5: a subscript must be an Integer or a vector of Integers, but 1.5 is Real; div(a, b) and integer(x) return Integers
