model RodLoop "A rod cut into slices, for loop"
  type Length=Real(unit="m", min=0);
  type Temperature=Real(unit="K", min=0);
  constant Real pi = 3.14159265358979;
  parameter Integer slices=8;
  parameter Length len=0.4, radius=0.01;
  parameter Real lambda(unit="W/(m.K)")=50, rho(unit="kg/m3")=7800, c(unit="J/(kg.K)")=500, film(unit="W/(m2.K)")=30;
  parameter Temperature air=293.15;
  final parameter Real area(unit="m2") = pi*radius^2, side(unit="m2") = 2*pi*radius*len/slices;
  final parameter Real cap(unit="J/K") = rho*c*area*len/slices, G(unit="W/K") = lambda*area/(len/slices);
  Temperature T[slices];
initial equation
  T = linspace(500,300,slices);
equation
  cap*der(T[1]) = G*(T[2]-T[1]) - film*side*(T[1]-air);
  for i in 2:(slices-1) loop
    cap*der(T[i]) = G*(T[i-1]-T[i]) + G*(T[i+1]-T[i]) - film*side*(T[i]-air);
  end for;
  cap*der(T[end]) = G*(T[end-1]-T[end]) - film*side*(T[end]-air);
  annotation(experiment(StopTime=300));
end RodLoop;

model RodSlices "the same with whole arrays"
  extends RodData;
  Real T[n](each unit="K");
  Real q[n+1](each unit="W") "heat flow into each slice from its left neighbour";
initial equation
  T = linspace(500,300,n);
equation
  q[1] = 0;
  q[2:n] = G*(T[1:n-1] - T[2:n]);
  q[n+1] = 0;
  cap*der(T) = q[1:n] - q[2:end] - film*side*(T - fill(air, n));
  annotation(experiment(StopTime=300));
end RodSlices;

partial model RodData "what all rods have in common"
  constant Real pi = 3.14159265358979;
  parameter Integer n=8;
  parameter Real len=0.4, radius=0.01, lambda=50, rho=7800, c=500, film=30, air=293.15;
protected
  final parameter Real area = pi*radius^2, side = 2*pi*radius*len/n;
  final parameter Real cap = rho*c*area*len/n, G = lambda*area*n/len;
end RodData;
