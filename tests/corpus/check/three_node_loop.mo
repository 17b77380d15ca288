// Mass balance around a loop: three node equations whose sum is 0 = 0.
model Loop
  Real q1, q2, q3;
equation
  q1 - q2 = 1;
  q2 - q3 = 2;
  q3 - q1 = -3;
end Loop;
// expect: verdict=singular index=null
// expect-exit: 1
