package Oscillators   // several small ones
  model VanDerPol
    parameter Real mu = 1.5  "how nonlinear";
    Real u(start = 0.5);   // both start
    Real v(start = 0);     /* values are
                              guesses only */
  equation
    der(u) = v;
    der(v) = mu*(1 - u^2)*v - u;
    annotation(experiment(StopTime = 20));
  end VanDerPol;

  model Duffing "driven hard spring"
    import Modelica.Constants.pi;
    import Modelica.Math.cos;
    parameter Real alpha = 1, beta = 0.5, delta = 0.2, A = 0.7, T = 5;
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    v = der(x);
    der(v) + delta*v + alpha*x + beta*x^3 = A*cos(2*pi/T*time);
    annotation(experiment(StopTime = 15));
  end Duffing;
end Oscillators;
