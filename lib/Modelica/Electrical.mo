within Modelica;
package Electrical "Electric circuits"
  package Analog "Lumped parts"
    package Interfaces "Connectors and partial parts"
      connector Pin "Where a wire ends"
        Modelica.Units.SI.ElectricPotential v "potential";
        flow Modelica.Units.SI.Current i "current into the part";
      end Pin;

      connector PositivePin "The pin that the current of a part enters"
        Modelica.Units.SI.ElectricPotential v "potential";
        flow Modelica.Units.SI.Current i "current into the part";
      end PositivePin;

      connector NegativePin "The pin that the current of a part leaves"
        Modelica.Units.SI.ElectricPotential v "potential";
        flow Modelica.Units.SI.Current i "current into the part";
      end NegativePin;

      partial model TwoPin "Two pins and the voltage between them"
        Modelica.Units.SI.Voltage v "from p to n";
        PositivePin p "positive pin";
        NegativePin n "negative pin";
      equation
        v = p.v - n.v;
      end TwoPin;

      partial model OnePort "Two pins with one current"
        Modelica.Units.SI.Voltage v "from p to n";
        Modelica.Units.SI.Current i "from p to n";
        PositivePin p "positive pin";
        NegativePin n "negative pin";
      equation
        v = p.v - n.v;
        0 = p.i + n.i;
        i = p.i;
      end OnePort;

      partial model TwoPort "Two pairs of pins with one current each"
        Modelica.Units.SI.Voltage v1 "from p1 to n1";
        Modelica.Units.SI.Voltage v2 "from p2 to n2";
        Modelica.Units.SI.Current i1 "from p1 to n1";
        Modelica.Units.SI.Current i2 "from p2 to n2";
        PositivePin p1 "positive pin, left";
        NegativePin n1 "negative pin, left";
        PositivePin p2 "positive pin, right";
        NegativePin n2 "negative pin, right";
      equation
        v1 = p1.v - n1.v;
        v2 = p2.v - n2.v;
        0 = p1.i + n1.i;
        0 = p2.i + n2.i;
        i1 = p1.i;
        i2 = p2.i;
      end TwoPort;

      partial model VoltageSource "A voltage with offset and begin"
        extends OnePort;
        parameter Modelica.Units.SI.Voltage offset = 0 "voltage before startTime";
        parameter Modelica.Units.SI.Time startTime = 0 "when it begins";
      end VoltageSource;

      partial model CurrentSource "A current with offset and begin"
        extends OnePort;
        parameter Modelica.Units.SI.Current offset = 0 "current before startTime";
        parameter Modelica.Units.SI.Time startTime = 0 "when it begins";
      end CurrentSource;
    end Interfaces;

    package Basic "Linear parts"
      model Ground "Potential zero"
        Interfaces.Pin p "pin";
      equation
        p.v = 0;
      end Ground;

      model Resistor "v = R*i"
        parameter Modelica.Units.SI.Resistance R(start = 1) "resistance at T_ref";
        parameter Modelica.Units.SI.Temperature T_ref = 300.15 "temperature of R";
        parameter Modelica.Units.SI.LinearTemperatureCoefficient alpha = 0 "R_actual = R*(1 + alpha*(T - T_ref))";
        parameter Modelica.Units.SI.Temperature T = T_ref "temperature";
        extends Interfaces.OnePort;
        Modelica.Units.SI.Resistance R_actual "resistance at T";
        Modelica.Units.SI.Power LossPower "heat";
      equation
        R_actual = R*(1 + alpha*(T - T_ref));
        v = R_actual*i;
        LossPower = v*i;
      end Resistor;

      model Conductor "i = G*v"
        parameter Modelica.Units.SI.Conductance G(start = 1) "conductance";
        extends Interfaces.OnePort;
      equation
        i = G*v;
      end Conductor;

      model Capacitor "i = C*der(v)"
        extends Interfaces.OnePort(v(start = 0));
        parameter Modelica.Units.SI.Capacitance C(start = 1) "capacitance";
      equation
        i = C*der(v);
      end Capacitor;

      model Inductor "v = L*der(i)"
        extends Interfaces.OnePort(i(start = 0));
        parameter Modelica.Units.SI.Inductance L(start = 1) "inductance";
      equation
        L*der(i) = v;
      end Inductor;

      model Transformer "Two coupled coils"
        extends Interfaces.TwoPort(i1(start = 0), i2(start = 0));
        parameter Modelica.Units.SI.Inductance L1(start = 1) "of the left coil";
        parameter Modelica.Units.SI.Inductance L2(start = 1) "of the right coil";
        parameter Modelica.Units.SI.Inductance M(start = 1) "coupling";
        Real dv "difference of the voltages";
      equation
        v1 = L1*der(i1) + M*der(i2);
        v2 = M*der(i1) + L2*der(i2);
        dv = v1 - v2;
      end Transformer;

      model Gyrator "i1 = G2*v2, i2 = -G1*v1"
        extends Interfaces.TwoPort;
        parameter Modelica.Units.SI.Conductance G1(start = 1) "of the left port";
        parameter Modelica.Units.SI.Conductance G2(start = 1) "of the right port";
      equation
        i1 = G2*v2;
        i2 = -G1*v1;
      end Gyrator;

      model EMF "A machine: v = k*w, torque k*i"
        parameter Modelica.Units.SI.ElectricalTorqueConstant k(start = 1) "torque per current";
        Modelica.Units.SI.Voltage v "induced";
        Modelica.Units.SI.Current i "from p to n";
        Modelica.Units.SI.Angle phi "angle of the shaft";
        Modelica.Units.SI.AngularVelocity w "speed of the shaft";
        Modelica.Units.SI.Torque tau "on the shaft";
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "shaft";
      equation
        v = p.v - n.v;
        0 = p.i + n.i;
        i = p.i;
        phi = flange.phi;
        w = der(phi);
        k*w = v;
        tau = -k*i;
        flange.tau = tau;
      end EMF;

      model RotationalEMF "A machine: v = k*w, torque k*i"
        extends EMF;
      end RotationalEMF;

      model TranslationalEMF "A linear machine: v = k*speed, force k*i"
        parameter Modelica.Units.SI.ElectricalForceConstant k(start = 1) "force per current";
        Modelica.Units.SI.Voltage v "induced";
        Modelica.Units.SI.Current i "from p to n";
        Modelica.Units.SI.Position s "position of the flange";
        Modelica.Units.SI.Velocity vel "speed of the flange";
        Modelica.Units.SI.Force f "on the flange";
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Mechanics.Translational.Interfaces.Flange_b flange "what moves";
      equation
        v = p.v - n.v;
        0 = p.i + n.i;
        i = p.i;
        s = flange.s;
        vel = der(s);
        k*vel = v;
        f = -k*i;
        flange.f = f;
      end TranslationalEMF;

      model VCV "v2 = gain*v1"
        extends Interfaces.TwoPort;
        parameter Real gain(start = 1) "voltage per voltage";
      equation
        v2 = v1*gain;
        i1 = 0;
      end VCV;

      model VCC "i2 = transConductance*v1"
        extends Interfaces.TwoPort;
        parameter Modelica.Units.SI.Conductance transConductance(start = 1) "current per voltage";
      equation
        i2 = v1*transConductance;
        i1 = 0;
      end VCC;

      model CCV "v2 = transResistance*i1"
        extends Interfaces.TwoPort;
        parameter Modelica.Units.SI.Resistance transResistance(start = 1) "voltage per current";
      equation
        v2 = i1*transResistance;
        v1 = 0;
      end CCV;

      model CCC "i2 = gain*i1"
        extends Interfaces.TwoPort;
        parameter Real gain(start = 1) "current per current";
      equation
        i2 = i1*gain;
        v1 = 0;
      end CCC;

      model VariableResistor "v = R*i with R from a signal"
        extends Interfaces.OnePort;
        Modelica.Blocks.Interfaces.RealInput R(unit = "Ohm") "resistance";
      equation
        v = R*i;
      end VariableResistor;

      model VariableCapacitor "i = der(C*v) with C from a signal"
        extends Interfaces.OnePort;
        Modelica.Blocks.Interfaces.RealInput C(unit = "F") "capacitance";
        Modelica.Units.SI.ElectricCharge Q(start = 0) "charge";
      equation
        Q = C*v;
        i = der(Q);
      end VariableCapacitor;
    end Basic;

    package Ideal "Ideal parts"
      model Idle "No current"
        extends Interfaces.OnePort;
      equation
        i = 0;
      end Idle;

      model Short "No voltage"
        extends Interfaces.OnePort;
      equation
        v = 0;
      end Short;

      model IdealDiode "Resistance Ron one way, conductance Goff the other"
        extends Interfaces.OnePort;
        parameter Modelica.Units.SI.Resistance Ron(min = 0) = 1e-5 "when it conducts";
        parameter Modelica.Units.SI.Conductance Goff(min = 0) = 1e-5 "when it blocks";
        parameter Modelica.Units.SI.Voltage Vknee(min = 0) = 0 "where it begins to conduct";
        Real s(start = 0) "along its characteristic: current when it conducts, voltage when it blocks";
      equation
        v = (if s < 0 then s else Ron*s) + Vknee;
        i = (if s < 0 then Goff*s else s) + Goff*Vknee;
      end IdealDiode;

      model IdealTransformer "v1 = n*v2, i2 = -n*i1"
        extends Interfaces.TwoPort;
        parameter Real n(start = 1) "ratio of turns";
      equation
        v1 = n*v2;
        i2 = -n*i1;
      end IdealTransformer;

      model IdealGyrator "i1 = G*v2, i2 = -G*v1"
        extends Interfaces.TwoPort;
        parameter Modelica.Units.SI.Conductance G(start = 1) "conductance";
      equation
        i1 = G*v2;
        i2 = -G*v1;
      end IdealGyrator;

      model IdealOpAmp "Inputs without voltage and current, an output port"
        Interfaces.PositivePin p1 "positive pin, left";
        Interfaces.NegativePin n1 "negative pin, left";
        Interfaces.PositivePin p2 "positive pin, right";
        Interfaces.NegativePin n2 "negative pin, right";
        Modelica.Units.SI.Voltage v1 "from p1 to n1";
        Modelica.Units.SI.Voltage v2 "from p2 to n2";
        Modelica.Units.SI.Current i1 "from p1 to n1";
        Modelica.Units.SI.Current i2 "from p2 to n2";
      equation
        v1 = p1.v - n1.v;
        v2 = p2.v - n2.v;
        0 = p1.i + n1.i;
        0 = p2.i + n2.i;
        i1 = p1.i;
        i2 = p2.i;
        v1 = 0;
        i1 = 0;
      end IdealOpAmp;

      model IdealOpAmp3Pin "Inputs without voltage and current, one output pin"
        Interfaces.PositivePin in_p "positive input";
        Interfaces.NegativePin in_n "negative input";
        Interfaces.PositivePin out "output";
      equation
        in_p.v = in_n.v;
        in_p.i = 0;
        in_n.i = 0;
      end IdealOpAmp3Pin;
    end Ideal;

    package Semiconductors "Diodes"
      model Diode "Exponential characteristic, continued straight where it gets too steep, with a conductance beside"
        extends Interfaces.OnePort;
        parameter Modelica.Units.SI.Current Ids = 1e-6 "saturation current";
        parameter Modelica.Units.SI.Voltage Vt = 0.04 "thermal voltage";
        parameter Real Maxexp(min = 1e-60) = 15 "exponent from which on it is straight";
        parameter Modelica.Units.SI.Resistance R = 1e8 "beside the diode";
      equation
        i = smooth(1, (if v > Maxexp*Vt then Ids*(exp(Maxexp)*(1 + v/Vt - Maxexp) - 1) else Ids*(exp(v/Vt) - 1)) + v/R);
      end Diode;
    end Semiconductors;

    package Sensors "Measurements"
      model PotentialSensor "phi = p.v"
        Interfaces.PositivePin p "pin";
        Modelica.Blocks.Interfaces.RealOutput phi(unit = "V") "potential";
      equation
        p.i = 0;
        phi = p.v;
      end PotentialSensor;

      model VoltageSensor "v = p.v - n.v"
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Blocks.Interfaces.RealOutput v(unit = "V") "voltage";
      equation
        p.i = 0;
        n.i = 0;
        v = p.v - n.v;
      end VoltageSensor;

      model CurrentSensor "Current from p to n"
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Blocks.Interfaces.RealOutput i(unit = "A") "current";
      equation
        p.v = n.v;
        p.i = i;
        n.i = -i;
      end CurrentSensor;

      model PowerSensor "Current from pc to nc times voltage from pv to nv"
        Interfaces.PositivePin pc "current in";
        Interfaces.NegativePin nc "current out";
        Interfaces.PositivePin pv "positive pin of the voltage";
        Interfaces.NegativePin nv "negative pin of the voltage";
        Modelica.Blocks.Interfaces.RealOutput power(unit = "W") "power";
      equation
        pc.v = nc.v;
        pc.i + nc.i = 0;
        pv.i = 0;
        nv.i = 0;
        power = pc.i*(pv.v - nv.v);
      end PowerSensor;
    end Sensors;

    package Sources "Voltages and currents"
      model SignalVoltage "A voltage from a signal"
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Blocks.Interfaces.RealInput v(unit = "V") "from p to n";
        Modelica.Units.SI.Current i "from p to n";
      equation
        v = p.v - n.v;
        0 = p.i + n.i;
        i = p.i;
      end SignalVoltage;

      model ConstantVoltage "v = V"
        parameter Modelica.Units.SI.Voltage V(start = 1) "value";
        extends Interfaces.OnePort;
      equation
        v = V;
      end ConstantVoltage;

      model StepVoltage "A step"
        parameter Modelica.Units.SI.Voltage V(start = 1) "height";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0 else V);
      end StepVoltage;

      model RampVoltage "A ramp"
        parameter Modelica.Units.SI.Voltage V(start = 1) "height";
        parameter Modelica.Units.SI.Time duration(min = 1e-60, start = 2) "of the ramp";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0
                      elseif time < startTime + duration then (time - startTime)*V/duration
                      else V);
      end RampVoltage;

      model SineVoltage "A sine"
        parameter Modelica.Units.SI.Voltage V(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0
                      else V*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end SineVoltage;

      model CosineVoltage "A cosine"
        parameter Modelica.Units.SI.Voltage V(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0
                      else V*cos(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end CosineVoltage;

      model ExpSineVoltage "A damped sine"
        parameter Modelica.Units.SI.Voltage V(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        parameter Modelica.Units.SI.DampingCoefficient damping = 1 "rate of decay";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0
                      else V*exp(-damping*(time - startTime))
                           *sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end ExpSineVoltage;

      model PulseVoltage "Rectangles"
        parameter Modelica.Units.SI.Voltage V(start = 1) "height";
        parameter Real width(min = 0, max = 100) = 50 "of a rectangle, in percent of the period";
        parameter Modelica.Units.SI.Time period(start = 1) "of one rectangle to the next";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0
                      elseif mod(time - startTime, period) < width/100*period then V
                      else 0);
      end PulseVoltage;

      model SawToothVoltage "Teeth of a saw"
        parameter Modelica.Units.SI.Voltage V(start = 1) "height";
        parameter Modelica.Units.SI.Time period(start = 1) "of one tooth to the next";
        extends Interfaces.VoltageSource;
      equation
        v = offset + (if time < startTime then 0 else V*mod(time - startTime, period)/period);
      end SawToothVoltage;

      model SignalCurrent "A current from a signal"
        Interfaces.PositivePin p "positive pin";
        Interfaces.NegativePin n "negative pin";
        Modelica.Units.SI.Voltage v "from p to n";
        Modelica.Blocks.Interfaces.RealInput i(unit = "A") "from p to n";
      equation
        v = p.v - n.v;
        0 = p.i + n.i;
        i = p.i;
      end SignalCurrent;

      model ConstantCurrent "i = I"
        parameter Modelica.Units.SI.Current I(start = 1) "value";
        extends Interfaces.OnePort;
      equation
        i = I;
      end ConstantCurrent;

      model StepCurrent "A step"
        parameter Modelica.Units.SI.Current I(start = 1) "height";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0 else I);
      end StepCurrent;

      model RampCurrent "A ramp"
        parameter Modelica.Units.SI.Current I(start = 1) "height";
        parameter Modelica.Units.SI.Time duration(min = 1e-60, start = 2) "of the ramp";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0
                      elseif time < startTime + duration then (time - startTime)*I/duration
                      else I);
      end RampCurrent;

      model SineCurrent "A sine"
        parameter Modelica.Units.SI.Current I(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0
                      else I*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end SineCurrent;

      model CosineCurrent "A cosine"
        parameter Modelica.Units.SI.Current I(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0
                      else I*cos(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end CosineCurrent;

      model ExpSineCurrent "A damped sine"
        parameter Modelica.Units.SI.Current I(start = 1) "amplitude";
        parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
        parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
        parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
        parameter Modelica.Units.SI.DampingCoefficient damping = 1 "rate of decay";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0
                      else I*exp(-damping*(time - startTime))
                           *sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
      end ExpSineCurrent;

      model PulseCurrent "Rectangles"
        parameter Modelica.Units.SI.Current I(start = 1) "height";
        parameter Real width(min = 0, max = 100) = 50 "of a rectangle, in percent of the period";
        parameter Modelica.Units.SI.Time period(start = 1) "of one rectangle to the next";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0
                      elseif mod(time - startTime, period) < width/100*period then I
                      else 0);
      end PulseCurrent;

      model SawToothCurrent "Teeth of a saw"
        parameter Modelica.Units.SI.Current I(start = 1) "height";
        parameter Modelica.Units.SI.Time period(start = 1) "of one tooth to the next";
        extends Interfaces.CurrentSource;
      equation
        i = offset + (if time < startTime then 0 else I*mod(time - startTime, period)/period);
      end SawToothCurrent;
    end Sources;
  end Analog;
end Electrical;
