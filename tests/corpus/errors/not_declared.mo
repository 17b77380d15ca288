model M
  Real x;
equation
  der(x) = -k*x + body.mass;
end M;
// expect-error: 4:13: k is not declared: declare it, as `parameter Real k = ...;` or, if unknown, `Real k;`
// expect-error: 4:19: body is not declared
