model Part parameter Real k; Real x = k + y; end Part;
model Top
  Part p[5000];
end Top;
// expect-error: 1:27: parameter p[1].k has no value: give one in the model, or with --set p[1].k=VALUE
// expect-error: 1:43: y is not declared
// expect-note: 3:8: inside p[1], a Part declared here
