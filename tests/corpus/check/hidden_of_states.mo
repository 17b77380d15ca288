// Hidden constraints are told in the states: rates of variables that other rows give are put in.
package Ropes
  partial model Mass
    Real x(start = 1), y(start = 0), vx, vy(start = 1), a, b;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = a*x;
    der(vy) = a*y;
    x^2 + y^2 = b;
  end Mass;
  model Growing extends Mass; equation b = time + 1; end Growing;
  model GrowingFirst "the same with the rows in the other order"
    Real b, x(start = 1), y, vx, vy, a;
  equation
    b = time + 1;
    x^2 + y^2 = b;
    der(x) = vx; der(y) = vy; der(vx) = a*x; der(vy) = a*y;
  end GrowingFirst;
  model Constant extends Mass; equation b = 1; end Constant;
  model Chain extends Mass; Real c, d; equation b = 2*c - 1; c = d; d = (2 + time)/2; end Chain;
  model Parameter extends Mass; parameter Real L = 1, k = 3; equation b = L^2 + k*time; end Parameter;
  model FromInput extends Mass; input Real u; equation b = u; end FromInput;
  model FromState extends Mass; Real s(start = 0); equation der(s) = 1 - s; b = s + 1; end FromState;
  model Slider "prescribed through two variables that are functions of each other"
    Real p, v, f, c, q;
  equation
    der(p) = v;
    der(v) = f;
    p = c + q;
    q = sin(time);
    c = 2*q;
  end Slider;
  model Arrays
    Real r[2](start = {1, 0}), v[2](start = {0, 1}), a, b[2];
  equation
    der(r) = v;
    der(v) = a*r;
    r*r = b*b;
    b = {1, 2*time};
  end Arrays;
end Ropes;
// run: Ropes.Growing
// expect: index=3 dof=2 unknowns=6 constraint_count=2 hidden_count=2 verdict=ok certificate=structural
// expect-hidden: x*vx + y*vy - 0.5 = 0
// expect-hidden: vx^2 + vy^2 + a*x^2 + a*y^2 = 0 | vx^2 + vy^2 + x^2*a + y^2*a = 0
// run: Ropes.GrowingFirst
// expect: index=3 dof=2 constraint_count=2 hidden_count=2
// expect-hidden: x*vx + y*vy - 0.5 = 0
// expect-hidden: vx^2 + vy^2 + a*x^2 + a*y^2 = 0 | vx^2 + vy^2 + x^2*a + y^2*a = 0
// run: Ropes.Constant
// expect: index=3 dof=2 constraint_count=2 hidden_count=2
// expect-hidden: x*vx + y*vy = 0
// expect-hidden: vx^2 + vy^2 + a*x^2 + a*y^2 = 0 | vx^2 + vy^2 + x^2*a + y^2*a = 0
// run: Ropes.Chain
// expect: index=3 dof=2 unknowns=8 constraint_count=4 hidden_count=2
// expect-hidden: x*vx + y*vy - 0.5 = 0
// expect-hidden: vx^2 + vy^2 + a*x^2 + a*y^2 = 0 | vx^2 + vy^2 + x^2*a + y^2*a = 0
// run: Ropes.Parameter
// expect: index=3 dof=2 constraint_count=2 hidden_count=2
// expect-hidden: 2*x*vx + 2*y*vy - k = 0 | 2*x*vx - k + 2*y*vy = 0
// run: Ropes.FromInput
// expect: index=3 dof=2 constraint_count=2 hidden_count=2
// expect-hidden: 2*x*vx + 2*y*vy - der(u) = 0 | 2*x*vx - der(u) + 2*y*vy = 0
// run: Ropes.FromState
// expect: index=3 dof=3 unknowns=7 constraint_count=2 hidden_count=2
// expect-hidden: 2*x*vx + 2*y*vy + s - 1 = 0 | s + 2*x*vx + 2*y*vy - 1 = 0
// run: Ropes.Slider
// expect: index=3 dof=0 constraint_count=3 hidden_count=2
// expect-hidden: v - 3*cos(time) = 0 | v = 3*cos(time)
// run: Ropes.Arrays
// expect: index=3 dof=2 unknowns=7 constraint_count=3 hidden_count=2
// expect-hidden: r*v - 2*b[2] = 0
