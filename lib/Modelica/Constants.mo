within Modelica;
package Constants "Constants of mathematics, of nature and of the machine"
  // Mathematics
  constant Real e = 2.71828182845904523536 "base of natural logarithms";
  constant Real pi = 3.14159265358979323846 "circumference over diameter";
  constant Real D2R = pi/180 "degree to radian";
  constant Real R2D = 180/pi "radian to degree";
  constant Real gamma = 0.57721566490153286061 "Euler's constant";

  // The machine
  constant Real eps = 2.220446049250313e-16 "distance of 1 to the next number";
  constant Real small = 1e-60 "a number that counts as zero, and whose inverse is a number";
  constant Real inf = 1e60 "a number that counts as infinite";
  constant Integer Integer_inf = 2147483647 "an Integer that counts as infinite";

  // Nature. The SI of 2019 fixes c, h, k, q and N_A.
  constant Modelica.Units.SI.Velocity c = 299792458 "speed of light in vacuum";
  constant Modelica.Units.SI.Acceleration g_n = 9.80665 "standard acceleration of free fall";
  constant Real G(unit = "m3/(kg.s2)") = 6.67430e-11 "constant of gravitation";
  constant Modelica.Units.SI.ElectricCharge q = 1.602176634e-19 "elementary charge";
  constant Modelica.Units.SI.FaradayConstant F = q*N_A "charge of a mole of electrons";
  constant Real h(unit = "J.s") = 6.62607015e-34 "Planck's constant";
  constant Real k(unit = "J/K") = 1.380649e-23 "Boltzmann's constant";
  constant Real R(unit = "J/(mol.K)") = k*N_A "gas constant";
  constant Real sigma(unit = "W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2) "constant of Stefan and Boltzmann";
  constant Real N_A(unit = "1/mol") = 6.02214076e23 "Avogadro's constant";
  constant Real mu_0(unit = "N/A2") = 1.25663706212e-6 "permeability of vacuum";
  constant Real epsilon_0(unit = "F/m") = 1/(mu_0*c^2) "permittivity of vacuum";
  constant Real T_zero(unit = "degC") = -273.15 "absolute zero in degree Celsius";
end Constants;
