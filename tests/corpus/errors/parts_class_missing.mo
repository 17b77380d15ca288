package Lib model Resistor Real x = 1; end Resistor; end Lib;
model Top
  Lib.Resistr r;
  Resistor q;
  Libs.Resistor s;
  import Lib.Capacitor;
  extends Lib.Base;
end Top;
// expect-error: 7:11: there is no class Base in Lib
// expect-error: 3:3: there is no type Resistr in Lib: did you mean Resistor?
// expect-error: 4:3: there is no type Resistor: types are Real, Integer, Boolean, those defined with `type`, and classes
// expect-error: 5:3: Libs.Resistor: there is no package or class Libs: did you mean Lib?
