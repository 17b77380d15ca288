// An encapsulated class sees what it imports, and nothing around it but predefined names.
package Lib
  constant Real k = 5;
  model Gain Real y = k*time; end Gain;
  encapsulated model Closed
    import Lib.Gain;
    import Lib.k;
    Gain g;
    Real z = k;
  end Closed;
end Lib;
// run: Lib.Closed
//| model Closed
//|   Real 'g.y' = 'Lib.k'*time;
//|   Real z = 'Lib.k';
//|   constant Real 'Lib.k' = 5;
//| end Closed;
// expect: verdict=ok index=1 dof=0 unknowns=2 equations=2
