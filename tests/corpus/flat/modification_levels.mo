// Modifications three levels deep; the outermost counts, those inside stay where they are not overridden.
model Leaf
  parameter Real k = 1, m = 1, n = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*m*n*x;
end Leaf;
model Twig
  Leaf leaf(k = 2, m = 2, x(start = 2, max = 9));
end Twig;
model Branch
  parameter Real q = 10;
  Twig twig(leaf(m = q, x(start = 3)));
end Branch;
model Tree
  Branch b(q = 20, twig.leaf.n = 4), c(twig(leaf(k = 5, m = 6, x(start = 7, min = -1))));
end Tree;
//| model Tree
//|   parameter Real 'b.q' = 20;
//|   parameter Real 'b.twig.leaf.k' = 2;
//|   parameter Real 'b.twig.leaf.m' = 'b.q';
//|   parameter Real 'b.twig.leaf.n' = 4;
//|   Real 'b.twig.leaf.x'(start = 3, fixed = true, max = 9);
//|   parameter Real 'c.q' = 10;
//|   parameter Real 'c.twig.leaf.k' = 5;
//|   parameter Real 'c.twig.leaf.m' = 6;
//|   parameter Real 'c.twig.leaf.n' = 1;
//|   Real 'c.twig.leaf.x'(start = 7, fixed = true, min = -1, max = 9);
//| equation
//|   der('b.twig.leaf.x') = -'b.twig.leaf.k'*'b.twig.leaf.m'*'b.twig.leaf.n'*'b.twig.leaf.x';
//|   der('c.twig.leaf.x') = -'c.twig.leaf.k'*'c.twig.leaf.m'*'c.twig.leaf.n'*'c.twig.leaf.x';
//| end Tree;
// expect: verdict=ok index=0 dof=2 unknowns=2 equations=2
