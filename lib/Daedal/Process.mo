within Daedal;
package Process "Stirred tanks with reactions, some of them so fast that they are in equilibrium"
  connector Inlet "A stream that is taken"
    parameter Integer n = 1 "number of species";
    input Real q(unit = "m3/s") "flow";
    input Real c[n](each unit = "mol/m3") "concentrations";
  end Inlet;

  connector Outlet "A stream that is given"
    parameter Integer n = 1 "number of species";
    output Real q(unit = "m3/s") "flow";
    output Real c[n](each unit = "mol/m3") "concentrations";
  end Outlet;

  model Feed "A stream of constant flow and composition"
    parameter Real q(unit = "m3/s") = 1, c[:](each unit = "mol/m3") = {1};
    Outlet outlet(n = size(c, 1));
  equation
    outlet.q = q;
    outlet.c = c;
  end Feed;

  model Mixer "Two streams become one, at once"
    parameter Integer n = 1 "number of species";
    Inlet inlet1(n = n), inlet2(n = n);
    Outlet outlet(n = n);
  equation
    outlet.q = inlet1.q + inlet2.q;
    outlet.q*outlet.c = inlet1.q*inlet1.c + inlet2.q*inlet2.c;
  end Mixer;

  model Drain "Where a stream ends"
    parameter Integer n = 1 "number of species";
    Inlet inlet(n = n);
  end Drain;

  partial model Tank "Contents of a stirred tank; what flows out is said elsewhere"
    parameter Integer n = 1 "number of species";
    parameter Real S[n, :] = zeros(n, 0) "reactions with a rate: k times the concentrations of what is used up";
    parameter Real k[size(S, 2)] = ones(size(S, 2)) "their constants";
    parameter Real E[n, :] = zeros(n, 0) "reactions in equilibrium";
    parameter Real K[size(E, 2)] = ones(size(E, 2)) "their constants: products over what is used up";
    Inlet inlet(n = n);
    Outlet outlet(n = n);
    Real V(unit = "m3", start = 1) "volume";
    Real c[n](each unit = "mol/m3") "concentrations";
    Real r[size(S, 2)] "rates, per volume";
    Real e[size(E, 2)] "rates of the equilibria, per volume: whatever they must be";
  equation
    der(V) = inlet.q - outlet.q;
    V*der(c) = inlet.q*(inlet.c - c) + V*(S*r + E*e);
    for j in 1:size(S, 2) loop
      r[j] = k[j]*product(if S[i, j] < 0 then c[i]^(-S[i, j]) else 1 for i in 1:n);
    end for;
    for j in 1:size(E, 2) loop
      product(if E[i, j] > 0 then c[i]^E[i, j] else 1 for i in 1:n)
        = K[j]*product(if E[i, j] < 0 then c[i]^(-E[i, j]) else 1 for i in 1:n);
    end for;
    outlet.c = c;
  end Tank;

  model CSTR "Overflows: as much flows out as flows in"
    extends Tank;
  equation
    outlet.q = inlet.q;
  end CSTR;

  model DrainedCSTR "The outflow is a signal"
    extends Tank;
    Blocks.Input drain "outflow";
  equation
    outlet.q = drain;
  end DrainedCSTR;
  annotation(Documentation(info = "Streams run one way: an Outlet gives flow and concentrations, an Inlet takes
    them. Reactions are columns of matrices of stoichiometric coefficients, one row per species, negative for what is used up.
    An equilibrium replaces the rate of its reaction by a relation between concentrations; the rate then follows from a
    derivative: index 2, and one degree of freedom less for each equilibrium."));
end Process;
