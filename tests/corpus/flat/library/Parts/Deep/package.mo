within Parts;
package Deep
  constant Real c = 2*k;
  model Inside Real y = c; end Inside;
end Deep;
