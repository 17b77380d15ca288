package P import Q.x; end P;
package Q import P.x; end Q;
model Top import P.x; Real y = x; Real z = P.x; end Top;
// expect-error: 3:18: there is no class x in P
// expect-error: 3:46: P has no member x
