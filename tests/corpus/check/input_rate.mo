// A hidden constraint with the derivative of an input is printed once.
model InputRate
  input Real u;
  Real x1, x2;
equation
  x2 = u;
  x1 = der(x2);
end InputRate;
// expect: verdict=ok index=2 dof=0 hidden_count=1
// expect-hidden: x1 = der(u)
