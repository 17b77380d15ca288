model Brusselator1D
  parameter Integer n = 6;
  parameter Real a = 1, b = 3, D = 0.02;
  final parameter Real h = 1/(n + 1);
  Real u[n](start = {1 + sin(2*Modelica.Constants.pi*i*h) for i in 1:n}, each fixed = true);
  Real v[n](each start = 3, each fixed = true);
equation
  for i in 1:n loop
    der(u[i]) = a + u[i]^2*v[i] - (b + 1)*u[i]
                + D/h^2*((if i > 1 then u[i - 1] else 1) - 2*u[i] + (if i < n then u[i + 1] else 1));
    der(v[i]) = b*u[i] - u[i]^2*v[i]
                + D/h^2*((if i > 1 then v[i - 1] else 3) - 2*v[i] + (if i < n then v[i + 1] else 3));
  end for;
  annotation(experiment(StopTime = 4));
end Brusselator1D;
