// The value of a modification is read where it is written, also when the names are the same inside.
model Part
  parameter Real k = 1, twice = 2*k;
  Real x = k;
end Part;
model Group
  parameter Real k = 3;
  Part p(k = k), q(k = 2*k, twice = k), r(twice = p.twice + 1);
end Group;
model Top
  parameter Real k = 5;
  Group g(k = k + 1), h;
end Top;
