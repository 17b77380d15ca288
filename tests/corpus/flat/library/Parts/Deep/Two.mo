within Parts.Deep;
model Two "uses what stands beside it, and around it"
  Decay a, b(rate = c);
  Inside i;
end Two;
