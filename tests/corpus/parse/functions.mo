model Functions
  Real x, y, a[3], b[3];
equation
  x = sin(y) + cos(y) + tan(y) + asin(y) + acos(y) + atan(y) + atan2(y, 2) + sinh(y) + cosh(y) + tanh(y) + exp(y) + log(y) + log10(y) + sqrt(y) + abs(y) + sign(y);
  y = min(x, 2) + max(x, 3) + floor(x) + ceil(x) + mod(x, 2) + noEvent(x) + smooth(1, x) + homotopy(simplified = 2, actual = x) + product({x, 2}) + scalar({x});
  a = cross(b, {1, 2, 3}) + vector({b}) + skew({1, 0, 0})*b + diagonal({1, 2, 3})*b + linspace(0, 1, 3) + fill(2, 3) + ones(3) + cat(1, b[1:2], {0});
  b = zeros(size(a, 1));
end Functions;

// expect-count: rows=8
// expect-row: x = cos(y) + sin(y) + tan(y) + asin(y) + acos(y) + atan(y) + atan2(y, 2) + sinh(y) + cosh(y) + tanh(y) + exp(y) + log(y) + log10(y) + y^0.5 + abs(y) + sign(y)
// expect-row: y = min(x, 2) + max(x, 3) + floor(x) + ceil(x) + mod(x, 2) + noEvent(x) + noEvent(x) + homotopy(x, 2) + 2*x + x
// expect-row: a[1] = 3*b[2] - 2*b[3] + b[1] + b[1] + 0 + 2 + 1 + b[1]
// expect-row: a[2] = b[3] - 3*b[1] + b[2] - b[3] + 2*b[2] + 0.5 + 2 + 1 + b[2]
// expect-row: a[3] = 2*b[1] - b[2] + b[3] + b[2] + 3*b[3] + 1 + 2 + 1
// expect-row: b = {0, 0, 0}
