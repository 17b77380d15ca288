within Modelica;
package Mechanics "Motion about an axis and along a line"
  package Rotational "Motion about one axis"
    package Interfaces "Connectors and partial parts"
      connector Flange_a "A shaft end"
        Modelica.Units.SI.Angle phi "angle";
        flow Modelica.Units.SI.Torque tau "torque on the part";
      end Flange_a;

      connector Flange_b "A shaft end"
        Modelica.Units.SI.Angle phi "angle";
        flow Modelica.Units.SI.Torque tau "torque on the part";
      end Flange_b;

      partial model PartialTwoFlanges "Two flanges"
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      end PartialTwoFlanges;

      partial model PartialCompliant "A torque between two flanges"
        Modelica.Units.SI.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
        Modelica.Units.SI.Torque tau "between the flanges";
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        phi_rel = flange_b.phi - flange_a.phi;
        flange_b.tau = tau;
        flange_a.tau = -tau;
      end PartialCompliant;

      partial model PartialCompliantWithRelativeStates "A torque between two flanges, with their relative speed"
        Modelica.Units.SI.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
        Modelica.Units.SI.AngularVelocity w_rel(start = 0) "der(phi_rel)";
        Modelica.Units.SI.AngularAcceleration a_rel(start = 0) "der(w_rel)";
        Modelica.Units.SI.Torque tau "between the flanges";
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        phi_rel = flange_b.phi - flange_a.phi;
        w_rel = der(phi_rel);
        a_rel = der(w_rel);
        flange_b.tau = tau;
        flange_a.tau = -tau;
      end PartialCompliantWithRelativeStates;

      partial model PartialOneFlangeAndSupport "One flange; the other side is the ground"
        Flange_b flange "flange";
      end PartialOneFlangeAndSupport;

      partial model PartialAbsoluteSensor "One flange without torque"
        Flange_a flange "flange";
      equation
        flange.tau = 0;
      end PartialAbsoluteSensor;

      partial model PartialRelativeSensor "Two flanges that transmit nothing else"
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        flange_a.tau + flange_b.tau = 0;
      end PartialRelativeSensor;
    end Interfaces;

    package Components "Parts"
      model Fixed "A flange that does not move"
        parameter Modelica.Units.SI.Angle phi0 = 0 "angle";
        Interfaces.Flange_b flange "flange";
      equation
        flange.phi = phi0;
      end Fixed;

      model Inertia "J*a = sum of torques"
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
        parameter Modelica.Units.SI.Inertia J(min = 0, start = 1) "moment of inertia";
        parameter StateSelect stateSelect = StateSelect.default "of phi and w";
        Modelica.Units.SI.Angle phi(stateSelect = stateSelect) "angle";
        Modelica.Units.SI.AngularVelocity w(stateSelect = stateSelect) "der(phi)";
        Modelica.Units.SI.AngularAcceleration a "der(w)";
      equation
        phi = flange_a.phi;
        phi = flange_b.phi;
        w = der(phi);
        a = der(w);
        J*a = flange_a.tau + flange_b.tau;
      end Inertia;

      model Disc "flange_b is turned by deltaPhi"
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
        parameter Modelica.Units.SI.Angle deltaPhi = 0 "of flange_b from flange_a";
        Modelica.Units.SI.Angle phi "angle";
      equation
        flange_a.phi = phi - deltaPhi/2;
        flange_b.phi = phi + deltaPhi/2;
        0 = flange_a.tau + flange_b.tau;
      end Disc;

      model Spring "tau = c*(phi_rel - phi_rel0)"
        parameter Modelica.Units.SI.RotationalSpringConstant c(min = 0, start = 1) "stiffness";
        parameter Modelica.Units.SI.Angle phi_rel0 = 0 "phi_rel without torque";
        extends Interfaces.PartialCompliant;
      equation
        tau = c*(phi_rel - phi_rel0);
      end Spring;

      model Damper "tau = d*w_rel"
        parameter Modelica.Units.SI.RotationalDampingConstant d(min = 0, start = 0) "damping";
        Modelica.Units.SI.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
        Modelica.Units.SI.AngularVelocity w_rel(start = 0) "der(phi_rel)";
        Modelica.Units.SI.Torque tau "between the flanges";
        Modelica.Units.SI.Power lossPower "heat";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        phi_rel = flange_b.phi - flange_a.phi;
        w_rel = der(phi_rel);
        tau = d*w_rel;
        flange_b.tau = tau;
        flange_a.tau = -tau;
        lossPower = tau*w_rel;
      end Damper;

      model SpringDamper "tau = c*(phi_rel - phi_rel0) + d*w_rel"
        parameter Modelica.Units.SI.RotationalSpringConstant c(min = 0, start = 1) "stiffness";
        parameter Modelica.Units.SI.RotationalDampingConstant d(min = 0, start = 1) "damping";
        parameter Modelica.Units.SI.Angle phi_rel0 = 0 "phi_rel without torque";
        Modelica.Units.SI.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
        Modelica.Units.SI.AngularVelocity w_rel(start = 0) "der(phi_rel)";
        Modelica.Units.SI.Torque tau "between the flanges";
        Modelica.Units.SI.Power lossPower "heat";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        phi_rel = flange_b.phi - flange_a.phi;
        w_rel = der(phi_rel);
        tau = c*(phi_rel - phi_rel0) + d*w_rel;
        flange_b.tau = tau;
        flange_a.tau = -tau;
        lossPower = d*w_rel^2;
      end SpringDamper;

      model IdealGear "flange_a.phi = ratio*flange_b.phi"
        parameter Real ratio(start = 1) "speed of flange_a over speed of flange_b";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
        Modelica.Units.SI.Angle phi_a "flange_a.phi";
        Modelica.Units.SI.Angle phi_b "flange_b.phi";
      equation
        phi_a = flange_a.phi;
        phi_b = flange_b.phi;
        phi_a = ratio*phi_b;
        0 = ratio*flange_a.tau + flange_b.tau;
      end IdealGear;

      model IdealPlanetary "(1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi"
        parameter Real ratio(start = 100/50) "teeth of the ring over teeth of the sun";
        Interfaces.Flange_a sun "sun";
        Interfaces.Flange_a carrier "carrier";
        Interfaces.Flange_b ring "ring";
      equation
        (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
        ring.tau = ratio*sun.tau;
        carrier.tau = -(1 + ratio)*sun.tau;
      end IdealPlanetary;

      model IdealGearR2T "flangeR.phi = ratio*flangeT.s"
        parameter Real ratio(unit = "rad/m", start = 1) "angle per distance";
        Interfaces.Flange_a flangeR "what turns";
        Modelica.Mechanics.Translational.Interfaces.Flange_b flangeT "what moves along the line";
      equation
        flangeR.phi = ratio*flangeT.s;
        0 = ratio*flangeR.tau + flangeT.f;
      end IdealGearR2T;

      model IdealRollingWheel "flangeR.phi*radius = flangeT.s"
        parameter Modelica.Units.SI.Distance radius(start = 0.3) "of the wheel";
        Interfaces.Flange_a flangeR "what turns";
        Modelica.Mechanics.Translational.Interfaces.Flange_b flangeT "what moves along the line";
      equation
        flangeR.phi*radius = flangeT.s;
        0 = radius*flangeT.f + flangeR.tau;
      end IdealRollingWheel;
    end Components;

    package Sources "Motions and torques"
      model Torque "A torque on the flange, from a signal"
        Modelica.Blocks.Interfaces.RealInput tau(unit = "N.m") "torque";
        Interfaces.Flange_b flange "flange";
      equation
        flange.tau = -tau;
      end Torque;

      model Torque2 "A torque between two flanges, from a signal"
        Modelica.Blocks.Interfaces.RealInput tau(unit = "N.m") "on flange_b";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        flange_a.tau = tau;
        flange_b.tau = -tau;
      end Torque2;

      model ConstantTorque "A constant torque on the flange"
        parameter Modelica.Units.SI.Torque tau_constant "torque";
        Interfaces.Flange_b flange "flange";
      equation
        flange.tau = -tau_constant;
      end ConstantTorque;

      model TorqueStep "A step of the torque on the flange"
        parameter Modelica.Units.SI.Torque stepTorque(start = 1) "height";
        parameter Modelica.Units.SI.Torque offsetTorque(start = 0) = 0 "before";
        parameter Modelica.Units.SI.Time startTime = 0 "when it begins";
        Interfaces.Flange_b flange "flange";
      equation
        flange.tau = -offsetTorque - (if time < startTime then 0 else stepTorque);
      end TorqueStep;

      model LinearSpeedDependentTorque "A torque proportional to the speed"
        parameter Modelica.Units.SI.Torque tau_nominal "at the nominal speed; negative brakes";
        parameter Modelica.Units.SI.AngularVelocity w_nominal(min = 1e-15) "nominal speed";
        Modelica.Units.SI.AngularVelocity w "speed";
        Interfaces.Flange_b flange "flange";
      equation
        w = der(flange.phi);
        flange.tau = -tau_nominal*w/w_nominal;
      end LinearSpeedDependentTorque;

      model QuadraticSpeedDependentTorque "A torque proportional to the square of the speed"
        parameter Modelica.Units.SI.Torque tau_nominal "at the nominal speed; negative brakes";
        parameter Modelica.Units.SI.AngularVelocity w_nominal(min = 1e-15) "nominal speed";
        Modelica.Units.SI.AngularVelocity w "speed";
        Interfaces.Flange_b flange "flange";
      equation
        w = der(flange.phi);
        flange.tau = -tau_nominal*abs(w/w_nominal)*(w/w_nominal);
      end QuadraticSpeedDependentTorque;

      model ConstantSpeed "A constant speed"
        parameter Modelica.Units.SI.AngularVelocity w_fixed "speed";
        Modelica.Units.SI.Angle phi(start = 0, fixed = true) "angle";
        Interfaces.Flange_b flange "flange";
      equation
        phi = flange.phi;
        der(phi) = w_fixed;
      end ConstantSpeed;

      model Speed "A speed from a signal, as it is (exact) or filtered so that it is differentiable"
        Modelica.Blocks.Interfaces.RealInput w_ref(unit = "rad/s") "speed";
        parameter Boolean exact = false "without filter?";
        parameter Modelica.Units.SI.Frequency f_crit = 50 "of the filter";
        Modelica.Units.SI.Angle phi(start = 0, fixed = true) "angle";
        Modelica.Units.SI.AngularVelocity w(start = 0) "speed";
        Modelica.Units.SI.AngularAcceleration a(start = 0) "acceleration when filtered";
        Interfaces.Flange_b flange "flange";
      equation
        phi = flange.phi;
        w = der(phi);
        if exact then
          w = w_ref;
          a = 0;
        else
          a = der(w);
          a = (w_ref - w)*2*Modelica.Constants.pi*f_crit;
        end if;
      end Speed;

      model Position "An angle from a signal, as it is (exact) or filtered so that it is differentiable twice"
        Modelica.Blocks.Interfaces.RealInput phi_ref(unit = "rad") "angle";
        parameter Boolean exact = false "without filter?";
        parameter Modelica.Units.SI.Frequency f_crit = 50 "of the filter";
        Modelica.Units.SI.Angle phi "angle";
        Modelica.Units.SI.AngularVelocity w(start = 0) "speed when filtered";
        Modelica.Units.SI.AngularAcceleration a(start = 0) "acceleration when filtered";
        Interfaces.Flange_b flange "flange";
      protected
        parameter Real w_crit = 2*Modelica.Constants.pi*f_crit;
      initial equation
        if not exact then
          phi = phi_ref;
        end if;
      equation
        phi = flange.phi;
        if exact then
          phi = phi_ref;
          w = 0;
          a = 0;
        else
          w = der(phi);
          a = der(w);
          a = ((phi_ref - phi)*w_crit - 1.3617*w)*w_crit/0.6180 "Bessel filter of order 2";
        end if;
      end Position;
    end Sources;

    package Sensors "Measurements"
      model AngleSensor "The angle"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput phi(unit = "rad") "measured";
      equation
        phi = flange.phi;
      end AngleSensor;

      model SpeedSensor "The speed"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput w(unit = "rad/s") "measured";
      equation
        w = der(flange.phi);
      end SpeedSensor;

      model AccSensor "The acceleration"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput a(unit = "rad/s2") "measured";
        Modelica.Units.SI.AngularVelocity w "speed";
      equation
        w = der(flange.phi);
        a = der(w);
      end AccSensor;

      model RelAngleSensor "flange_b against flange_a"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput phi_rel(unit = "rad") "measured";
      equation
        flange_a.tau = 0;
        phi_rel = flange_b.phi - flange_a.phi;
      end RelAngleSensor;

      model RelSpeedSensor "flange_b against flange_a"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput w_rel(unit = "rad/s") "measured";
        Modelica.Units.SI.Angle phi_rel "flange_b.phi - flange_a.phi";
      equation
        flange_a.tau = 0;
        w_rel = der(phi_rel);
        phi_rel = flange_b.phi - flange_a.phi;
      end RelSpeedSensor;

      model TorqueSensor "The torque from flange_a to flange_b"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput tau(unit = "N.m") "measured";
      equation
        flange_a.phi = flange_b.phi;
        flange_a.tau = tau;
      end TorqueSensor;

      model PowerSensor "The power from flange_a to flange_b"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput power(unit = "W") "measured";
      equation
        flange_a.phi = flange_b.phi;
        power = flange_a.tau*der(flange_a.phi);
      end PowerSensor;
    end Sensors;
  end Rotational;

  package Translational "Motion along one line"
    package Interfaces "Connectors and partial parts"
      connector Flange_a "A point that moves along the line"
        Modelica.Units.SI.Position s "position";
        flow Modelica.Units.SI.Force f "force on the part";
      end Flange_a;

      connector Flange_b "A point that moves along the line"
        Modelica.Units.SI.Position s "position";
        flow Modelica.Units.SI.Force f "force on the part";
      end Flange_b;

      partial model PartialTwoFlanges "Two flanges"
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      end PartialTwoFlanges;

      partial model PartialCompliant "A force between two flanges"
        Modelica.Units.SI.Position s_rel(start = 0) "flange_b.s - flange_a.s";
        Modelica.Units.SI.Force f "between the flanges";
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        s_rel = flange_b.s - flange_a.s;
        flange_b.f = f;
        flange_a.f = -f;
      end PartialCompliant;

      partial model PartialCompliantWithRelativeStates "A force between two flanges, with their relative speed"
        Modelica.Units.SI.Position s_rel(start = 0) "flange_b.s - flange_a.s";
        Modelica.Units.SI.Velocity v_rel(start = 0) "der(s_rel)";
        Modelica.Units.SI.Acceleration a_rel(start = 0) "der(v_rel)";
        Modelica.Units.SI.Force f "between the flanges";
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        s_rel = flange_b.s - flange_a.s;
        v_rel = der(s_rel);
        a_rel = der(v_rel);
        flange_b.f = f;
        flange_a.f = -f;
      end PartialCompliantWithRelativeStates;

      partial model PartialOneFlangeAndSupport "One flange; the other side is the ground"
        Flange_b flange "flange";
      end PartialOneFlangeAndSupport;

      partial model PartialAbsoluteSensor "One flange without force"
        Flange_a flange "flange";
      equation
        flange.f = 0;
      end PartialAbsoluteSensor;

      partial model PartialRelativeSensor "Two flanges that transmit nothing else"
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        flange_a.f + flange_b.f = 0;
      end PartialRelativeSensor;

      partial model PartialRigid "Two flanges at a fixed distance"
        Modelica.Units.SI.Position s "of the middle";
        parameter Modelica.Units.SI.Length L(start = 0) = 0 "from flange_a to flange_b";
        Flange_a flange_a "one side";
        Flange_b flange_b "other side";
      equation
        flange_a.s = s - L/2;
        flange_b.s = s + L/2;
      end PartialRigid;
    end Interfaces;

    package Components "Parts"
      model Fixed "A flange that does not move"
        parameter Modelica.Units.SI.Position s0 = 0 "position";
        Interfaces.Flange_b flange "flange";
      equation
        flange.s = s0;
      end Fixed;

      model Mass "m*a = sum of forces"
        parameter Modelica.Units.SI.Mass m(min = 0, start = 1) "mass";
        parameter StateSelect stateSelect = StateSelect.default "of s and v";
        parameter Modelica.Units.SI.Length L(start = 0) = 0 "from flange_a to flange_b";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
        Modelica.Units.SI.Position s(stateSelect = stateSelect) "of the middle";
        Modelica.Units.SI.Velocity v(stateSelect = stateSelect) "der(s)";
        Modelica.Units.SI.Acceleration a "der(v)";
      equation
        flange_a.s = s - L/2;
        flange_b.s = s + L/2;
        v = der(s);
        a = der(v);
        m*a = flange_a.f + flange_b.f;
      end Mass;

      model Rod "A length without mass"
        extends Interfaces.PartialRigid;
      equation
        0 = flange_a.f + flange_b.f;
      end Rod;

      model Spring "f = c*(s_rel - s_rel0)"
        parameter Modelica.Units.SI.TranslationalSpringConstant c(min = 0, start = 1) "stiffness";
        parameter Modelica.Units.SI.Distance s_rel0 = 0 "s_rel without force";
        extends Interfaces.PartialCompliant;
      equation
        f = c*(s_rel - s_rel0);
      end Spring;

      model Damper "f = d*v_rel"
        parameter Modelica.Units.SI.TranslationalDampingConstant d(min = 0, start = 0) "damping";
        Modelica.Units.SI.Position s_rel(start = 0) "flange_b.s - flange_a.s";
        Modelica.Units.SI.Velocity v_rel(start = 0) "der(s_rel)";
        Modelica.Units.SI.Force f "between the flanges";
        Modelica.Units.SI.Power lossPower "heat";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        s_rel = flange_b.s - flange_a.s;
        v_rel = der(s_rel);
        f = d*v_rel;
        flange_b.f = f;
        flange_a.f = -f;
        lossPower = f*v_rel;
      end Damper;

      model SpringDamper "f = c*(s_rel - s_rel0) + d*v_rel"
        parameter Modelica.Units.SI.TranslationalSpringConstant c(min = 0, start = 1) "stiffness";
        parameter Modelica.Units.SI.TranslationalDampingConstant d(min = 0, start = 1) "damping";
        parameter Modelica.Units.SI.Distance s_rel0 = 0 "s_rel without force";
        Modelica.Units.SI.Position s_rel(start = 0) "flange_b.s - flange_a.s";
        Modelica.Units.SI.Velocity v_rel(start = 0) "der(s_rel)";
        Modelica.Units.SI.Force f "between the flanges";
        Modelica.Units.SI.Power lossPower "heat";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        s_rel = flange_b.s - flange_a.s;
        v_rel = der(s_rel);
        f = c*(s_rel - s_rel0) + d*v_rel;
        flange_b.f = f;
        flange_a.f = -f;
        lossPower = d*v_rel^2;
      end SpringDamper;
    end Components;

    package Sources "Motions and forces"
      model Force "A force on the flange, from a signal"
        Modelica.Blocks.Interfaces.RealInput f(unit = "N") "force";
        Interfaces.Flange_b flange "flange";
      equation
        flange.f = -f;
      end Force;

      model Force2 "A force between two flanges, from a signal"
        Modelica.Blocks.Interfaces.RealInput f(unit = "N") "on flange_b";
        Interfaces.Flange_a flange_a "one side";
        Interfaces.Flange_b flange_b "other side";
      equation
        flange_a.f = f;
        flange_b.f = -f;
      end Force2;

      model ConstantForce "A constant force on the flange"
        parameter Modelica.Units.SI.Force f_constant "force";
        Interfaces.Flange_b flange "flange";
      equation
        flange.f = -f_constant;
      end ConstantForce;

      model ForceStep "A step of the force on the flange"
        parameter Modelica.Units.SI.Force stepForce(start = 1) "height";
        parameter Modelica.Units.SI.Force offsetForce(start = 0) = 0 "before";
        parameter Modelica.Units.SI.Time startTime = 0 "when it begins";
        Interfaces.Flange_b flange "flange";
      equation
        flange.f = -offsetForce - (if time < startTime then 0 else stepForce);
      end ForceStep;

      model LinearSpeedDependentForce "A force proportional to the speed"
        parameter Modelica.Units.SI.Force f_nominal "at the nominal speed; negative brakes";
        parameter Modelica.Units.SI.Velocity v_nominal(min = 1e-15) "nominal speed";
        Modelica.Units.SI.Velocity v "speed";
        Interfaces.Flange_b flange "flange";
      equation
        v = der(flange.s);
        flange.f = -f_nominal*v/v_nominal;
      end LinearSpeedDependentForce;

      model QuadraticSpeedDependentForce "A force proportional to the square of the speed"
        parameter Modelica.Units.SI.Force f_nominal "at the nominal speed; negative brakes";
        parameter Modelica.Units.SI.Velocity v_nominal(min = 1e-15) "nominal speed";
        Modelica.Units.SI.Velocity v "speed";
        Interfaces.Flange_b flange "flange";
      equation
        v = der(flange.s);
        flange.f = -f_nominal*abs(v/v_nominal)*(v/v_nominal);
      end QuadraticSpeedDependentForce;

      model ConstantSpeed "A constant speed"
        parameter Modelica.Units.SI.Velocity v_fixed "speed";
        Modelica.Units.SI.Position s(start = 0, fixed = true) "position";
        Interfaces.Flange_b flange "flange";
      equation
        s = flange.s;
        der(s) = v_fixed;
      end ConstantSpeed;

      model Speed "A speed from a signal, as it is (exact) or filtered so that it is differentiable"
        Modelica.Blocks.Interfaces.RealInput v_ref(unit = "m/s") "speed";
        parameter Boolean exact = false "without filter?";
        parameter Modelica.Units.SI.Frequency f_crit = 50 "of the filter";
        Modelica.Units.SI.Position s(start = 0, fixed = true) "position";
        Modelica.Units.SI.Velocity v(start = 0) "speed";
        Modelica.Units.SI.Acceleration a(start = 0) "acceleration when filtered";
        Interfaces.Flange_b flange "flange";
      equation
        s = flange.s;
        v = der(s);
        if exact then
          v = v_ref;
          a = 0;
        else
          a = der(v);
          a = (v_ref - v)*2*Modelica.Constants.pi*f_crit;
        end if;
      end Speed;

      model Position "A position from a signal, as it is (exact) or filtered so that it is differentiable twice"
        Modelica.Blocks.Interfaces.RealInput s_ref(unit = "m") "position";
        parameter Boolean exact = false "without filter?";
        parameter Modelica.Units.SI.Frequency f_crit = 50 "of the filter";
        Modelica.Units.SI.Position s "position";
        Modelica.Units.SI.Velocity v(start = 0) "speed when filtered";
        Modelica.Units.SI.Acceleration a(start = 0) "acceleration when filtered";
        Interfaces.Flange_b flange "flange";
      protected
        parameter Real w_crit = 2*Modelica.Constants.pi*f_crit;
      initial equation
        if not exact then
          s = s_ref;
        end if;
      equation
        s = flange.s;
        if exact then
          s = s_ref;
          v = 0;
          a = 0;
        else
          v = der(s);
          a = der(v);
          a = ((s_ref - s)*w_crit - 1.3617*v)*w_crit/0.6180 "Bessel filter of order 2";
        end if;
      end Position;
    end Sources;

    package Sensors "Measurements"
      model PositionSensor "The position"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput s(unit = "m") "measured";
      equation
        s = flange.s;
      end PositionSensor;

      model SpeedSensor "The speed"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput v(unit = "m/s") "measured";
      equation
        v = der(flange.s);
      end SpeedSensor;

      model AccSensor "The acceleration"
        extends Interfaces.PartialAbsoluteSensor;
        Modelica.Blocks.Interfaces.RealOutput a(unit = "m/s2") "measured";
        Modelica.Units.SI.Velocity v "speed";
      equation
        v = der(flange.s);
        a = der(v);
      end AccSensor;

      model RelPositionSensor "flange_b against flange_a"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput s_rel(unit = "m") "measured";
      equation
        flange_a.f = 0;
        s_rel = flange_b.s - flange_a.s;
      end RelPositionSensor;

      model RelSpeedSensor "flange_b against flange_a"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput v_rel(unit = "m/s") "measured";
        Modelica.Units.SI.Position s_rel "flange_b.s - flange_a.s";
      equation
        flange_a.f = 0;
        v_rel = der(s_rel);
        s_rel = flange_b.s - flange_a.s;
      end RelSpeedSensor;

      model ForceSensor "The force from flange_a to flange_b"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput f(unit = "N") "measured";
      equation
        flange_a.s = flange_b.s;
        flange_a.f = f;
      end ForceSensor;

      model PowerSensor "The power from flange_a to flange_b"
        extends Interfaces.PartialRelativeSensor;
        Modelica.Blocks.Interfaces.RealOutput power(unit = "W") "measured";
      equation
        flange_a.s = flange_b.s;
        power = flange_a.f*der(flange_a.s);
      end PowerSensor;
    end Sensors;
  end Translational;
end Mechanics;
