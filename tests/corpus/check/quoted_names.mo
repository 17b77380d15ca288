// Quoted identifiers from other tools.
model 'Quoted.Model'
  Real 'pump.v'(start = 1, fixed = true), 'tank 1.h';
equation
  der('pump.v') = -'tank 1.h';
  'tank 1.h' = 2*'pump.v';
end 'Quoted.Model';
// expect: index=1 dof=1 constraint_count=1 unknowns=2 verdict=ok initial.missing=0
