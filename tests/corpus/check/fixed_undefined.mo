// The square root of a negative fixed value.
model FixedUndefined
 Real x(start=-1, fixed=true);
equation
 der(x) = sqrt(x);
end FixedUndefined;
// expect: verdict=ok index=0 dof=1
// expect-warning: the fixed value x = -1 cannot hold
