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
