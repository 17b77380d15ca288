connector RealInput = input Real(unit = "1");
block Gain parameter Real k = 1; RealInput u; output Real y = k*u; end Gain;
block Double = Gain(k = 2);
model Loop Double d; Gain g[3](k = {1, 2, 3}); Real s = sum(g.y);
equation d.u = time; for i loop g[i].u = d.y; end for; end Loop;
