model M
  Real x, Real y;
  Real z;
end M;
// expect-error: 2:11: after a comma the type is not repeated: leave out `Real`, or end the line before with `;`
