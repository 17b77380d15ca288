class Bob "Plane pendulum in Cartesian coordinates"
  parameter  Real mass=0.7,g=9.81,len=0.5;
  Real tension(unit="N");
  output Real x(start=0.3, fixed=true),y(start=-0.4);
  output Real vx(start=0, fixed=true),vy(start=0);
  Real energy = 0.5*mass*(vx^2 + vy^2) + mass*g*y;
equation
  der(x)=vx; der(y)=vy;
  mass*der(vx)=-tension*x/len;
  mass*der(vy)=-tension*y/len-mass*g;
  x^2+y^2=len^2;
  annotation(experiment(StopTime=4));
end Bob;
