// A bound variable stays an assignment when other rows are combined (their derivatives depend on each other).
model AssignedBeside
 Real y[2](start={1,2}), g = exp(y[1]);
equation
 der(y[1])-der(y[2])=y[1];
 der(y[2])-der(y[1])=y[2]+g;
end AssignedBeside;
// expect: certificate=converted assigned_count=1 verdict=ok
