// The rows are dependent in x' and w' with a factor that depends on y: y times the first minus the second is a constraint.
model StateDependent
  Real x(start = 1), y(start = 2), w(start = 0.3);
equation
  der(x) + y*der(w) = x;
  y*der(x) + y^2*der(w) = w - sin(time);
  der(y) = -y + w;
end StateDependent;
// y x = w - sin(t), index 1
// expect: index=1 dof=2 constraint_count=1 hidden_count=0 unknowns=3 kind=dae verdict=ok certificate=converted|derivative_array
