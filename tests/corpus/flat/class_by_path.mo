// The class can be named by its path, or by its last part when that is clear.
package P
  package Q
    model A Real x = 1; end A;
  end Q;
  model B Real y = 2; end B;
end P;
// run: P.Q.A
// run: A
// run: P.B
