package MyCircuits "Own little electrical library, everything in one file"
  package Connect
    connector Plug "plus"
      Modelica.Units.SI.Voltage v;
      flow Modelica.Units.SI.Current i;
      annotation (Icon(graphics={Ellipse(extent={{-100,100},{100,-100}}, lineColor={0,0,255}, fillColor={0,0,255}, fillPattern=FillPattern.Solid)}));
    end Plug;

    connector Socket = Plug "minus";

    partial model Dipole "whatever has two ends"
      Plug a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
      Socket b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
      Modelica.Units.SI.Voltage v = a.v - b.v;
      Modelica.Units.SI.Current i = a.i;
    equation
      a.i + b.i = 0 "what goes in comes out";
    end Dipole;
  end Connect;

  package Parts
    model R
      extends Connect.Dipole;
      parameter Modelica.Units.SI.Resistance R;
    equation
      v = i*R;
    end R;

    model C
      extends Connect.Dipole;
      parameter Modelica.Units.SI.Capacitance C;
    equation
      C*der(v) = i;
    end C;

    model L
      extends Connect.Dipole;
      parameter Modelica.Units.SI.Inductance L;
    equation
      L*der(i) = v;
    end L;

    model Battery "switched on after a while"
      parameter Modelica.Units.SI.Voltage emf;
      parameter Modelica.Units.SI.Time on = 0;
      extends Connect.Dipole;
    equation
      v = if time>=on then emf else 0;
    end Battery;

    model Earth
      Connect.Plug e;
    equation
      e.v = 0;
    end Earth;
  end Parts;

  model Resonator "parallel resonator behind a resistor"
    Parts.Battery battery(emf=9, on=0.002);
    Parts.R r(R=40);
    Parts.L coil(L=0.01, i(start=0, fixed=true));
    Parts.C cap(C=2e-5, v(start=0, fixed=true));
    Parts.Earth earth;
  equation
    connect(battery.a, r.a) annotation (Line(points={{10,50},{40,50}}, color={0,0,255}));
    connect(r.b, coil.a);
    connect(r.b, cap.a);
    connect(coil.b, battery.b);
    connect(battery.b, cap.b);
    connect(earth.e, battery.b);
    annotation(experiment(StopTime=0.01));
  end Resonator;
end MyCircuits;
