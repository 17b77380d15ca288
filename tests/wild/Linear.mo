package Linear "Systems by their matrices"
  partial model ABCD
    parameter Integer nx=0, nu=0, ny=0 "sizes";
    parameter Real A[nx,nx]=fill(0,nx,nx);
    parameter Real B[nx,nu]=fill(0,nx,nu);
    parameter Real C[ny,nx]=fill(0,ny,nx);
    parameter Real D[ny,nu]=fill(0,ny,nu);
    parameter Real begin_[nx]=fill(0,nx);
    Real x[nx];
    Real u[nu];
    Real y[ny];
  initial equation
    x = begin_;
  equation
    der(x) = A*x+B*u;
    y = C*x+D*u;
  end ABCD;

  model Cooling "one state, no output"
    parameter Real outside=275;
    parameter Real G=0.35, cap=1.4;
    extends ABCD(nx=1, nu=1, A=[-G/cap], B=[G/cap], begin_={300});
  equation
    u = {outside};
    annotation(experiment(StopTime=6));
  end Cooling;

  model Chain "two masses between walls, force on the first"
    extends ABCD(nx=4, nu=1, ny=2,
      A=[0,0,1,0; 0,0,0,1; -2,1,-0.1,0; 1,-2,0,-0.1],
      B=[0;0;1;0],
      C=[1,0,0,0; 0,1,0,0],
      begin_={0,0,0,0.5});
  equation
    u = {sin(1.5*time)};
    annotation(experiment(StopTime=10));
  end Chain;
end Linear;
