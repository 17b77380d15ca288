within Modelica;
package Blocks "Blocks with inputs and outputs"
  package Types "Choices"
    type Init = enumeration(
        NoInit "start values are guesses",
        SteadyState "derivatives are zero at the start",
        InitialState "states have their start values",
        InitialOutput "the output has its start value") "What holds at the start";
    type Smoothness = enumeration(
        LinearSegments "straight lines between the points",
        ContinuousDerivative "not supported: straight lines",
        ConstantSegments "the value of the point before") "What is between the points of a table";
    type Extrapolation = enumeration(
        HoldLastPoint "the value of the last point",
        LastTwoPoints "the line through the last two points",
        Periodic "the table again and again",
        NoExtrapolation "an assertion") "What is beyond the points of a table";
    type SimpleController = enumeration(P "P", PI "PI", PD "PD", PID "PID") "Parts of a controller";
  end Types;

  package Interfaces "Connectors and partial blocks"
    connector RealInput = input Real "A signal that is used";
    connector RealOutput = output Real "A signal that is given";

    partial block SO "One output"
      RealOutput y "output";
    end SO;

    partial block MO "A vector of outputs"
      parameter Integer nout(min = 1) = 1 "number of outputs";
      RealOutput y[nout] "outputs";
    end MO;

    partial block SISO "One input, one output"
      RealInput u "input";
      RealOutput y "output";
    end SISO;

    partial block SI2SO "Two inputs, one output"
      RealInput u1 "first input";
      RealInput u2 "second input";
      RealOutput y "output";
    end SI2SO;

    partial block MISO "A vector of inputs, one output"
      parameter Integer nin = 1 "number of inputs";
      RealInput u[nin] "inputs";
      RealOutput y "output";
    end MISO;

    partial block MIMO "A vector of inputs, a vector of outputs"
      parameter Integer nin = 1 "number of inputs";
      parameter Integer nout = 1 "number of outputs";
      RealInput u[nin] "inputs";
      RealOutput y[nout] "outputs";
    end MIMO;

    partial block MIMOs "As many outputs as inputs"
      parameter Integer n = 1 "number of inputs and of outputs";
      RealInput u[n] "inputs";
      RealOutput y[n] "outputs";
    end MIMOs;

    partial block SVcontrol "A controller: set point and measurement in, control out"
      RealInput u_s "set point";
      RealInput u_m "measurement";
      RealOutput y "control";
    end SVcontrol;

    partial block SignalSource "A source with offset and begin"
      extends SO;
      parameter Real offset = 0 "of the output";
      parameter Modelica.Units.SI.Time startTime = 0 "y = offset before";
    end SignalSource;
  end Interfaces;

  package Sources "Blocks without inputs"
    block RealExpression "The value given as y"
      Interfaces.RealOutput y = 0.0 "value";
    end RealExpression;

    block Clock "Time since startTime"
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0 else time - startTime);
    end Clock;

    block ContinuousClock "Time since startTime"
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0 else time - startTime);
    end ContinuousClock;

    block Constant "A constant"
      parameter Real k(start = 1) "value";
      extends Interfaces.SO;
    equation
      y = k;
    end Constant;

    block Step "A step"
      parameter Real height = 1 "of the step";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0 else height);
    end Step;

    block Ramp "A ramp"
      parameter Real height = 1 "of the ramp";
      parameter Modelica.Units.SI.Time duration(min = 0, start = 2) "of the ramp; 0 is a step";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0
                    elseif time < startTime + duration then (time - startTime)*height/duration
                    else height);
    end Ramp;

    block Sine "A sine"
      parameter Real amplitude = 1 "half of the stroke";
      parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
      parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
      parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0
                    else amplitude*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
    end Sine;

    block Cosine "A cosine"
      parameter Real amplitude = 1 "half of the stroke";
      parameter Modelica.Units.SI.Frequency freqHz = 1 "older name of f";
      parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
      parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0
                    else amplitude*cos(2*Modelica.Constants.pi*f*(time - startTime) + phase));
    end Cosine;

    block ExpSine "A damped sine"
      parameter Real amplitude = 1 "half of the stroke";
      parameter Modelica.Units.SI.Frequency freqHz = 2 "older name of f";
      parameter Modelica.Units.SI.Frequency f = freqHz "frequency";
      parameter Modelica.Units.SI.Angle phase = 0 "at startTime";
      parameter Modelica.Units.SI.DampingCoefficient damping = 1 "rate of decay";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0
                    else amplitude*exp(-damping*(time - startTime))
                         *sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
    end ExpSine;

    block Exponentials "A rising and a falling exponential"
      parameter Real outMax = 1 "height for an infinite riseTime";
      parameter Modelica.Units.SI.Time riseTime(min = 0) = 0.5 "how long it rises";
      parameter Modelica.Units.SI.Time riseTimeConst = 0.1 "time constant of the rise";
      parameter Modelica.Units.SI.Time fallTimeConst = riseTimeConst "time constant of the fall";
      extends Interfaces.SignalSource;
    protected
      parameter Real top = outMax*(1 - exp(-riseTime/riseTimeConst)) "reached at the end of the rise";
    equation
      y = offset + (if time < startTime then 0
                    elseif time < startTime + riseTime then outMax*(1 - exp(-(time - startTime)/riseTimeConst))
                    else top*exp(-(time - startTime - riseTime)/fallTimeConst));
    end Exponentials;

    block Pulse "Rectangles"
      parameter Real amplitude = 1 "height";
      parameter Real width(min = 0, max = 100) = 50 "of a rectangle, in percent of the period";
      parameter Modelica.Units.SI.Time period(start = 1) "of one rectangle to the next";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0
                    elseif mod(time - startTime, period) < width/100*period then amplitude
                    else 0);
    end Pulse;

    block SawTooth "Teeth of a saw"
      parameter Real amplitude = 1 "height";
      parameter Modelica.Units.SI.Time period(start = 1) "of one tooth to the next";
      extends Interfaces.SignalSource;
    equation
      y = offset + (if time < startTime then 0 else amplitude*mod(time - startTime, period)/period);
    end SawTooth;

    block Trapezoid "Trapezoids"
      parameter Real amplitude = 1 "height";
      parameter Modelica.Units.SI.Time rising(min = 0) = 0 "how long it rises";
      parameter Modelica.Units.SI.Time width(min = 0) = 0.5 "how long it stays";
      parameter Modelica.Units.SI.Time falling(min = 0) = 0 "how long it falls";
      parameter Modelica.Units.SI.Time period(start = 1) "of one trapezoid to the next";
      extends Interfaces.SignalSource;
    protected
      Real phase = if time < startTime then period else mod(time - startTime, period) "time within the period";
    equation
      y = offset + (if phase < rising then amplitude*phase/rising
                    elseif phase < rising + width then amplitude
                    elseif phase < rising + width + falling then amplitude*(rising + width + falling - phase)/falling
                    else 0);
    end Trapezoid;

    block TimeTable "Straight lines through the points (time, value) of a table; equal times are jumps"
      parameter Real table[:, 2] = fill(0.0, 0, 2) "time, value";
      parameter Modelica.Units.SI.Time timeScale = 1 "of the times in the table";
      extends Interfaces.SignalSource;
      parameter Modelica.Units.SI.Time shiftTime = startTime "where the table begins";
    protected
      Tables.CombiTable1Ds lookup(table = table, u = (time - shiftTime)/timeScale);
    equation
      y = offset + (if time < startTime then 0 else lookup.y[1]);
    end TimeTable;

    block CombiTimeTable "Columns of a table over time"
      parameter Real table[:, :] = fill(0.0, 0, 2) "time, values";
      parameter Integer columns[:] = 2:size(table, 2) "those that are given out";
      parameter Types.Smoothness smoothness = Types.Smoothness.LinearSegments "between the points";
      parameter Types.Extrapolation extrapolation = Types.Extrapolation.LastTwoPoints "beyond the points";
      parameter Modelica.Units.SI.Time timeScale = 1 "of the times in the table";
      parameter Real offset[:] = {0} "of the outputs: one for all, or one each";
      parameter Modelica.Units.SI.Time startTime = 0 "y = offset before";
      parameter Modelica.Units.SI.Time shiftTime = startTime "where the table begins";
      extends Interfaces.MO(nout = max(size(columns, 1), size(offset, 1)));
    protected
      Tables.CombiTable1Ds lookup(table = table, columns = columns, smoothness = smoothness,
                                  extrapolation = extrapolation, u = (time - shiftTime)/timeScale);
    equation
      for i in 1:nout loop
        y[i] = (if size(offset, 1) == 1 then offset[1] else offset[i]) + (if time < startTime then 0 else lookup.y[i]);
      end for;
    end CombiTimeTable;
  end Sources;

  package Tables "Functions given by points"
    function segment "column of a table between its row k and the next, at u"
      input Real table[:, :];
      input Integer k, column;
      input Real u;
      input Types.Smoothness smoothness;
      input Types.Extrapolation extrapolation;
      output Real y;
    protected
      Integer n = size(table, 1);
      Integer a = if k < n then k elseif n > 1 and extrapolation == Types.Extrapolation.LastTwoPoints then n - 1 else n;
      Boolean flat = smoothness == Types.Smoothness.ConstantSegments or a == n;
    algorithm
      y := table[k, column];
      if not flat then
        if table[a + 1, 1] > table[a, 1] then
          y := y + (u - table[k, 1])*(table[a + 1, column] - table[a, column])/(table[a + 1, 1] - table[a, 1]);
        end if;
      end if;
      annotation(Inline = true);
    end segment;

    partial block Table "Points, and the place to look at"
      parameter Real table[:, :] = fill(0.0, 0, 2) "place, values; the places rise";
      parameter Integer columns[:] = 2:size(table, 2) "those that are given out";
      parameter Types.Smoothness smoothness = Types.Smoothness.LinearSegments "between the points";
      parameter Types.Extrapolation extrapolation = Types.Extrapolation.LastTwoPoints "beyond the points";
    protected
      parameter Integer points = size(table, 1) "rows";
      parameter Real first = table[1, 1], last = table[points, 1] "ends";
    end Table;

    block CombiTable1Ds "Columns of a table at u"
      extends Table;
      Interfaces.RealInput u "input";
      Interfaces.RealOutput y[size(columns, 1)] "outputs";
    protected
      Real v "where the table is read";
    equation
      v = if extrapolation == Types.Extrapolation.Periodic then first + mod(u - first, last - first)
          elseif extrapolation == Types.Extrapolation.HoldLastPoint then (if u < first then first else u)
          else u;
      for i in 1:size(columns, 1) loop
        y[i] = sum(if (k == 1 or v >= table[k, 1]) and (k == points or v < table[min(k + 1, points), 1])
                   then segment(table, k, columns[i], v, smoothness, extrapolation) else 0 for k in 1:points);
      end for;
      if extrapolation == Types.Extrapolation.NoExtrapolation then
        assert(u >= first and u <= last, "the table has no value here");
      end if;
    end CombiTable1Ds;

    block CombiTable1Dv "Column i of a table at u[i]"
      extends Table;
      Interfaces.RealInput u[size(columns, 1)] "inputs";
      Interfaces.RealOutput y[size(columns, 1)] "outputs";
    protected
      CombiTable1Ds one[size(columns, 1)](each table = table, columns = {{c} for c in columns},
                                          each smoothness = smoothness, each extrapolation = extrapolation);
    equation
      for i in 1:size(columns, 1) loop
        one[i].u = u[i];
        y[i] = one[i].y[1];
      end for;
    end CombiTable1Dv;
  end Tables;

  package Math "Blocks without memory"
    block Gain "y = k*u"
      parameter Real k(start = 1) "factor";
      Interfaces.RealInput u "input";
      Interfaces.RealOutput y "output";
    equation
      y = k*u;
    end Gain;

    block MatrixGain "y = K*u"
      parameter Real K[:, :] = [1, 0; 0, 1] "matrix";
      extends Interfaces.MIMO(nin = size(K, 2), nout = size(K, 1));
    equation
      y = K*u;
    end MatrixGain;

    block Feedback "y = u1 - u2"
      extends Interfaces.SI2SO;
    equation
      y = u1 - u2;
    end Feedback;

    block Add "y = k1*u1 + k2*u2"
      extends Interfaces.SI2SO;
      parameter Real k1 = 1 "factor of u1";
      parameter Real k2 = 1 "factor of u2";
    equation
      y = k1*u1 + k2*u2;
    end Add;

    block Add3 "y = k1*u1 + k2*u2 + k3*u3"
      extends Interfaces.SO;
      parameter Real k1 = 1 "factor of u1";
      parameter Real k2 = 1 "factor of u2";
      parameter Real k3 = 1 "factor of u3";
      Interfaces.RealInput u1 "first input";
      Interfaces.RealInput u2 "second input";
      Interfaces.RealInput u3 "third input";
    equation
      y = k1*u1 + k2*u2 + k3*u3;
    end Add3;

    block Sum "y = k*u"
      extends Interfaces.MISO;
      parameter Real k[nin] = ones(nin) "factors";
    equation
      y = k*u;
    end Sum;

    block MultiSum "y = k*u"
      parameter Integer nu(min = 0) = 0 "number of inputs";
      parameter Real k[nu] = fill(1, nu) "factors";
      Interfaces.RealInput u[nu] "inputs";
      Interfaces.RealOutput y "output";
    equation
      y = k*u;
    end MultiSum;

    block Product "y = u1*u2"
      extends Interfaces.SI2SO;
    equation
      y = u1*u2;
    end Product;

    block Division "y = u1/u2"
      extends Interfaces.SI2SO;
    equation
      y = u1/u2;
    end Division;

    block Abs "y = abs(u)"
      extends Interfaces.SISO;
    equation
      y = abs(u);
    end Abs;

    block Sign "y = sign(u)"
      extends Interfaces.SISO;
    equation
      y = sign(u);
    end Sign;

    block Sqrt "y = sqrt(u)"
      extends Interfaces.SISO;
    equation
      y = sqrt(u);
    end Sqrt;

    block Power "y = u^N"
      extends Interfaces.SISO;
      parameter Real N = 2 "exponent";
    equation
      y = u^N;
    end Power;

    block Sin "y = sin(u)"
      extends Interfaces.SISO;
    equation
      y = sin(u);
    end Sin;

    block Cos "y = cos(u)"
      extends Interfaces.SISO;
    equation
      y = cos(u);
    end Cos;

    block Tan "y = tan(u)"
      extends Interfaces.SISO;
    equation
      y = tan(u);
    end Tan;

    block Asin "y = asin(u)"
      extends Interfaces.SISO;
    equation
      y = asin(u);
    end Asin;

    block Acos "y = acos(u)"
      extends Interfaces.SISO;
    equation
      y = acos(u);
    end Acos;

    block Atan "y = atan(u)"
      extends Interfaces.SISO;
    equation
      y = atan(u);
    end Atan;

    block Atan2 "y = atan2(u1, u2)"
      extends Interfaces.SI2SO;
    equation
      y = atan2(u1, u2);
    end Atan2;

    block Sinh "y = sinh(u)"
      extends Interfaces.SISO;
    equation
      y = sinh(u);
    end Sinh;

    block Cosh "y = cosh(u)"
      extends Interfaces.SISO;
    equation
      y = cosh(u);
    end Cosh;

    block Tanh "y = tanh(u)"
      extends Interfaces.SISO;
    equation
      y = tanh(u);
    end Tanh;

    block Exp "y = exp(u)"
      extends Interfaces.SISO;
    equation
      y = exp(u);
    end Exp;

    block Log "y = log(u)"
      extends Interfaces.SISO;
    equation
      y = log(u);
    end Log;

    block Log10 "y = log10(u)"
      extends Interfaces.SISO;
    equation
      y = log10(u);
    end Log10;

    block Max "y = max(u1, u2)"
      extends Interfaces.SI2SO;
    equation
      y = max(u1, u2);
    end Max;

    block Min "y = min(u1, u2)"
      extends Interfaces.SI2SO;
    equation
      y = min(u1, u2);
    end Min;

    package UnitConversions "From SI units to others and back"
      block To_deg "radian to degree"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_deg(u);
      end To_deg;

      block From_deg "degree to radian"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_deg(u);
      end From_deg;

      block To_degC "kelvin to degree Celsius"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_degC(u);
      end To_degC;

      block From_degC "degree Celsius to kelvin"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_degC(u);
      end From_degC;

      block To_rpm "radian per second to revolutions per minute"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_rpm(u);
      end To_rpm;

      block From_rpm "revolutions per minute to radian per second"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_rpm(u);
      end From_rpm;

      block To_kmh "metre per second to kilometre per hour"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_kmh(u);
      end To_kmh;

      block From_kmh "kilometre per hour to metre per second"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_kmh(u);
      end From_kmh;

      block To_hour "second to hour"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_hour(u);
      end To_hour;

      block From_hour "hour to second"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_hour(u);
      end From_hour;

      block To_minute "second to minute"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_minute(u);
      end To_minute;

      block From_minute "minute to second"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_minute(u);
      end From_minute;

      block To_day "second to day"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_day(u);
      end To_day;

      block From_day "day to second"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_day(u);
      end From_day;

      block To_litre "cubic metre to litre"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_litre(u);
      end To_litre;

      block From_litre "litre to cubic metre"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_litre(u);
      end From_litre;

      block To_kWh "joule to kilowatt hour"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_kWh(u);
      end To_kWh;

      block From_kWh "kilowatt hour to joule"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_kWh(u);
      end From_kWh;

      block To_bar "pascal to bar"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.to_bar(u);
      end To_bar;

      block From_bar "bar to pascal"
        extends Interfaces.SISO;
      equation
        y = Modelica.Units.Conversions.from_bar(u);
      end From_bar;
    end UnitConversions;
  end Math;

  package Continuous "Blocks with states"
    block Integrator "der(y) = k*u"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Types.Init initType = Types.Init.InitialState "what holds at the start";
      parameter Real y_start = 0 "initial value or guess of y";
      extends Interfaces.SISO(y(start = y_start));
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
      elseif initType == Types.Init.InitialState or initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(y) = k*u;
    end Integrator;

    block Derivative "k*s/(T*s + 1)"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Modelica.Units.SI.Time T(min = 1e-60) = 0.01 "time constant; below 1e-60 k = 0 is meant";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real x_start = 0 "initial value or guess of x";
      parameter Real y_start = 0 "initial value of y for InitialOutput";
      extends Interfaces.SISO;
      output Real x(start = x_start) "state: u filtered";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = 0;
      elseif initType == Types.Init.InitialState then
        x = x_start;
      elseif initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(x) = (u - x)/T;
      y = k/T*(u - x);
    end Derivative;

    block FirstOrder "k/(T*s + 1)"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Modelica.Units.SI.Time T(start = 1) "time constant";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real y_start = 0 "initial value or guess of y";
      extends Interfaces.SISO(y(start = y_start));
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
      elseif initType == Types.Init.InitialState or initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(y) = (k*u - y)/T;
    end FirstOrder;

    block SecondOrder "k/((s/w)^2 + 2*D*s/w + 1)"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Real w(start = 1) "angular frequency without damping";
      parameter Real D(start = 1) "damping, 1 is critical";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real y_start = 0 "initial value or guess of y";
      parameter Real yd_start = 0 "initial value or guess of yd";
      extends Interfaces.SISO(y(start = y_start));
      output Real yd(start = yd_start) "derivative of y";
    initial equation
      if initType == Types.Init.SteadyState then
        der(y) = 0;
        der(yd) = 0;
      elseif initType == Types.Init.InitialState or initType == Types.Init.InitialOutput then
        y = y_start;
        yd = yd_start;
      end if;
    equation
      der(y) = yd;
      der(yd) = w*(w*(k*u - y) - 2*D*yd);
    end SecondOrder;

    block PI "k*(1 + 1/(T*s))"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Modelica.Units.SI.Time T(start = 1) "time constant of the integral part";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real x_start = 0 "initial value or guess of x";
      parameter Real y_start = 0 "initial value of y for SteadyState and InitialOutput";
      extends Interfaces.SISO;
      output Real x(start = x_start) "state: u integrated over T";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = 0;
      elseif initType == Types.Init.InitialState then
        x = x_start;
      elseif initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(x) = u/T;
      y = k*(x + u);
    end PI;

    block PID "k*(1 + 1/(Ti*s) + Td*s/(Td/Nd*s + 1))"
      parameter Real k(unit = "1") = 1 "gain";
      parameter Modelica.Units.SI.Time Ti(min = 1e-60, start = 0.5) "time constant of the integral part";
      parameter Modelica.Units.SI.Time Td(min = 0, start = 0.1) "time constant of the derivative part";
      parameter Real Nd(min = 1e-60) = 10 "the larger, the more ideal the derivative part";
      parameter Types.Init initType = Types.Init.InitialState "what holds at the start";
      parameter Real xi_start = 0 "initial value or guess of the integral part";
      parameter Real xd_start = 0 "initial value or guess of the derivative part";
      parameter Real y_start = 0 "initial value of y for InitialOutput";
      extends Interfaces.SISO;
      Real xi(start = xi_start) "state: u integrated over Ti";
      Real xd(start = xd_start) "state: u filtered";
    initial equation
      if initType == Types.Init.SteadyState then
        der(xi) = 0;
        der(xd) = 0;
      elseif initType == Types.Init.InitialState then
        xi = xi_start;
        xd = xd_start;
      elseif initType == Types.Init.InitialOutput then
        y = y_start;
        der(xd) = 0;
      end if;
    equation
      der(xi) = u/Ti;
      der(xd) = (u - xd)*Nd/max(Td, 1e-14);
      y = k*(u + xi + (if Td > 0 then Nd*(u - xd) else 0));
    end PID;

    block LimPID "A P, PI, PD or PID controller with limited output and anti-windup"
      extends Interfaces.SVcontrol;
      parameter Types.SimpleController controllerType = Types.SimpleController.PID "parts";
      parameter Real k(min = 0) = 1 "gain";
      parameter Modelica.Units.SI.Time Ti(min = 1e-60) = 0.5 "time constant of the integral part";
      parameter Modelica.Units.SI.Time Td(min = 0) = 0.1 "time constant of the derivative part";
      parameter Real yMax(start = 1) "upper limit of y";
      parameter Real yMin = -yMax "lower limit of y";
      parameter Real wp(min = 0) = 1 "weight of the set point in the proportional part";
      parameter Real wd(min = 0) = 0 "weight of the set point in the derivative part";
      parameter Real Ni(min = 1e-13) = 0.9 "Ni*Ti is the time constant of the anti-windup";
      parameter Real Nd(min = 1e-13) = 10 "the larger, the more ideal the derivative part";
      parameter Types.Init initType = Types.Init.InitialState "what holds at the start";
      parameter Real xi_start = 0 "initial value of the integral part";
      parameter Real xd_start = 0 "initial value of the derivative part";
      Real controlError = u_s - u_m "set point - measurement";
      Real xi(start = xi_start, fixed = initType == Types.Init.InitialState) "integral part";
      Real xd(start = xd_start, fixed = initType == Types.Init.InitialState) "filtered input of the derivative part";
      Real unlimited "output before the limits";
    protected
      parameter Boolean with_I = controllerType == Types.SimpleController.PI
                                 or controllerType == Types.SimpleController.PID;
      parameter Boolean with_D = controllerType == Types.SimpleController.PD
                                 or controllerType == Types.SimpleController.PID;
    initial equation
      if initType == Types.Init.SteadyState then
        der(xi) = 0;
        der(xd) = 0;
      end if;
    equation
      der(xi) = if with_I then (controlError + (y - unlimited)/(k*Ni))/Ti else 0;
      der(xd) = if with_D then (wd*u_s - u_m - xd)*Nd/max(Td, 1e-14) else 0;
      unlimited = k*(wp*u_s - u_m + xi + (if with_D then Nd*(wd*u_s - u_m - xd) else 0));
      y = if unlimited > yMax then yMax elseif unlimited < yMin then yMin else unlimited;
    end LimPID;

    block TransferFunction "(b[1]*s^m + ... + b[m + 1])/(a[1]*s^n + ... + a[n + 1])"
      extends Interfaces.SISO;
      parameter Real b[:] = {1} "numerator, highest power first";
      parameter Real a[:] = {1} "denominator, highest power first";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real x_start[size(a, 1) - 1] = zeros(size(a, 1) - 1) "initial values or guesses of x";
      parameter Real y_start = 0 "initial value of y for InitialOutput";
      output Real x[size(a, 1) - 1](start = x_start) "states in controller canonical form";
    protected
      parameter Integer n = size(a, 1) - 1 "order";
      parameter Real c[n + 1] = cat(1, zeros(n + 1 - size(b, 1)), b)/a[1] "numerator of the order of the denominator";
      parameter Real d[n + 1] = a/a[1] "denominator that begins with 1";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = zeros(n);
      elseif initType == Types.Init.InitialState then
        x = x_start;
      elseif initType == Types.Init.InitialOutput then
        y = y_start;
        der(x[2:n]) = zeros(n - 1);
      end if;
    equation
      if n == 0 then
        y = c[1]*u;
      else
        der(x[1]) = u - d[2:n + 1]*x;
        for i in 2:n loop
          der(x[i]) = x[i - 1];
        end for;
        y = c[1]*u + (c[2:n + 1] - c[1]*d[2:n + 1])*x;
      end if;
    end TransferFunction;

    block StateSpace "der(x) = A*x + B*u, y = C*x + D*u"
      parameter Real A[:, size(A, 1)] = [1, 0; 0, 1] "matrix of the states";
      parameter Real B[size(A, 1), :] = [1; 1] "matrix of the inputs";
      parameter Real C[:, size(A, 1)] = [1, 1] "matrix of the outputs";
      parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "feedthrough";
      parameter Types.Init initType = Types.Init.NoInit "what holds at the start";
      parameter Real x_start[size(A, 1)] = zeros(size(A, 1)) "initial values or guesses of x";
      parameter Real y_start[size(C, 1)] = zeros(size(C, 1)) "initial values of y for InitialOutput";
      extends Interfaces.MIMO(nin = size(B, 2), nout = size(C, 1));
      output Real x[size(A, 1)](start = x_start) "states";
    initial equation
      if initType == Types.Init.SteadyState then
        der(x) = zeros(size(A, 1));
      elseif initType == Types.Init.InitialState then
        x = x_start;
      elseif initType == Types.Init.InitialOutput then
        y = y_start;
      end if;
    equation
      der(x) = A*x + B*u;
      y = C*x + D*u;
    end StateSpace;

    block Der "y = der(u)"
      extends Interfaces.SISO;
    equation
      y = der(u);
    end Der;
  end Continuous;

  package Nonlinear "Limits"
    block Limiter "u between limits"
      parameter Real uMax(start = 1) "upper limit";
      parameter Real uMin = -uMax "lower limit";
      extends Interfaces.SISO;
    equation
      assert(uMax >= uMin, "the upper limit is below the lower one");
      y = if u > uMax then uMax elseif u < uMin then uMin else u;
    end Limiter;

    block VariableLimiter "u between limits that are signals"
      extends Interfaces.SISO;
      Interfaces.RealInput limit1 "upper limit";
      Interfaces.RealInput limit2 "lower limit";
    equation
      y = if u > limit1 then limit1 elseif u < limit2 then limit2 else u;
    end VariableLimiter;

    block DeadZone "0 between limits, beyond them what exceeds"
      parameter Real uMax(start = 1) "upper limit";
      parameter Real uMin = -uMax "lower limit";
      extends Interfaces.SISO;
    equation
      y = if u > uMax then u - uMax elseif u < uMin then u - uMin else 0;
    end DeadZone;
  end Nonlinear;

  package Routing "Signals to other places"
    block RealPassThrough "y = u"
      extends Interfaces.SISO;
    equation
      y = u;
    end RealPassThrough;

    block Replicator "One signal to many"
      parameter Integer nout = 1 "number of outputs";
      Interfaces.RealInput u "input";
      Interfaces.RealOutput y[nout] "outputs, all equal";
    equation
      y = fill(u, nout);
    end Replicator;

    block RealReplicator "One signal to many"
      extends Replicator;
    end RealReplicator;
  end Routing;
end Blocks;
