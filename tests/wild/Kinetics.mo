within;
package Kinetics "P + Q <-> M, M + Q -> Z: three ways to write it"
  type Rate = Real(final quantity="Rate", final unit="mol/(l.s)");

  model Scalars
    type Concentration = Real(unit="mol/l", min=0);
    parameter Real kf(unit="l/(mol.s)")=0.5, kb(unit="1/s")=0.2, kz(unit="l/(mol.s)")=1.5;
    Concentration p(start=1, fixed=true), q(start=1.4, fixed=true), m(start=0, fixed=true), z(start=0, fixed=true);
  equation
    der(p) = kb*m - kf*p*q;
    der(q) = kb*m - kf*p*q - kz*m*q;
    der(m) = kf*p*q - kb*m - kz*m*q;
    der(z) = kz*m*q;
    annotation(experiment(StopTime=5));
  end Scalars;

  model Vector
    parameter Real k[3] = {0.5, 0.2, 1.5};
    Real c[4](start={1, 1.4, 0, 0}, each fixed=true, each unit="mol/l");
  equation
    der(c) = {k[2]*c[3] - k[1]*c[1]*c[2],
              k[2]*c[3] - k[1]*c[1]*c[2] - k[3]*c[2]*c[3],
              k[1]*c[1]*c[2] - k[2]*c[3] - k[3]*c[2]*c[3],
              k[3]*c[2]*c[3]};
    annotation(experiment(StopTime=5));
  end Vector;

  model Matrix "an array indexed by an enumeration, and a stoichiometric matrix"
    type Species = enumeration(P, Q, M "intermediate", Z);
    parameter Real k[3] = {0.5, 0.2, 1.5};
    constant Real nu[4, 3] = [-1, 1, 0; -1, 1, -1; 1, -1, -1; 0, 0, 1];
    Real c[Species](each min=0);
    Rate r[3];
  initial equation
    c[Species.P] = 1.0;
    c[Species.Q] = 1.4;
    c[Species.M] = 0.0;
    c[Species.Z] = 0.0;
  equation
    r[1] = k[1]*c[Species.P]*c[Species.Q];
    r[2] = k[2]*c[Species.M];
    r[3] = k[3]*c[Species.Q]*c[Species.M];
    der(c) = nu*r;
    annotation(experiment(StopTime=5));
  end Matrix;
end Kinetics;
