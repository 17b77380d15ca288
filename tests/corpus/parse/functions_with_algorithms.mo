// Every statement of algorithms, inputs with defaults and names, several outputs, inheritance, recursion, arrays.
package F
  constant Real two = 2;
  type Mode = enumeration(slow, fast);
  function horner
    input Real a[:];
    input Real s;
    output Real y;
  algorithm
    y := a[end];
    for i in size(a, 1) - 1:-1:1 loop
      y := y*s + a[i];
    end for;
  end horner;
  function scaled
    extends Interface;
    input Real factor = two;
  algorithm
    v := factor*u;
  end scaled;
  partial function Interface
    input Real u;
    output Real v;
  end Interface;
  function tripled = scaled(factor = 3);
  function parts
    input Real u;
    output Real v;
    output Real w[2];
  algorithm
    v := u + 1;
    for i loop
      w[i] := i*u;
    end for;
  end parts;
  function speed
    input Mode mode;
    output Real v;
  algorithm
    if mode == Mode.slow then
      v := 1;
      return;
    end if;
    v := 10;
  end speed;
  function clipped
    input Real u;
    output Real v;
  algorithm
    if u > 1 then
      v := 1;
    elseif u < -1 then
      v := -1;
    else
      v := u;
    end if;
  end clipped;
  function sumTo
    input Integer n;
    output Integer s = 0;
  protected
    Integer i = 0;
  algorithm
    while i < n loop
      i := i + 1;
      s := s + i;
    end while;
  end sumTo;
  function power
    input Real u;
    input Integer n;
    output Real v;
  algorithm
    v := if n == 0 then 1 else u*power(u, n - 1);
  end power;
end F;
model M
  import F.*;
  Real a, b, c, d[2], e, f, g[2], h, k, l;
  parameter Integer n = 4;
equation
  a = horner({1, 2, 3}, time);
  b = scaled(a) + tripled(u = a) + scaled(factor = b, u = a);
  (c, d) = parts(a);
  e = speed(Mode.slow) + speed(F.Mode.fast);
  f = clipped(a);
  g = scaled({a, b});
  h = sumTo(n);
  k = power(a, 3);
  l = F.power(u = b, n = 0);
end M;
// expect-model: M
// expect-count: rows=12
// expect-row: a = 1 + time*(2 + 3*time)
// expect-row: b = 2*a + 3*a + b*a
// expect-row: c = a + 1
// expect-row: d[1] = a
// expect-row: d[2] = 2*a
// expect-row: e = 11
// expect-row: f = if noEvent(a > 1) then 1 else if noEvent(a < -1) then -1 else a
// expect-row: g[1] = 2*a
// expect-row: g[2] = 2*b
// expect-row: h = 10
// expect-row: k = a^3
// expect-row: l = 1
