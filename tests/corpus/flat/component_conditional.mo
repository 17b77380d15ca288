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
