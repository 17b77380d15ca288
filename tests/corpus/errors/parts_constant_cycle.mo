package P constant Real a = Q.b; end P;
package Q constant Real b = P.a; end Q;
model Top Real y = P.a; end Top;
// expect-error: 1:25: values and sizes depend on each other in a cycle: P.a -> Q.b -> P.a; give one of them a number
