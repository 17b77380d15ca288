// `optimization` and `constraint` are ordinary names where no optimization can stand
model Words
  Real optimization, constraint, objective, finalTime, free(start = 1);
equation
  optimization = 1;
  constraint = optimization + 2;
  objective = constraint*optimization;
  finalTime = time;
  der(free) = finalTime;
end Words;
// expect-count: rows=5
// expect-equation: optimization = 1
// expect-equation: constraint = optimization + 2
