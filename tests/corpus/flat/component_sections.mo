// Equations of components: initial equations, assertions, loops over their own arrays, branches on parameters, lagrange.
model Pendulum
  parameter Integer n = 2;
  parameter Boolean swinging = true;
  parameter Real L = 1;
  Real q[n](each start = 0.1), w[n] = der(q), sq[n];
initial equation
  q = fill(0.2, n);
  if swinging then
    w = ones(n);
  else
    w[1:n] = zeros(n);
  end if;
equation
  assert(L > 0, "L must be positive");
  lagrange(q = q, T = 0.5*(w*w), V = 9.81*L*sum(-cos(q[i]) for i in 1:n));
  for i in 1:n loop
    sq[i] = q[i]^2;
  end for;
end Pendulum;
model Top
  Pendulum a(n = 1), b[2](L = {2, 3}, each n = 1, swinging = {true, false});
end Top;
//| model Top
//|   parameter Integer 'a.n' = 1;
//|   parameter Boolean 'a.swinging' = true;
//|   parameter Real 'a.L' = 1;
//|   Real 'a.q'[1](start = 0.1);
//|   Real 'a.w'[1] = der('a.q');
//|   Real 'a.sq'[1];
//|   parameter Integer 'b[1].n' = 1;
//|   parameter Boolean 'b[1].swinging' = true;
//|   parameter Real 'b[1].L' = 2;
//|   Real 'b[1].q'[1](start = 0.1);
//|   Real 'b[1].w'[1] = der('b[1].q');
//|   Real 'b[1].sq'[1];
//|   parameter Integer 'b[2].n' = 1;
//|   parameter Boolean 'b[2].swinging' = false;
//|   parameter Real 'b[2].L' = 3;
//|   Real 'b[2].q'[1](start = 0.1);
//|   Real 'b[2].w'[1] = der('b[2].q');
//|   Real 'b[2].sq'[1];
//| initial equation
//|   'a.q' = fill(0.2, 'a.n');
//|   'a.w' = ones('a.n');
//|   'b[1].q' = fill(0.2, 'b[1].n');
//|   'b[1].w' = ones('b[1].n');
//|   'b[2].q' = fill(0.2, 'b[2].n');
//|   'b[2].w'[1:'b[2].n'] = zeros('b[2].n');
//| equation
//|   der(der('a.q'[1])) = -9.81*'a.L'*sin('a.q'[1]) "equation of motion of a.q[1]";
//|   'a.sq'[1] = 'a.q'[1]^2;
//|   der(der('b[1].q'[1])) = -9.81*'b[1].L'*sin('b[1].q'[1]) "equation of motion of b[1].q[1]";
//|   'b[1].sq'[1] = 'b[1].q'[1]^2;
//|   der(der('b[2].q'[1])) = -9.81*'b[2].L'*sin('b[2].q'[1]) "equation of motion of b[2].q[1]";
//|   'b[2].sq'[1] = 'b[2].q'[1]^2;
//|   assert('a.L' > 0, "L must be positive");
//|   assert('b[1].L' > 0, "L must be positive");
//|   assert('b[2].L' > 0, "L must be positive");
//| end Top;
// expect: verdict=ok index=1 dof=6 unknowns=9 equations=9
