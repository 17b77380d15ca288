// Parts that nothing is connected to are named as the text writes them, not by variables of their connectors.
// expect: verdict=singular index=null dof=null
// expect-reason: nothing is connected to spare.a, spare.b, row[2].a and row[2].b, so that the flows there are 0
// expect-reason: `spare.a.f = 0` (nothing is connected to spare.a)
package Unconnected
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  model Mass
    Flange a, b;
    Real s(start = 0, fixed = true), v(start = 1, fixed = true);
  equation
    a.s = s;
    b.s = s;
    v = der(s);
    2*der(v) = a.f + b.f;
  end Mass;
  model Spring
    Flange a, b;
  equation
    a.f + b.f = 0;
    b.f = 5*(b.s - a.s);
  end Spring;
  model Train "mass.b and row[1].b may be left open: a mass and one end of a spring bear it"
    Mass mass;
    Spring spare, row[2];
  equation
    connect(mass.a, row[1].a);
  end Train;
end Unconnected;
