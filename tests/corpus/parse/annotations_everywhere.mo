package P
  extends Icon annotation(IconMap(extent = {{-1, -1}, {1, 1}}));
  import Q = P.R annotation(choices(choice = 1));
  partial class Icon
    annotation(Icon(coordinateSystem(preserveAspectRatio = false, extent = {{-100, -100}, {100, 100}}),
      graphics = {Rectangle(extent = {{-90, 90}, {90, -90}}, fillPattern = FillPattern.Solid, lineColor = {0, 0, 0}),
        Text(textString = "%name", visible = not off or on > 2), Line(points = {{-1, 0}, {1, 0}}, arrow = {Arrow.None,
        Arrow.Filled}), Polygon(points = {}), Ellipse(startAngle = 0, endAngle = if a then 1 else 2)}));
  end Icon;
  record R Real a = 1 "a" annotation(Dialog(group = "x", enable = b)); end R;
  type E = enumeration(one "1" annotation(x = 1), two annotation(y = 2)) annotation(Evaluate = true);
  model M
    Q r annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, rotation = -90)));
    parameter Real k = 1 annotation(choices(choice(redeclare Foo f = 2 "no"), choice = 3 "yes"));
    Real x(start = 0) = r.a "x" annotation(HideResult = true);
  equation
    assert(x > 0, "positive " + String(x)) annotation(a = 1);
    if k > 0 then
      assert(x < 2, "small");
    end if annotation(b = 2);
    annotation(Documentation(info = "<html>
      <p>\"quoted\" %class, two lines</p></html>"), uses(Modelica(version = "4.0.0")), __Tool_setting(a(b = {1, 2})));
  end M;
end P;
// expect-model: M
// expect-count: vars=3 rows=2
// expect-assertion: positive x
// expect-assertion: small
