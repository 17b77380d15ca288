// The same with inflows that do not add up.
model LoopWrong
  Real q1, q2, q3;
equation
  q1 - q2 = 1;
  q2 - q3 = 2;
  q3 - q1 = -2;
end LoopWrong;
// expect: verdict=inconsistent index=null
// expect-exit: 1
