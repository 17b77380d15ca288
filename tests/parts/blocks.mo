// Every block of Daedal.Blocks once.
package BlockParts
  import Daedal.Blocks.*;

  model Sources "Constant, Step, Ramp, Sine, Pulse, and what integrates them"
    Constant constant_(k = 3);
    Step step(height = 2, offset = 1, start = 0.3);
    Ramp ramp(height = 4, duration = 0.5, start = 0.2, offset = -1);
    Sine sine(amplitude = 2, f = 0.5, phase = 0.25, offset = 0.5);
    Pulse pulse(height = 5, width = 0.25, period = 0.4, start = 0.1);
    Integrator i[5](each start = 0);
  equation
    connect(constant_.y, i[1].u);
    connect(step.y, i[2].u);
    connect(ramp.y, i[3].u);
    connect(sine.y, i[4].u);
    connect(pulse.y, i[5].u);
    annotation(experiment(StopTime = 0.95));
  end Sources;

  model Algebra "Gain, Add, Product, Limiter, DeadBand, Derivative"
    Sine sine(amplitude = 2, f = 1/6.283185307179586);
    Gain gain(k = -3);
    Add add(n = 3, k = {1, 2, -1});
    Product product_(n = 2);
    Limiter limiter(high = 1.2, low = -0.5);
    DeadBand band(high = 0.5, low = -0.25);
    Derivative derivative;
    Integrator limited, dead;
  equation
    connect(sine.y, gain.u);
    connect(sine.y, add.u[1]);
    connect(gain.y, add.u[2]);
    connect(derivative.y, add.u[3]);
    connect(sine.y, derivative.u);
    connect(sine.y, product_.u[1]);
    connect(gain.y, product_.u[2]);
    connect(sine.y, limiter.u);
    connect(sine.y, band.u);
    connect(limiter.y, limited.u);
    connect(band.y, dead.u);
    annotation(experiment(StopTime = 5));
  end Algebra;

  model Lags "FirstOrder, SecondOrder, StateSpace: step responses"
    Constant one(k = 1);
    FirstOrder first(k = 2, T = 0.5, start = 1);
    SecondOrder second(k = 3, w = 4, zeta = 0.25, start = 0.5, rate = -1);
    StateSpace space(A = [0, 1; -16, -2], B = [0; 48], C = [1, 0], start = {0.5, -1});
  equation
    connect(one.y, first.u);
    connect(one.y, second.u);
    connect(one.y, space.u[1]);
    annotation(experiment(StopTime = 1.5));
  end Lags;

  model Control "PID without derivative part around an integrator: a damped oscillation"
    Constant set_(k = 1);
    PID pi(k = 2, Ti = 0.5);
    Integrator plant;
  equation
    connect(set_.y, pi.r);
    connect(plant.y, pi.m);
    connect(pi.y, plant.u);
    annotation(experiment(StopTime = 2));
  end Control;

  model Derivatives "PID on a given error: the parts of a sine"
    Sine sine(amplitude = 1, f = 2/6.283185307179586);
    Constant zero(k = 0);
    PID pid(k = 3, Ti = 2, Td = 0.5, N = 4);
  equation
    connect(sine.y, pid.r);
    connect(zero.y, pid.m);
    annotation(experiment(StopTime = 4));
  end Derivatives;

  model Saturated "PID at its limit: the integral part settles instead of winding up"
    Constant set_(k = 1), zero(k = 0);
    PID pi(k = 2, Ti = 0.5, high = 1.5, Ta = 0.25);
  equation
    connect(set_.y, pi.r);
    connect(zero.y, pi.m);
    annotation(experiment(StopTime = 0.8));
  end Saturated;
end BlockParts;
