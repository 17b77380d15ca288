// Packages in packages: names are looked for from the inside outwards; constants become constants of the model.
package Outer
  constant Real a = 2;
  package Middle
    constant Real b = 3*a;
    package Inner
      constant Real c = a + b;
      model Part
        parameter Real k = c;
        Real x(start = k, fixed = true);
      equation
        der(x) = -b*x;
      end Part;
    end Inner;
    model Uses
      Inner.Part p, q(k = Inner.c + Outer.a);
    end Uses;
  end Middle;
end Outer;
// run: Outer.Middle.Uses
//| model Uses
//|   constant Real 'Outer.a' = 2;
//|   constant Real 'Outer.Middle.b' = 3*'Outer.a';
//|   constant Real 'Outer.Middle.Inner.c' = 'Outer.a' + 'Outer.Middle.b';
//|   parameter Real 'p.k' = 'Outer.Middle.Inner.c';
//|   Real 'p.x'(start = 'p.k', fixed = true);
//|   parameter Real 'q.k' = 'Outer.Middle.Inner.c' + 'Outer.a';
//|   Real 'q.x'(start = 'q.k', fixed = true);
//| equation
//|   der('p.x') = -'Outer.Middle.b'*'p.x';
//|   der('q.x') = -'Outer.Middle.b'*'q.x';
//| end Uses;
// expect: verdict=ok index=0 dof=2 unknowns=2 equations=2
