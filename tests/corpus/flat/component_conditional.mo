// Conditional components, also arrays and parameters with units; conditions from parameters of the same component.
model Damper
  Real f = 1;
end Damper;
model Part
  parameter Boolean damped = true;
  parameter Integer n = 2;
  Damper d[n] if damped and n > 1;
  Real extra if n > 5;
  Real y;
equation
  if damped and n > 1 then
    y = sum(d.f);
  else
    y = 0;
  end if;
end Part;
model Top
  Part a, b(damped = false), c(n = 1), e(n = 3);
end Top;
//| model Top
//|   parameter Boolean 'a.damped' = true;
//|   parameter Integer 'a.n' = 2;
//|   parameter Boolean 'b.damped' = false;
//|   parameter Integer 'b.n' = 2;
//|   parameter Boolean 'c.damped' = true;
//|   parameter Integer 'c.n' = 1;
//|   parameter Boolean 'e.damped' = true;
//|   parameter Integer 'e.n' = 3;
//|   Real 'a.d[1].f' = 1;
//|   Real 'a.d[2].f' = 1;
//|   Real 'a.y';
//|   Real 'b.y';
//|   Real 'c.y';
//|   Real 'e.d[1].f' = 1;
//|   Real 'e.d[2].f' = 1;
//|   Real 'e.d[3].f' = 1;
//|   Real 'e.y';
//| equation
//|   'a.y' - 'a.d[1].f' - 'a.d[2].f' = 0;
//|   'b.y' = 0;
//|   'c.y' = 0;
//|   'e.y' - 'e.d[1].f' - 'e.d[2].f' - 'e.d[3].f' = 0;
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=9 equations=9
