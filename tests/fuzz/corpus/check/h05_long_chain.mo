model LongChain
  parameter Integer N = 6;
  Real x[N];
equation
  x[1] = exp(-time);
  for i in 1:N - 1 loop
    der(x[i]) = x[i + 1];
  end for;
end LongChain;
