model M
  Real x;
equation
  x = sin(t) + Time;
end M;
// expect-error: 4:11: t is not declared: did you mean time?
// expect-error: 4:16: Time is not declared: did you mean time?
