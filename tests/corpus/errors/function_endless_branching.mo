function f
  input Real x;
  output Real y = x;
algorithm
  while y > 0 loop
    y := y + 1;
  end while;
end f;
function g
  input Real x;
  output Real y;
algorithm
  y := g(x);
end g;
function h
  input Integer n;
  output Real y;
algorithm
  y := h(n + 1) + h(n + 2);
end h;
function big
  input Integer n;
  output Real y = 0;
algorithm
  for i in 1:n loop
    for j in 1:n loop
      y := y + i*j;
    end for;
  end for;
end big;
model Top
  Real a = h(1);
end Top;
// expect-error: 19:8: h: more than 100 calls inside each other: does the recursion end?
// expect-note: 32:12: in this call of h
