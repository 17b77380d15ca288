package Base
  constant Real c = 2;
  model Part Real x = c; end Part;
end Base;
package Derived
  extends Base;
  model Whole
    Part p;
    model Inner extends Part; Real y = 3*x; end Inner;
    Inner i;
  end Whole;
end Derived;
model Top
  extends Derived.Whole;
  package D = Derived;
  D.Part q;
  Inner j;
end Top;
// expect-model: Top
// expect-count: vars=7 rows=6
