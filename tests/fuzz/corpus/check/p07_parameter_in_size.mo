model ParameterInSize
  parameter Integer N = 4, k = 2;
  Real x[N](each start = 1);
equation
  for i in 1:N loop
    if i <= k then
      der(x[i]) = -x[i];
    else
      x[i] = x[i - k];
    end if;
  end for;
end ParameterInSize;
