package P
  function f
    input Real u;
    output Real a, b, c;
  algorithm
    a := u;
    b := 2*u;
    c := 3*u;
  end f;
  model M
    Real x, y, z, w;
  equation
    (x, , y) = f(time);
    (z, w) = P.f(2);
  end M;
end P;
// expect-model: M
// expect-row: x = time
// expect-row: y = 3*time
// expect-row: z = 2
// expect-row: w = 4
