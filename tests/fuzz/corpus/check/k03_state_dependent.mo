model StateDependent
  Real x(start = 1), y(start = 2), w(start = 0.3);
equation
  der(x) + y*der(w) = x;
  y*der(x) + y^2*der(w) = w - sin(time);
  der(y) = -y + w;
end StateDependent;
