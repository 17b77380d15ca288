// What a model is can depend on numbers: daedal check depends_on_data.mo, then with --set k=0, then with --set C=0.
model DependsOnData
  parameter Real k = 2 "feed-through", C = 1 "capacity";
  Real x(start = 2), z(start = 1);
equation
  C*der(x) = z - x;
  0 = x - k*z - 1;
end DependsOnData;
