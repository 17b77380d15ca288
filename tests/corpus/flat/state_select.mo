// stateSelect by literal, by a parameter of the component, and from outside.
model Body
  parameter StateSelect select = StateSelect.default;
  Real s(stateSelect = select), v(stateSelect = StateSelect.prefer) = der(s);
equation
  der(v) = -s;
end Body;
model Top
  parameter StateSelect all = StateSelect.avoid;
  Body a, b(select = StateSelect.always), c(select = all), d(s(stateSelect = StateSelect.never));
end Top;
