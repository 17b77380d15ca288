model M
  String s;
  Integer n;
  Boolean b;
  Elsewhere.Units.Voltage v;
  reel y;
  double z;
  Real x = 1;
end M;
// expect-error: 2:3: `String` variables are not supported yet
// expect-error: 3:11: n is an Integer variable: these change at events, which are not supported yet; Real variables and parameters of any type are
// expect-error: 4:11: b is a Boolean variable: these change at events, which are not supported yet; Real variables and parameters of any type are
// expect-error: 5:3: Elsewhere.Units.Voltage: there is no package or class Elsewhere
// expect-error: 6:3: there is no type reel: types are Real, Integer, Boolean, those defined with `type`, and classes
// expect-error: 7:3: there is no type double: did you mean Real?
