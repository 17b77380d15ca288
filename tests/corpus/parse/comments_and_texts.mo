/* a comment
   over lines with // inside and ümläuts − */
model Texts "with \"quotes\", a tab\t and ünicode" // after
  Real x "first" + " and second";
  Real /* in between */ y "a // no comment /* here */";
equation
  x = 1 "the text of an equation";   // x = 2;
  /* y = 3; **/ y = 2;
  annotation(Documentation(info = "<html><p>text</p></html>"), Icon(graphics = {Line(points = {{0, 0}, {1, 1}}, color = {0, 0, 127}), Text(textString = "%name")}));
end Texts;
// expect-count: rows=2
// expect-doc: the text of an equation
