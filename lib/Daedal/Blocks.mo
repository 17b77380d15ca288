within Daedal;
package Blocks "Signals: blocks with inputs and outputs"
  connector Input = input Real "A signal that is used";
  connector Output = output Real "A signal that is given";

  partial block Source "One output"
    Output y "output";
  end Source;

  partial block Single "One input, one output"
    Input u "input";
    Output y "output";
  end Single;

  block Constant "y = k"
    extends Source;
    parameter Real k = 1 "value";
  equation
    y = k;
  end Constant;

  block Step "From `offset` to `offset + height` at `start`: an event"
    extends Source;
    parameter Real height = 1, offset = 0, start = 0;
  equation
    y = offset + (if time < start then 0 else height);
  end Step;

  block Ramp "From `offset` to `offset + height` in a straight line that takes `duration`"
    extends Source;
    parameter Real height = 1, duration(min = 0) = 1, offset = 0, start = 0;
  equation
    y = offset + (if time < start then 0
                  elseif time < start + duration then height*(time - start)/duration
                  else height);
  end Ramp;

  block Sine "offset + amplitude*sin(2*pi*f*time + phase)"
    extends Source;
    parameter Real amplitude = 1, f(unit = "Hz") = 1, phase(unit = "rad") = 0, offset = 0;
  equation
    y = offset + amplitude*sin(2*3.14159265358979323846*f*time + phase);
  end Sine;

  block Pulse "`height` during the first part `width` (0 to 1) of every period, else 0: two events a period"
    extends Source;
    parameter Real height = 1, width(min = 0, max = 1) = 0.5, period = 1, offset = 0, start = 0;
  equation
    y = offset + (if time < start then 0 elseif mod(time - start, period) < width*period then height else 0);
  end Pulse;

  block Gain "y = k*u"
    extends Single;
    parameter Real k = 1 "factor";
  equation
    y = k*u;
  end Gain;

  block Add "y = k*u, a weighted sum of n signals"
    parameter Integer n = 2 "number of inputs";
    parameter Real k[n] = ones(n) "weights";
    Input u[n] "inputs";
    Output y "output";
  equation
    y = k*u;
  end Add;

  block Product "y = u[1]*u[2]*...*u[n]"
    parameter Integer n = 2 "number of inputs";
    Input u[n] "inputs";
    Output y "output";
  equation
    y = product(u);
  end Product;

  block Integrator "der(y) = k*u"
    extends Single(y(start = start, fixed = true));
    parameter Real k = 1 "gain";
    parameter Real start = 0 "y at the start";
  equation
    der(y) = k*u;
  end Integrator;

  block FirstOrder "T*der(y) + y = k*u"
    extends Single(y(start = start, fixed = true));
    parameter Real k = 1 "gain";
    parameter Real T(unit = "s") = 1 "time constant";
    parameter Real start = 0 "y at the start";
  equation
    T*der(y) + y = k*u;
  end FirstOrder;

  block SecondOrder "der(der(y)) + 2*zeta*w*der(y) + w^2*y = k*w^2*u"
    extends Single(y(start = start, fixed = true));
    parameter Real k = 1 "gain";
    parameter Real w(unit = "rad/s") = 1 "angular frequency without damping";
    parameter Real zeta = 0.7 "damping, 1 is critical";
    parameter Real start = 0, rate = 0 "y and its derivative at the start";
    Real v(start = rate, fixed = true) = der(y) "derivative of y";
  equation
    der(v) + 2*zeta*w*v + w^2*y = k*w^2*u;
  end SecondOrder;

  block Derivative "y = der(u), exactly: the input must be smooth, and the index may grow"
    extends Single;
  equation
    y = der(u);
  end Derivative;

  block Limiter "u within [low, high]: events where it reaches the limits"
    extends Single;
    parameter Real high = 1, low = -high;
  equation
    assert(low <= high, "the lower limit is above the upper one");
    y = if u > high then high elseif u < low then low else u;
  end Limiter;

  block DeadBand "0 for u within [low, high], beyond what exceeds"
    extends Single;
    parameter Real high = 1, low = -high;
  equation
    y = if u > high then u - high elseif u < low then u - low else 0;
  end DeadBand;

  block PID "Controller: k*(e + integral of e/Ti + Td*derivative of e), filtered, limited, without wind-up"
    Input r "set point";
    Input m "measurement";
    Output y "control";
    parameter Real k = 1 "gain";
    parameter Real Ti(unit = "s") = 1 "time constant of the integral part";
    parameter Real Td(unit = "s", min = 0) = 0 "time constant of the derivative part; 0: none";
    parameter Real N = 10 "the derivative is filtered with Td/N";
    parameter Real high = 1e60, low = -high "limits of y";
    parameter Real Ta(unit = "s") = Ti "time constant with which the integral part follows a limited output";
    parameter Real start = 0 "integral part at the start";
    Real e = r - m "control error";
    Real integral(start = start, fixed = true) "integral part";
    Real d "derivative part";
    Real unlimited = k*(e + integral + d) "control before the limits";
  protected
    Real slow(start = 0, fixed = Td > 0) "filtered error";
  equation
    der(integral) = e/Ti + (y - unlimited)/(k*Ta);
    if Td > 0 then
      der(slow) = N*(e - slow)/Td;
      d = N*(e - slow);
    else
      slow = e;
      d = 0;
    end if;
    y = if unlimited > high then high elseif unlimited < low then low else unlimited;
  end PID;

  block StateSpace "der(x) = A*x + B*u, y = C*x + D*u"
    parameter Real A[:, size(A, 1)], B[size(A, 1), :], C[:, size(A, 1)];
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2));
    parameter Real start[size(A, 1)] = zeros(size(A, 1)) "x at the start";
    Input u[size(B, 2)] "inputs";
    Output y[size(C, 1)] "outputs";
    Real x[size(A, 1)](start = start, each fixed = true) "states";
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;
end Blocks;
