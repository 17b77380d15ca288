// The class can be named by its path, or by its last part when that is clear.
package P
  package Q
    model A Real x = 1; end A;
  end Q;
  model B Real y = 2; end B;
end P;
// run: P.Q.A
//| model A
//|   Real x = 1;
//| end A;
// expect: verdict=ok index=1 dof=0 unknowns=1 equations=1
// run: A
//| model A
//|   Real x = 1;
//| end A;
// expect: verdict=ok index=1 dof=0 unknowns=1 equations=1
// run: P.B
//| model B
//|   Real y = 2;
//| end B;
// expect: verdict=ok index=1 dof=0 unknowns=1 equations=1
