// A ladder of N resistors and capacitors behind a voltage source; --set N=1000 makes it longer.
model RCLadder
  parameter Integer N = 5;
  parameter Real R = 100, C = 1e-6;
  Real v[N](each start = 0, each fixed = true) "capacitor voltages";
  Real i[N] "currents through the resistors";
  Real u = sin(100*time) "source";
equation
  R*i[1] = u - v[1];
  for k in 2:N loop
    R*i[k] = v[k - 1] - v[k];
  end for;
  for k in 1:N - 1 loop
    C*der(v[k]) = i[k] - i[k + 1];
  end for;
  C*der(v[N]) = i[N];
end RCLadder;
