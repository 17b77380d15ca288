model Nand
  constant Real RGS = 4, RGD = 4, RBS = 10, RBD = 10, CGS = 6e-5, CGD = 6e-5, C9 = 5e-5, DELTA = 0.02, CURIS = 1e-14, VTH = 25.85, VDD = 5, VBB = -2.5, CB0 = 2.4e-5;
  Real V1, V2, tm1 = mod(time, 20), tm2 = mod(time, 40), V1d, V2d;
  Real y1(start = 5, fixed = true);
  Real y2(start = 5, fixed = true);
  Real y3(start = -2.5, fixed = true);
  Real y4(start = -2.5, fixed = true);
  Real y5(start = 5, fixed = true);
  Real y6(start = 3.62385, fixed = true);
  Real y7(start = 5, fixed = true);
  Real y8(start = -2.5, fixed = true);
  Real y9(start = -2.5, fixed = true);
  Real y10(start = 3.62385, fixed = true);
  Real y11(start = 0, fixed = true);
  Real y12(start = 3.62385, fixed = true);
  Real y13(start = -2.5, fixed = true);
  Real y14(start = -2.5, fixed = true);
  function vte
    input Real vt0, gam, phi, vbs; output Real r;
  algorithm
    r := vt0 + gam*(sqrt(phi - vbs) - sqrt(phi));
  end vte;
  function gds
    input Real beta, te, vds, vg; output Real r;
  algorithm
    r := if vg - te <= 0 then 0 elseif vg - te <= vds then -beta*(vg - te)^2*(1 + 0.02*vds) else -beta*vds*(2*(vg - te) - vds)*(1 + 0.02*vds);
  end gds;
  function cap
    input Real v; output Real r;
  algorithm
    r := if v <= 0 then 2.4e-5/sqrt(1 - v/0.87) else 2.4e-5*(1 + v/(2*0.87));
  end cap;
  function ib
    input Real v; output Real r;
  algorithm
    r := if v <= 0 then -1e-14*(exp(v/25.85) - 1) else 0;
  end ib;
  function ids
    input Real beta, vt0, gam, phi, vds, vgs, vbs, vgd, vbd; output Real r;
  algorithm
    r := if vds > 0 then gds(beta, vte(vt0, gam, phi, vbs), vds, vgs) else -gds(beta, vte(vt0, gam, phi, vbd), -vds, vgd);
  end ids;
  Real i1, i2, i3;
equation
  V1 = if tm1 <= 5 then 0 elseif tm1 <= 10 then tm1 - 5 elseif tm1 <= 15 then 5 else 20 - tm1;
  V1d = if tm1 <= 5 then 0 elseif tm1 <= 10 then 1 elseif tm1 <= 15 then 0 else -1;

  V2 = if tm2 <= 15 then 0 elseif tm2 <= 20 then tm2 - 15 elseif tm2 <= 35 then 5 else 40 - tm2;
  V2d = if tm2 <= 15 then 0 elseif tm2 <= 20 then 1 elseif tm2 <= 35 then 0 else -1;
  i1 = ids(5.35e-4, -2.43, 0.2, 1.28, y2 - y1, y5 - y1, y3 - y5, y5 - y2, y4 - VDD);
  i2 = ids(1.748e-3, 0.2, 0.035, 1.01, y7 - y6, V1 - y6, y8 - y10, V1 - y7, y9 - y5);
  i3 = ids(1.748e-3, 0.2, 0.035, 1.01, y12 - y11, V2 - y11, y13, V2 - y12, y14 - y10);
  CGS*(der(y5) - der(y1)) = -(-(y1 - y5)/RGS - i1);
  CGD*(der(y5) - der(y2)) = -(-(y2 - VDD)/RGD + i1);
  cap(y3 - y5)*(der(y5) - der(y3)) = -(-(y3 - VBB)/RBS + ib(y3 - y5));
  cap(y4 - VDD)*(-der(y4)) = -(-(y4 - VBB)/RBD + ib(y4 - VDD));
  CGS*(der(y1) - der(y5)) + CGD*(der(y2) - der(y5)) + cap(y3 - y5)*(der(y3) - der(y5)) + cap(y9 - y5)*(der(y9) - der(y5)) - C9*der(y5) = (y5 - y1)/RGS + ib(y3 - y5) + (y5 - y7)/RGD + ib(y9 - y5);
  CGS*der(y6) = CGS*V1d - (y6 - y10)/RGS - i2;
  CGD*der(y7) = CGD*V1d - (y7 - y5)/RGD + i2;
  cap(y8 - y10)*(der(y8) - der(y10)) = -(y8 - VBB)/RBS + ib(y8 - y10);
  cap(y9 - y5)*(der(y9) - der(y5)) = -(y9 - VBB)/RBD + ib(y9 - y5);
  cap(y8 - y10)*(der(y8) - der(y10)) - C9*der(y10) + cap(y14 - y10)*(der(y14) - der(y10)) = (y10 - y6)/RGS + ib(y8 - y10) + (y10 - y12)/RGD + ib(y14 - y10);
  CGS*der(y11) = CGS*V2d - y11/RGS - i3;
  CGD*der(y12) = CGD*V2d - (y12 - y10)/RGD + i3;
  cap(y13)*der(y13) = -(y13 - VBB)/RBS + ib(y13);
  cap(y14 - y10)*(der(y14) - der(y10)) = -(y14 - VBB)/RBD + ib(y14 - y10);
  annotation(experiment(StopTime = 80));
end Nand;
