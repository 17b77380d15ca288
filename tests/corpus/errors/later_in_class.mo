model M
  extends Base;
  import Modelica.Math;
  inner Real w;
  outer Real e;
  replaceable Real r;
  flow Real f;
  stream Real s;
  discrete Real d;
  Real z if w > 0;
  Real t(redeclare Real k, start = 1);
  type E = enumeration(a, b);
  model Inside Real q; end Inside;
  function g input Real u; output Real y; algorithm y := u; end g;
protected
  Real p;
public
  Real o;
end M;
// expect-error: 2:3: `extends` in a model is not supported yet
// expect-error: 3:3: `import` is not supported yet
// expect-error: 4:3: `inner` is not supported yet
// expect-error: 5:3: `outer` is not supported yet
// expect-error: 6:3: `replaceable` is not supported yet
// expect-error: 7:3: `flow` is not supported yet
// expect-error: 8:3: `stream` is not supported yet
// expect-error: 9:3: `discrete` is not supported yet
// expect-error: 10:10: conditional components (`if` in a declaration) are not supported yet
// expect-error: 11:10: `redeclare` is not supported yet
// expect-error: 12:12: `enumeration` is not supported yet
// expect-error: 13:3: a model inside a model is not supported yet (or is the `end` of the model before it missing?)
// expect-error: 14:3: `function` is not supported yet
// expect-error: 15:1: `protected` is not supported yet
// expect-error: 17:1: `public` is not supported yet
