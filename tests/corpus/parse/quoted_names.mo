model 'My Model'
  parameter Real 'a.b' = 2, 'if' = 3, 'x' = 4, x = 5;
  Real 'motor.shaft[1].phi'(start = 'a.b');
  Real 'it\'s';
equation
  der('motor.shaft[1].phi') = 'a.b' + 'if' + 'x'*x;
  'it\'s' = 1;
end 'My Model';
// expect-model: 'My Model'
// expect-var: 'a.b' value=2
// expect-var: 'if' value=3
// expect-var: 'x' value=4
// expect-var: x value=5
// expect-var: 'motor.shaft[1].phi' start=2
// expect-equation: der('motor.shaft[1].phi') = 'a.b' + 'if' + 'x'*x
// expect-equation: 'it\'s' = 1
