package P
  import Q = P.In; import P.In.*;
  constant Real k[2] = {1, 2};
  type E = enumeration(one "1", two);
  package In function g input Real u; output Real a, b; algorithm a := u; b := if u > 0 then 1 else 2; end g; end In;
  function f input Real u[:]; input Real n = 2; output Real y; protected Real s; algorithm s := 0;
    for i in 1:size(u, 1) loop s := s + u[i]; end for; while s > 10 loop s := s/2; end while; y := n*s;
    annotation(Inline = true); end f;
  record R Real a = 1; Real b[2]; end R;
  model M
    extends B(x(start = 2)); parameter E e = E.two; R r(b = k); Real p, q;
  protected Real h = f({x, 1}, n = 3);
  equation (p, q) = Q.g(x); r.a = 2; if e == E.two then der(x) = h; else der(x) = 0; end if;
  end M;
  model B Real x; end B;
end P;
