package Networks "networks of N steps, made of parts by `for`"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v = p.v - n.v, i = p.i;
  equation
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends TwoPin;
    parameter Real C = 1e-3;
  equation
    C*der(v) = i;
  end Capacitor;
  model Source
    extends TwoPin;
    parameter Real A = 1, f = 1;
  equation
    v = A*sin(6.2831853*f*time);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Ladder "N resistors and N capacitors"
    parameter Integer N = 5;
    Source src;
    Resistor r[N](each R = 10);
    Capacitor c[N](each v(start = 0, fixed = true));
    Ground gnd;
  equation
    connect(src.p, r[1].p);
    connect(src.n, gnd.p);
    for k in 1:N loop
      connect(r[k].n, c[k].p);
      connect(c[k].n, gnd.p);
    end for;
    for k in 1:N - 1 loop
      connect(r[k].n, r[k + 1].p);
    end for;
  end Ladder;

  connector Port
    Real p "pressure";
    flow Real q "volume flow into the part";
  end Port;
  model Tank
    parameter Real A = 1, rho_g = 9810;
    Port a;
    Real h(start = 1, fixed = true);
  equation
    A*der(h) = a.q;
    a.p = rho_g*h;
  end Tank;
  model Pipe "turbulent, smooth at rest"
    parameter Real k = 1e-4, small = 1;
    Port a, b;
  equation
    a.q + b.q = 0;
    a.q = k*(a.p - b.p)/((a.p - b.p)^2 + small^2)^0.25;
  end Pipe;
  model Supply
    parameter Real q = 1e-3;
    Port a;
  equation
    a.q = -q;
  end Supply;
  model Outlet
    Port a;
  equation
    a.p = 0;
  end Outlet;

  model Tanks "N tanks in a row, a pipe behind each"
    parameter Integer N = 5;
    Supply supply;
    Tank tank[N](h(start = {1 + 0.1*sin(k) for k in 1:N}));
    Pipe pipe[N];
    Outlet outlet;
  equation
    connect(supply.a, tank[1].a);
    for k in 1:N loop
      connect(tank[k].a, pipe[k].a);
    end for;
    for k in 1:N - 1 loop
      connect(pipe[k].b, tank[k + 1].a);
    end for;
    connect(pipe[N].b, outlet.a);
  end Tanks;

  connector Heat
    Real T;
    flow Real Q;
  end Heat;
  model Capacity
    parameter Real C = 1, T0 = 300;
    Heat port;
    Real T(start = T0, fixed = true) = port.T;
  equation
    C*der(T) = port.Q;
  end Capacity;
  model Conductor
    parameter Real G = 1;
    Heat a, b;
  equation
    a.Q + b.Q = 0;
    a.Q = G*(a.T - b.T);
  end Conductor;

  model Plate "N x N capacities with conductors between neighbours"
    parameter Integer N = 3;
    Capacity c[N, N](T0 = {{300 + i + j for j in 1:N} for i in 1:N});
    Conductor along[N, N - 1], across[N - 1, N];
  equation
    for i in 1:N loop
      connect(c[i, 1:N - 1].port, along[i, :].a);
      connect(along[i, :].b, c[i, 2:N].port);
    end for;
    for i in 1:N - 1, j in 1:N loop
      connect(c[i, j].port, across[i, j].a);
      connect(across[i, j].b, c[i + 1, j].port);
    end for;
  end Plate;
end Networks;
