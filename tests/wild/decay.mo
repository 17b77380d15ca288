model decay "Radioactive decay, lesson 1"
  parameter Real halfLife=2.5;
  Real n(start=100);
equation
  der(n)=-log(2)/halfLife*n;
end decay;
