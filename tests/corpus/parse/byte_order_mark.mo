model Mark
  Real x = 1;
end Mark;
// expect-model: Mark
