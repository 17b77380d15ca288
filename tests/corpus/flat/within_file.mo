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
