package Line "Transmission line of N segments"
  connector Pin = Modelica.Electrical.Analog.Interfaces.Pin;
  model Segment
    Pin a, b, ref;
    parameter Real r, l, c, g;
    Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  equation
    a.i = i;
    a.v - b.v = r*i + l*der(i);
    v = b.v - ref.v;
    c*der(v) = i + b.i - g*v;
    a.i + b.i + ref.i = 0;
  end Segment;
  model Line
    parameter Integer N = 4;
    parameter Real length = 1000, r = 0.05, l = 1e-6, c = 1e-10, g = 1e-8 "per metre";
    Pin a, b, ref;
    Segment s[N](each r = r*length/N, each l = l*length/N, each c = c*length/N, each g = g*length/N);
  equation
    connect(a, s[1].a);
    connect(s[1:N - 1].b, s[2:N].a);
    connect(s[N].b, b);
    for k in 1:N loop
      connect(s[k].ref, ref);
    end for;
  end Line;
  model Matched
    Line line(N = 5);
    Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10, f = 2e4);
    Modelica.Electrical.Analog.Basic.Resistor Ri(R = 50), Rl(R = 100);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, Ri.p);
    connect(Ri.n, line.a);
    connect(line.b, Rl.p);
    connect(Rl.n, line.ref);
    connect(line.ref, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 5e-5));
  end Matched;
end Line;
