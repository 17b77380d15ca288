package P
  model A
    Real x;
  end A;
end P;
within Q;
import Modelica.Math;
// expect-error: 1:1: `package` is not supported yet
// expect-error: 6:1: `within` is not supported yet
// expect-error: 7:1: `import` is not supported yet
