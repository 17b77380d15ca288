model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(Daedal(drew(a = point({x, 0})), path = {x, x}, zebra = 2), OtherTool(drew = 1));
end M;
// expect-warning: 5:21: Daedal has no setting drew: did you mean draw?
// expect-warning: 5:46: path belongs into draw
// expect-warning: 5:61: Daedal has no setting zebra
