// N resistors and N capacitors in a ladder, fed by a sine: daedal check rc_ladder.mo --set N=1000
model RcLadder
  parameter Integer N = 5;
  parameter Real R = 1000, C = 1e-6;
  Real v[N](each start = 0, each fixed = true) "capacitor voltages", i[N] "currents through the resistors";
equation
  R*i[1] = sin(100*time) - v[1];
  for k in 2:N loop
    R*i[k] = v[k - 1] - v[k];
    C*der(v[k - 1]) = i[k - 1] - i[k];
  end for;
  C*der(v[N]) = i[N];
end RcLadder;
