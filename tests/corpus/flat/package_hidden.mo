// Variables hide packages of the same name; constant arrays of packages; imports in functions.
package P constant Real t[3] = {1, 2, 3}; constant Integer n = size(t, 1); type T = Real(unit = "s"); 
  function f import P.t; input Integer k; output Real y; algorithm y := t[k]; end f; end P;
model A Real P = 2; Real y = P; end A;
model Top
  A a; P.T x[P.n] = P.t; Real z = P.f(2), w = P.t[P.n] + P.t[2:3]*{1, 1};
end Top;
//| model Top
//|   Real 'a.P' = 2;
//|   Real 'a.y' = 'a.P';
//|   constant Real 'P.t'[3] = {1, 2, 3};
//|   constant Integer 'P.n' = size('P.t', 1);
//|   Real x[3](unit = "s") = 'P.t';
//|   Real z = 2;
//|   Real w = 'P.t'['P.n'] + 'P.t'[2:3]*{1, 1};
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=7 equations=7
