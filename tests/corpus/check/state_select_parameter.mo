// stateSelect from a parameter of the type StateSelect, set from outside; texts as parameters are left out.
model Wheel
  parameter StateSelect choice = StateSelect.default;
  parameter String name = "wheel";
  Real phi(stateSelect = choice), w(stateSelect = if size({1}, 1) == 1 then choice else StateSelect.never) = der(phi);
end Wheel;
model StateSelectParameter
  Wheel a(choice = StateSelect.prefer, name = "a"), b;
equation
  a.phi = 2*b.phi;
  der(a.w) + der(b.w) = -a.phi;
  annotation(experiment(StopTime = 1));
end StateSelectParameter;
// expect: index=2 dof=2 verdict=ok
