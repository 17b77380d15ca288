// N points on circles, written with for and slices of a matrix: one hidden constraint text per instance.
model LoopOfRods
  parameter Integer N = 4;
  parameter Real L = 0.5;
  Real p[N,2](start = {{0.3, -0.4} for i in 1:N}), v[N,2](each start = 0), lam[N];
equation
  for i in 1:N loop
    der(p[i,:]) = v[i,:];
    der(v[i,:]) = -2*lam[i]*p[i,:] + {sin(i*time), -9.81};
    p[i,:]*p[i,:] = L^2;
  end for;
end LoopOfRods;
// expect: index=3 dof=8 constraint_count=4 hidden_count=8 unknowns=20 verdict=ok certificate=structural
// expect-equivalent: p[2,:]*v[2,:] = 0
// expect-equivalent: v[3,:]*v[3,:] + p[3,:]*(-2*lam[3]*p[3,:] + {sin(3*time), -9.81}) = 0
