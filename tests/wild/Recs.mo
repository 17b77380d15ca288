package Recs
  record Pt Real x, y; end Pt;
  record Line
    Pt a, b;
    parameter Integer n = 2;
  end Line;
  function mid
    input Pt p, q;
    output Pt m;
  algorithm
    m.x := (p.x + q.x)/2;
    m.y := (p.y + q.y)/2;
  end mid;
  function len
    input Line l;
    output Real d;
  algorithm
    d := sqrt((l.a.x - l.b.x)^2 + (l.a.y - l.b.y)^2);
  end len;
  function fact
    input Integer n;
    output Integer f;
  algorithm
    f := 1;
    for k in 2:n loop
      f := f*k;
    end for;
  end fact;
  function first "with return and break"
    input Real v[:];
    input Real limit;
    output Integer k = 0;
  algorithm
    while true loop
      k := k + 1;
      if k > size(v, 1) then
        break;
      end if;
      if v[k] > limit then
        return;
      end if;
    end while;
    k := -1;
  end first;
  constant Real f5 = fact(5);
  constant Pt origin = Pt(0, 0);
  record Mat Real rho; Real c = 2; end Mat;
  model A
    parameter Mat mats[2] = {Mat(1), Mat(3, 4)};
    parameter Real rhos[2] = mats.rho;
    parameter Integer k1 = first({1, 5, 9}, 4), k2 = first({1, 2}, 4);
    Pt p(x(start = 1, fixed = true), y(start = 2, fixed = true)), q, m;
    Line l(a = p, b = q);
    Real d = len(l);
  equation
    der(p.x) = -p.x*mats[2].c;
    der(p.y) = -p.y/f5 + k1 + k2;
    q = Pt(x = 2*p.x, y = origin.y + rhos[2]);
    m = mid(p, q);
  end A;
end Recs;
