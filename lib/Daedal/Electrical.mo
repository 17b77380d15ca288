within Daedal;
package Electrical "Electric circuits from lumped parts"
  connector Pin "Where a wire ends"
    Real v(unit = "V") "potential";
    flow Real i(unit = "A") "current into the part";
  end Pin;

  partial model OnePort "Two pins with one current"
    Pin p "current enters here";
    Pin n "and leaves here";
    Real v(unit = "V") = p.v - n.v "voltage from p to n";
    Real i(unit = "A") = p.i "current from p to n";
  equation
    p.i + n.i = 0;
  end OnePort;

  partial model TwoPort "Two pairs of pins with one current each"
    Pin p1, n1, p2, n2;
    Real v1(unit = "V") = p1.v - n1.v, i1(unit = "A") = p1.i "first pair";
    Real v2(unit = "V") = p2.v - n2.v, i2(unit = "A") = p2.i "second pair";
  equation
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end TwoPort;

  model Ground "Potential zero; every circuit needs one"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor "v = R*i"
    extends OnePort;
    parameter Real R(unit = "Ohm") = 1 "resistance";
  equation
    v = R*i;
  end Resistor;

  model Capacitor "C*der(v) = i"
    extends OnePort;
    parameter Real C(unit = "F") = 1e-6 "capacitance";
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor "L*der(i) = v"
    extends OnePort;
    parameter Real L(unit = "H") = 1e-3 "inductance";
  equation
    L*der(i) = v;
  end Inductor;

  model Transformer "Two coils with the coupling k: |k| < 1; with |k| = 1 the currents are no longer independent"
    extends TwoPort;
    parameter Real L1(unit = "H") = 1, L2(unit = "H") = 1 "inductances";
    parameter Real k = 0.9 "coupling";
    parameter Real M(unit = "H") = k*sqrt(L1*L2) "mutual inductance";
  equation
    L1*der(i1) + M*der(i2) = v1;
    M*der(i1) + L2*der(i2) = v2;
  end Transformer;

  model IdealTransformer "v1 = ratio*v2, i2 = -ratio*i1"
    extends TwoPort;
    parameter Real ratio = 1 "turns of the first coil over turns of the second";
  equation
    v1 = ratio*v2;
    i2 = -ratio*i1;
  end IdealTransformer;

  model OpAmp "Ideal operational amplifier: no voltage and no current at its inputs; the output gives what that takes"
    Pin plus, minus "inputs";
    Pin out "output";
  equation
    plus.v = minus.v;
    plus.i = 0;
    minus.i = 0;
  end OpAmp;

  model Diode "i = Is*(exp(v/Vt) - 1), continued as a straight line above vmax, so that nothing overflows"
    extends OnePort;
    parameter Real Is(unit = "A") = 1e-12 "saturation current";
    parameter Real Vt(unit = "V") = 0.026 "thermal voltage";
    parameter Real vmax(unit = "V") = 30*Vt "end of the exponential";
  equation
    i = smooth(1, if v < vmax then Is*(exp(v/Vt) - 1) else Is*(exp(vmax/Vt)*(1 + (v - vmax)/Vt) - 1));
  end Diode;

  model IdealDiode "A switch with the resistance Ron when it conducts and the conductance Goff when it blocks"
    extends OnePort;
    parameter Real Ron(unit = "Ohm", min = 0) = 1e-3, Goff(unit = "S", min = 0) = 1e-6;
    Real s "position on the broken line i(v): the current when it conducts, the voltage when it blocks";
  equation
    v = if s > 0 then Ron*s else s;
    i = if s > 0 then s else Goff*s;
  end IdealDiode;

  model Switch "Resistance Ron while the signal is above 0.5, conductance Goff else"
    extends OnePort;
    parameter Real Ron(unit = "Ohm", min = 0) = 1e-3, Goff(unit = "S", min = 0) = 1e-6;
    Blocks.Input closed "above 0.5: closed";
    Real s "the current when it is closed, the voltage when it is open";
  equation
    v = if closed > 0.5 then Ron*s else s;
    i = if closed > 0.5 then s else Goff*s;
  end Switch;

  model VoltageSource "v = V"
    extends OnePort;
    parameter Real V(unit = "V") = 1;
  equation
    v = V;
  end VoltageSource;

  model SineVoltage "v = offset + V*sin(2*pi*f*time + phase)"
    extends OnePort;
    parameter Real V(unit = "V") = 1, f(unit = "Hz") = 50, phase(unit = "rad") = 0, offset(unit = "V") = 0;
  equation
    v = offset + V*sin(2*3.14159265358979323846*f*time + phase);
  end SineVoltage;

  model StepVoltage "v = offset, and offset + V from start on: an event"
    extends OnePort;
    parameter Real V(unit = "V") = 1, start(unit = "s") = 0, offset(unit = "V") = 0;
  equation
    v = offset + (if time < start then 0 else V);
  end StepVoltage;

  model SignalVoltage "v = u"
    extends OnePort;
    Blocks.Input u "voltage from p to n";
  equation
    v = u;
  end SignalVoltage;

  model CurrentSource "i = I, from p to n through the source"
    extends OnePort;
    parameter Real I(unit = "A") = 1;
  equation
    i = I;
  end CurrentSource;

  model SineCurrent "i = offset + I*sin(2*pi*f*time + phase)"
    extends OnePort;
    parameter Real I(unit = "A") = 1, f(unit = "Hz") = 50, phase(unit = "rad") = 0, offset(unit = "A") = 0;
  equation
    i = offset + I*sin(2*3.14159265358979323846*f*time + phase);
  end SineCurrent;

  model StepCurrent "i = offset, and offset + I from start on: an event"
    extends OnePort;
    parameter Real I(unit = "A") = 1, start(unit = "s") = 0, offset(unit = "A") = 0;
  equation
    i = offset + (if time < start then 0 else I);
  end StepCurrent;

  model SignalCurrent "i = u"
    extends OnePort;
    Blocks.Input u "current from p to n";
  equation
    i = u;
  end SignalCurrent;

  model Voltmeter "y = voltage from p to n, without current"
    extends OnePort;
    Blocks.Output y "voltage";
  equation
    i = 0;
    y = v;
  end Voltmeter;

  model Ammeter "y = current from p to n, without voltage"
    extends OnePort;
    Blocks.Output y "current";
  equation
    v = 0;
    y = i;
  end Ammeter;
end Electrical;
