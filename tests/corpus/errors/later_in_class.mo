model M
  inner Real w;
  outer Real e;
  replaceable Real r;
  replaceable model T = Base constrainedby Other;
  redeclare Real k;
  replaceable package Medium = Water constrainedby Fluid;
  stream Real s;
  discrete Real d;
  inner outer Real both;
  Real t(redeclare Real k, start = 1, replaceable Real m);
  extends Base(redeclare model Part = Other(a = 1), x = 3);
  connector Port = stream Real;
end M;
// expect-error: 2:3: `inner` is not supported yet
// expect-error: 3:3: `outer` is not supported yet
// expect-error: 4:3: `replaceable` is not supported yet
// expect-error: 5:3: `replaceable` is not supported yet
// expect-error: 6:3: `redeclare` is not supported yet
// expect-error: 7:3: `replaceable` is not supported yet
// expect-error: 8:3: `stream` is not supported yet
// expect-error: 9:3: `discrete` is not supported yet
// expect-error: 10:3: `inner` is not supported yet
// expect-error: 10:9: `outer` is not supported yet
// expect-error: 11:10: `redeclare` is not supported yet
// expect-error: 11:39: `replaceable` is not supported yet
// expect-error: 12:16: `redeclare` is not supported yet
// expect-error: 13:20: `stream` is not supported yet
