// if on a parameter: a rigid coupling (index 2) or a spring (ODE).
model SwitchedStructure
  parameter Boolean rigid = true;
  parameter Real k = 100;
  Real v1(start = 1), v2, f;
equation
  der(v1) = -f;
  der(v2) = f - v2;
  if rigid then
    v1 = v2;
  else
    der(f) = k*(v1 - v2);
  end if;
end SwitchedStructure;
// expect: index=2 dof=1 constraint_count=1 hidden_count=1 unknowns=3 verdict=ok
// run: --set rigid=false
// expect: index=0 dof=3 constraint_count=0 hidden_count=0 kind=ode verdict=ok
