package Friction "An enumeration chooses the law"
  type Law = enumeration(none "no loss", linear "proportional to speed", quadratic "air");
  model Car
    parameter Law law = Law.linear;
    parameter Real m = 900, F = 1800, d = 40, k = 0.6;
    Real v(start = 0, fixed = true), loss;
  equation
    m*der(v) = F - loss;
    if law == Law.none then
      loss = 0;
    elseif law == Law.linear then
      loss = d*v;
    else
      loss = k*v*abs(v);
    end if;
  end Car;
  model Race
    Car a(law = Law.none), b, c(law = Friction.Law.quadratic);
    annotation(experiment(StopTime = 30));
  end Race;
end Friction;
