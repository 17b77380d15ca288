model DeterminedTwice
  Real x, y, z;
equation
  x + y = sin(time);
  z = sin(time);
  der(z) = cos(time);
end DeterminedTwice;
