model Arm
  Real th = 1;
end Arm;
model Robot
  Arm arm[3];
  Real s = sum(arm.th) + arm[1].th;
end Robot;
// expect-error: 5:3: components of a class (here Arm) are not supported yet
