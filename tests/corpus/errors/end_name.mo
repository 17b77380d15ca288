model Motor
  Real x = 1;
end Moter;
// expect-error: 3:5: `end Moter` does not fit: the model that begins in line 1 is called Motor
