// Both matrices have rank 1 with the same left null vector; the right side is not in their range.
model ContradictionPencil
  parameter Real E[2, 2] = [1, 2; 2, 4], A[2, 2] = [1, 2; 2, 4];
  Real x[2];
equation
  E*der(x) = A*x + {1, time};
end ContradictionPencil;
// expect: verdict=inconsistent
// expect-reason: together they imply 2 - time = 0
