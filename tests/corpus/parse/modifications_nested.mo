model Leaf
  parameter Real k = 1, m = 5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Leaf;
model Branch
  parameter Real q = 7;
  Leaf left(k = q), right[2](each k = 3, m = {1, 2});
end Branch;
model Tree
  Branch b(left(m = 6, x(start = 2)), right.x(start = {4, 5}), q = 8);
  extends Branch(final left.k = 9, right(each m = 0));
end Tree;
// expect-model: Tree
// expect-var: left.k value=9
// expect-var: right[2].m value=0
// expect-var: b.left.k value=8
// expect-var: b.left.m value=6
// expect-var: b.left.x start=2
// expect-var: b.right[1].x start=4
// expect-var: b.right[2].x start=5
// expect-var: b.right[2].m value=2
// expect-var: b.right[1].k value=3
