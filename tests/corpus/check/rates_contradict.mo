model RatesContradict
  Real x, y;
equation
  der(x) + der(y) = 1;
  der(x) + der(y) = 2;
end RatesContradict;
// expect: verdict=inconsistent index=null dof=null
// expect-exit: 1
