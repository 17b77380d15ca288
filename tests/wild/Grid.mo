package Grid "Resistor grid and an array of tanks: two-dimensional arrays of components"
  connector P
    Real v;
    flow Real i;
  end P;
  model Cell "capacitor to ground, resistors to the right and down"
    P left, right, up, down;
    parameter Real R = 1, C = 1;
    Real v(start = 0);
  equation
    v = left.v;
    v = up.v;
    right.i = (right.v - v)/R;
    down.i = (down.v - v)/R;
    C*der(v) = left.i + up.i + right.i + down.i;
  end Cell;
  model Net
    parameter Integer n = 3, m = 4;
    Cell cell[n, m](v(start = [1, 2, 3, 4; 5, 6, 7, 8; 9, 10, 11, 12], each fixed = true), each R = 2,
                    C = {{0.1*i + 0.01*j for j in 1:m} for i in 1:n});
    Real total = sum(cell.v);
  equation
    for i in 1:n, j in 1:m - 1 loop
      connect(cell[i, j].right, cell[i, j + 1].left);
    end for;
    for i in 1:n - 1, j in 1:m loop
      connect(cell[i, j].down, cell[i + 1, j].up);
    end for;
    annotation(experiment(StopTime = 0.5));
  end Net;
end Grid;
