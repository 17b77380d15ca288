function unset
  input Real u;
  output Real y;
protected
  Real t;
algorithm
  y := u + t;
end unset;
function assigned
  input Real u;
  output Real y;
algorithm
  u := 1;
  y := u;
end assigned;
function waiting
  input Real u;
  output Real y = 0;
algorithm
  while y < u loop
    y := y + 1;
  end while;
end waiting;
function branches
  input Real u;
  output Real y[:];
algorithm
  if u > 0 then
    y := {1};
  else
    y := {1, 2};
  end if;
end branches;
function outside
  input Real u;
  output Real y;
algorithm
  y := u + x;
end outside;
model M
  Real x;
equation
  x = unset(x);
  x = assigned(x);
  x = waiting(x);
  x = sum(branches(x));
  x = outside(x);
end M;
// expect-error: 7:12: t is used before it has a value in unset
// expect-error: 13:3: u is an input of assigned and cannot be assigned
// expect-error: 20:9: the condition of `while` changes during the simulation
// expect-error: 28:6: the branches of `if` assign y values of different sizes: in one it has size 1, in the other it has size 2
// expect-error: 38:12: x is not declared
