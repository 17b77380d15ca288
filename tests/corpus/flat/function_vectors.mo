// A function of scalars called with arrays is called for each element; arrays of unknown size; named arguments.
function f
  input Real x, k = 2;
  output Real y = k*x^2;
algorithm
end f;
function norm1
  input Real v[:];
  output Real s = sum(abs(v[i]) for i in 1:size(v, 1));
algorithm
end norm1;
function dyad
  input Real a[:], b[size(a, 1)];
  output Real C[size(a, 1), size(b, 1)];
algorithm
  for i in 1:size(a, 1), j in 1:size(b, 1) loop
    C[i, j] := a[i]*b[j];
  end for;
end dyad;
model Part Real x = time; end Part;
model Top
  Part p[2];
  Real v[3] = f({1, 2, time}), w[2] = f(p.x, k = 3), m[2, 2] = f([1, 2; 3, time]), s = norm1(v), C[2, 2] = dyad(w, {1, 2});
end Top;
//| model Top
//|   Real 'p[1].x' = time;
//|   Real 'p[2].x' = time;
//|   Real v[3] = {2, 8, 2*time^2};
//|   Real w[2] = {3*'p[1].x'^2, 3*'p[2].x'^2};
//|   Real m[2, 2] = {{2, 8}, {18, 2*time^2}};
//|   Real s = noEvent(abs(v[1])) + noEvent(abs(v[2])) + noEvent(abs(v[3]));
//|   Real C[2, 2] = {{w[1], 2*w[1]}, {w[2], 2*w[2]}};
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=16 equations=16
