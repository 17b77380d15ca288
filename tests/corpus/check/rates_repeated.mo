model RatesRepeated
  Real x, y;
equation
  der(x) + der(y) = x;
  3*der(x) + 3*der(y) = 3*x;
end RatesRepeated;
// expect: verdict=singular index=null dof=null
// expect-exit: 1
