connector RealInput = input Real;
connector RealOutput = output Real;
block S RealOutput y = 1; end S;
block G RealInput u; RealOutput y = u; end G;
block V RealOutput y[2] = {1, 2}; end V;
model Top
  S a, b; G g; V v;
equation
  connect(a.y, g.u);
  connect(b.y, g.u);
  connect(v.y[1], v.y[2]);
end Top;
// expect-error: 10:3: a.y and b.y are connected, and both determine the value: only one source is allowed
// expect-error: 11:3: v.y[1] and v.y[2] are connected, and both determine the value: only one source is allowed
