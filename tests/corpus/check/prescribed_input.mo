// The same with an input u: its first and second derivative are needed.
model PrescribedInput
  input Real u;
  Real x1, x2, z;
equation
  der(x1) = z;
  der(x2) = x1;
  x2 = u;
end PrescribedInput;
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 unknowns=3 kind=dae verdict=ok
// expect-equivalent: x1 = der(u)
// expect-equivalent: z = der(der(u))
// expect-warning: der(u)
// expect-warning: der(der(u))
// run: --set u=sin(time)
// expect: index=3 dof=0 constraint_count=1 hidden_count=2 verdict=ok
// expect-no-warning: der(u)
