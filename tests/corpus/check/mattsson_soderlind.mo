// Mattsson and Soderlind's example: derivatives of second order, lowered by the tool.
model MattssonSoderlind
  Real x1, x2, x3, x4;
equation
  x1 + x2 + sin(time) = 0;
  x1 + x2 + x3 + cos(time) = 0;
  x1 + der(x3) + x4 + sin(2*time) = 0;
  2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + cos(2*time) = 0;
end MattssonSoderlind;
// expect: index=2 structural_index=2 dof=2 constraint_count=3 hidden_count=2 unknowns=7 equations=7
// expect: certificate=structural verdict=ok kind=dae
