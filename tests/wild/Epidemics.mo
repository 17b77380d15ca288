package Epidemics "Compartment models"
  partial model Compartments
    parameter Real N(min = 1) = 1e6 "Population";
    parameter Real I0 = 10 "infected at first";
    parameter Real R0 = 2.5 "basic reproduction number";
    parameter Real gamma(unit = "1/d") = 1/7 "rate of recovery";
    final parameter Real beta(unit = "1/d") = R0*gamma;
    Real S(start = N - I0, fixed = true), I(start = I0, fixed = true), R(start = 0, fixed = true);
  protected
    Real newCases "per day";
  equation
    der(S) = -newCases;
    der(R) = gamma*I;
  end Compartments;

  model SIR "after Kermack and McKendrick"
    extends Compartments;
  equation
    newCases = beta*S*I/N;
    der(I) = newCases - gamma*I;
    annotation(experiment(StopTime = 100));
  end SIR;

  model SEIR "with incubation"
    extends Compartments(N = 1000, I0 = 1);
    parameter Real sigma(unit = "1/d") = 1/5;
    Real E(start = 0, fixed = true);
  equation
    newCases = beta*S*I/N;
    der(E) = newCases - sigma*E;
    der(I) = sigma*E - gamma*I;
    annotation(experiment(StopTime = 100));
  end SEIR;
end Epidemics;
