package Lib "constants and parts in packages"
  constant Real g = 9.81;
  package Sub
    constant Real k = 2*g;
    model Part
      parameter Real c = k;
      Real x = c;
    end Part;
    package Deep
      constant Real d = k + 1;
    end Deep;
  end Sub;
  encapsulated package Closed
    import Lib.Sub;
    import N = Lib.Sub.Deep;
    import Lib.Sub.{Part, Deep};
    constant Real s = Sub.k + N.d + Deep.d;
    model Uses
      Part p(c = s);
    end Uses;
  end Closed;
end Lib;
model Top
  import Lib.Sub.*;
  Part a;
  Lib.Closed.Uses u;
  Real y = Deep.d + .Lib.g;
end Top;
// class: Top
// expect-model: Top
// expect-var: a.c value=19.62
// expect-var: u.p.c value=60.86
// expect-count: vars=9 rows=3
// expect-equation: a.x = a.c
