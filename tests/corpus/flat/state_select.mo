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
//| model Top
//|   parameter Integer all = 2;
//|   parameter Integer 'a.select' = 3;
//|   Real 'a.s';
//|   Real 'a.v'(stateSelect = StateSelect.prefer) = der('a.s');
//|   parameter Integer 'b.select' = 5;
//|   Real 'b.s'(stateSelect = StateSelect.always);
//|   Real 'b.v'(stateSelect = StateSelect.prefer) = der('b.s');
//|   parameter Integer 'c.select' = all;
//|   Real 'c.s'(stateSelect = StateSelect.avoid);
//|   Real 'c.v'(stateSelect = StateSelect.prefer) = der('c.s');
//|   parameter Integer 'd.select' = 3;
//|   Real 'd.s'(stateSelect = StateSelect.never);
//|   Real 'd.v'(stateSelect = StateSelect.prefer) = der('d.s');
//| equation
//|   der('a.v') = -'a.s';
//|   der('b.v') = -'b.s';
//|   der('c.v') = -'c.s';
//|   der('d.v') = -'d.s';
//| end Top;
// expect: verdict=ok index=0 dof=8 unknowns=8 equations=8
