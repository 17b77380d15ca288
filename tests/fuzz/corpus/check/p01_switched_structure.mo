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
