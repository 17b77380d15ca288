model M;
  Real x; y;
  inner Real g = 9.81;
equation
  der(x) = -x;
  when x > 1 then
    reinit(x, 0);
  end when;
end M;
// expect-error: 1:8: a `;` without a declaration before it: leave it out
// expect-error: 2:11: `y` is a type without a name, or a name without a type
// expect-error: 3:3: `inner` is not supported yet: give every component the value
// expect-error: 6:3: `when` is not supported yet: write what switches as an `if` expression
