package P import Q.*; constant Real a = b; end P;
package Q import P.*; constant Real b = a; end Q;
model Top import P.*; Real y = a; Real z = nothing; end Top;
// expect-error: 1:37: values and sizes depend on each other in a cycle: P.a -> Q.b -> P.a; give one of them a number
// expect-error: 3:44: nothing is not declared
