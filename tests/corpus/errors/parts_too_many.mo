model Part Real x = 1; end Part;
model Top
  Part p[10000000];
end Top;
// expect-error: 3:8: with p the model has more than 1000000 components, the limit
