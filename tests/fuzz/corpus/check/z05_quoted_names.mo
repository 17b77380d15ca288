model 'Quoted.Model'
  Real 'pump.v'(start = 1, fixed = true), 'tank 1.h';
equation
  der('pump.v') = -'tank 1.h';
  'tank 1.h' = 2*'pump.v';
end 'Quoted.Model';
