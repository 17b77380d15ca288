// A file of a package kept as a folder, read by itself: within names the package.
within ;
package Alone
  model M
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end M;
end Alone;
// run: Alone.M
//| model M
//|   Real x(start = 1, fixed = true);
//| equation
//|   der(x) = -x;
//| end M;
// expect: verdict=ok index=0 dof=1 unknowns=1 equations=1
