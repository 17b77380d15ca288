model M
  String s;
  Integer n;
  Boolean b;
  Modelica.SIunits.Voltage v;
  reel y;
  double z;
  Real x = 1;
end M;
// expect-error: 2:3: `String` variables are not supported yet
// expect-error: 3:11: n is an Integer variable: these change at events, which are not supported yet; Real variables and parameters of any type are
// expect-error: 4:11: b is a Boolean variable: these change at events, which are not supported yet; Real variables and parameters of any type are
// expect-error: 5:3: Modelica.SIunits.Voltage: types from packages are not supported yet; write Real(unit = "...")
// expect-error: 6:3: there is no type reel: types are Real, Integer, Boolean and those defined with `type`
// expect-error: 7:3: there is no type double: did you mean Real?
