// import in all its forms, seen in the class and in the classes inside it.
package Lib
  constant Real g = 9.81;
  package Units
    type Length = Real(unit = "m", min = 0);
    type Speed = Real(unit = "m/s");
    constant Real scale = 10;
  end Units;
  package Parts
    model A Real x = 1; end A;
    model B Real x = 2; end B;
    model C Real x = 3; end C;
    function double input Real u; output Real y; algorithm y := 2*u; end double;
  end Parts;
end Lib;
model Top
  import Lib.Units;
  import Parts2 = Lib.Parts;
  import Lib.Parts.A;
  import L = Lib.Units.Length;
  import Lib.Parts.{B, C};
  import Lib.*;
  import Lib.Parts.double;
  model Inner
    A a;
  end Inner;
  Units.Speed v = Units.scale*g;
  Parts2.A a1;
  A a2;
  B b;
  C c;
  L l = double(g);
  Inner i;
end Top;
// run: Top
//| model Top
//|   Real v(unit = "m/s") = 'Lib.Units.scale'*'Lib.g';
//|   Real 'a1.x' = 1;
//|   Real 'a2.x' = 1;
//|   Real 'b.x' = 2;
//|   Real 'c.x' = 3;
//|   Real l(min = 0, unit = "m") = 19.62;
//|   Real 'i.a.x' = 1;
//|   constant Real 'Lib.Units.scale' = 10;
//|   constant Real 'Lib.g' = 9.81;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
