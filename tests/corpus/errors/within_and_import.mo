package P
  model A
    Real x;
  end A;
end P;
within Q;
import Modelica.Math;
// expect-error: 6:1: `within` is allowed once, before the first class of a file
// expect-error: 7:1: an `import` belongs inside a class, among its declarations
