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
