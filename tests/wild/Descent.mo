class Planet
  constant Real G = 6.6743e-11 "gravitation";
  parameter Real radius;
  parameter String name = "nameless";
  parameter Real mass;
end Planet;

class Lander "a burning stage"
  parameter String name = "";
  parameter Real fuelRate=0.0003 "kg per newton second";
  Real m(start=1200);
  Real height(start=90000);
  Real v(start=-900);
  Real a;
  Real pull;   // of the planet
  Real push;   // of the engine
equation
  der(height) = v;
  der(v) = a;
  m*a = push - m*pull;
  der(m) = -fuelRate * abs(push);
end Lander;

class Descent
  parameter Real strong = 14000;
  parameter Real weak = 2500;
protected
  parameter Real throttle = 60;
  parameter Real cutoff = 95;
public
  Lander eagle(name="eagle");
  Planet moon(name="moon",mass=7.35e22,radius=1.7374e6);
equation
  eagle.push = if (time<throttle) then strong
               else if (time<cutoff) then weak
               else 0;
  eagle.pull=moon.G*moon.mass/(eagle.height+moon.radius)^2;
  annotation(experiment(StopTime=110));
end Descent;
