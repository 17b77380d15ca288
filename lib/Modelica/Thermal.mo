within Modelica;
package Thermal "Heat"
  package HeatTransfer "Lumped heat conduction"
    package Interfaces "Connectors and partial parts"
      connector HeatPort "Where heat enters"
        Modelica.Units.SI.Temperature T "temperature";
        flow Modelica.Units.SI.HeatFlowRate Q_flow "heat flow into the part";
      end HeatPort;

      connector HeatPort_a "Where heat enters"
        extends HeatPort;
      end HeatPort_a;

      connector HeatPort_b "Where heat enters"
        extends HeatPort;
      end HeatPort_b;

      partial model Element1D "Heat flows through and is not stored"
        Modelica.Units.SI.HeatFlowRate Q_flow "from port_a to port_b";
        Modelica.Units.SI.TemperatureDifference dT "port_a.T - port_b.T";
        HeatPort_a port_a "one side";
        HeatPort_b port_b "other side";
      equation
        dT = port_a.T - port_b.T;
        port_a.Q_flow = Q_flow;
        port_b.Q_flow = -Q_flow;
      end Element1D;
    end Interfaces;

    package Components "Parts"
      model HeatCapacitor "C*der(T) = heat flow"
        parameter Modelica.Units.SI.HeatCapacity C "heat capacity";
        Modelica.Units.SI.Temperature T(start = 293.15) "temperature";
        Modelica.Units.SI.TemperatureSlope der_T(start = 0) "der(T)";
        Interfaces.HeatPort_a port "port";
      equation
        T = port.T;
        der_T = der(T);
        C*der(T) = port.Q_flow;
      end HeatCapacitor;

      model ThermalConductor "Q_flow = G*dT"
        extends Interfaces.Element1D;
        parameter Modelica.Units.SI.ThermalConductance G "conductance";
      equation
        Q_flow = G*dT;
      end ThermalConductor;

      model ThermalResistor "dT = R*Q_flow"
        extends Interfaces.Element1D;
        parameter Modelica.Units.SI.ThermalResistance R "resistance";
      equation
        dT = R*Q_flow;
      end ThermalResistor;

      model Convection "Q_flow = Gc*(solid.T - fluid.T), Gc from a signal"
        Modelica.Units.SI.HeatFlowRate Q_flow "from solid to fluid";
        Modelica.Units.SI.TemperatureDifference dT "solid.T - fluid.T";
        Modelica.Blocks.Interfaces.RealInput Gc(unit = "W/K") "conductance";
        Interfaces.HeatPort_a solid "surface";
        Interfaces.HeatPort_b fluid "fluid";
      equation
        dT = solid.T - fluid.T;
        solid.Q_flow = Q_flow;
        fluid.Q_flow = -Q_flow;
        Q_flow = Gc*dT;
      end Convection;

      model ConvectiveResistor "Rc*Q_flow = solid.T - fluid.T, Rc from a signal"
        Modelica.Units.SI.HeatFlowRate Q_flow "from solid to fluid";
        Modelica.Units.SI.TemperatureDifference dT "solid.T - fluid.T";
        Modelica.Blocks.Interfaces.RealInput Rc(unit = "K/W") "resistance";
        Interfaces.HeatPort_a solid "surface";
        Interfaces.HeatPort_b fluid "fluid";
      equation
        dT = solid.T - fluid.T;
        solid.Q_flow = Q_flow;
        fluid.Q_flow = -Q_flow;
        dT = Rc*Q_flow;
      end ConvectiveResistor;

      model BodyRadiation "Q_flow = Gr*sigma*(port_a.T^4 - port_b.T^4)"
        extends Interfaces.Element1D;
        parameter Real Gr(unit = "m2") "radiating area with emissivities and view";
      equation
        Q_flow = Gr*Modelica.Constants.sigma*(port_a.T^4 - port_b.T^4);
      end BodyRadiation;

      model ThermalCollector "Many ports joined to one"
        parameter Integer m(min = 1) = 3 "number of ports";
        Interfaces.HeatPort_a port_a[m] "many";
        Interfaces.HeatPort_b port_b "one";
      equation
        port_b.Q_flow + sum(port_a.Q_flow) = 0;
        port_a.T = fill(port_b.T, m);
      end ThermalCollector;
    end Components;

    package Sources "Temperatures and heat flows"
      model FixedTemperature "port.T = T"
        parameter Modelica.Units.SI.Temperature T "temperature";
        Interfaces.HeatPort_b port "port";
      equation
        port.T = T;
      end FixedTemperature;

      model PrescribedTemperature "port.T = T, from a signal"
        Interfaces.HeatPort_b port "port";
        Modelica.Blocks.Interfaces.RealInput T(unit = "K") "temperature";
      equation
        port.T = T;
      end PrescribedTemperature;

      model FixedHeatFlow "A heat flow out of the port"
        parameter Modelica.Units.SI.HeatFlowRate Q_flow "at T_ref";
        parameter Modelica.Units.SI.Temperature T_ref = 293.15 "temperature of Q_flow";
        parameter Modelica.Units.SI.LinearTemperatureCoefficient alpha = 0 "grows by 1 + alpha*(T - T_ref)";
        Interfaces.HeatPort_b port "port";
      equation
        port.Q_flow = -Q_flow*(if alpha == 0 then 1 else 1 + alpha*(port.T - T_ref));
      end FixedHeatFlow;

      model PrescribedHeatFlow "A heat flow out of the port, from a signal"
        parameter Modelica.Units.SI.Temperature T_ref = 293.15 "temperature of Q_flow";
        parameter Modelica.Units.SI.LinearTemperatureCoefficient alpha = 0 "grows by 1 + alpha*(T - T_ref)";
        Modelica.Blocks.Interfaces.RealInput Q_flow(unit = "W") "at T_ref";
        Interfaces.HeatPort_b port "port";
      equation
        port.Q_flow = -Q_flow*(if alpha == 0 then 1 else 1 + alpha*(port.T - T_ref));
      end PrescribedHeatFlow;
    end Sources;

    package Sensors "Measurements"
      model TemperatureSensor "T = port.T"
        Modelica.Blocks.Interfaces.RealOutput T(unit = "K") "temperature";
        Interfaces.HeatPort_a port "port";
      equation
        T = port.T;
        port.Q_flow = 0;
      end TemperatureSensor;

      model RelTemperatureSensor "T_rel = port_a.T - port_b.T"
        Modelica.Blocks.Interfaces.RealOutput T_rel(unit = "K") "difference";
        Interfaces.HeatPort_a port_a "one";
        Interfaces.HeatPort_b port_b "other";
      equation
        T_rel = port_a.T - port_b.T;
        port_a.Q_flow = 0;
        port_b.Q_flow = 0;
      end RelTemperatureSensor;

      model HeatFlowSensor "Heat flow from port_a to port_b"
        Modelica.Blocks.Interfaces.RealOutput Q_flow(unit = "W") "heat flow";
        Interfaces.HeatPort_a port_a "in";
        Interfaces.HeatPort_b port_b "out";
      equation
        port_a.T = port_b.T;
        port_a.Q_flow + port_b.Q_flow = 0;
        Q_flow = port_a.Q_flow;
      end HeatFlowSensor;
    end Sensors;

    package Celsius "The same in degree Celsius"
      model ToKelvin "Degree Celsius to kelvin"
        Modelica.Blocks.Interfaces.RealInput Celsius(unit = "degC") "in degree Celsius";
        Modelica.Blocks.Interfaces.RealOutput Kelvin(unit = "K") "in kelvin";
      equation
        Kelvin = Celsius + 273.15;
      end ToKelvin;

      model FromKelvin "Kelvin to degree Celsius"
        Modelica.Blocks.Interfaces.RealInput Kelvin(unit = "K") "in kelvin";
        Modelica.Blocks.Interfaces.RealOutput Celsius(unit = "degC") "in degree Celsius";
      equation
        Celsius = Kelvin - 273.15;
      end FromKelvin;

      model FixedTemperature "port.T = T in degree Celsius"
        parameter Modelica.Units.NonSI.Temperature_degC T "temperature";
        Interfaces.HeatPort_b port "port";
      equation
        port.T = T + 273.15;
      end FixedTemperature;

      model PrescribedTemperature "port.T = T in degree Celsius, from a signal"
        Interfaces.HeatPort_b port "port";
        Modelica.Blocks.Interfaces.RealInput T(unit = "degC") "temperature";
      equation
        port.T = T + 273.15;
      end PrescribedTemperature;

      model TemperatureSensor "port.T in degree Celsius"
        Modelica.Blocks.Interfaces.RealOutput T(unit = "degC") "temperature";
        Interfaces.HeatPort_a port "port";
      equation
        T = port.T - 273.15;
        port.Q_flow = 0;
      end TemperatureSensor;
    end Celsius;
  end HeatTransfer;
end Thermal;
