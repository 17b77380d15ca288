function f
  input Real x;
  output Real y = x;
algorithm
  while y > 0 loop
    y := y - 1;
  end while;
end f;
model Top
  Real a = f(time);
end Top;
// expect-error: 5:9: the condition of `while` changes during the simulation, so its end is not known: use `for` with a fixed number of steps, and break
// expect-note: 10:12: in this call of f
