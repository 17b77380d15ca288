package Shorts
  model Small
    parameter Real k = 1;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*x;
  end Small;
  model Big = Small(k = 2, x(start = 3)) "short class";
  model Bigger = Big(k = 4);
  model All
    Small s;
    Big b;
    Bigger c(x(start = 5));
    Big row[3](k = {1, 2, 3}, each x(start = 2));
    Real none[0];
    Real sum_ = sum(none) + sum(row.x);
  end All;
end Shorts;
