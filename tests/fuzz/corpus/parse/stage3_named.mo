model M inner Real a; replaceable Real b constrainedby C; stream Real c; Real x(redeclare Real y);
equation when x > 1 then reinit(x, 2); elsewhen x < 0 then x = pre(a); end when; Connections.root(a.R);
algorithm x := sample(0, 1); end M;
operator record O end O; expandable connector E end E; impure function f external "C"; end f;
