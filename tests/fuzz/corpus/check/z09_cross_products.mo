model CrossProducts
  parameter Real I[3,3] = [1, 0.1, 0; 0.1, 2, 0; 0, 0, 3];
  input Real T[3];
  Real w[3](start = {0.1, 1, 0.1}, each fixed = true), h[3] = I*w;
equation
  der(h) + cross(w, h) = T;
end CrossProducts;
