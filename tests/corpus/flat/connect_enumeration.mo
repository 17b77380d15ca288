// connect in loops over enumerations and empty ranges; loops that count down; branches on the loop variable.
type E = enumeration(x, y, z);
connector S = Real;
model P S s; end P;
model Top
  P p[E]; S t[3];
  parameter Boolean on = true;
equation
  for e in E loop connect(p[e].s, t[e]); end for;
  for k in 3:-1:1 loop if on and k > 1 then t[k] = k; elseif not on then t[k] = 0; else t[k] = time; end if; end for;
  for k in 1:0 loop connect(p[k].s, t[k]); end for;
end Top;
//| model Top
//|   Real 'p[1].s';
//|   Real 'p[2].s';
//|   Real 'p[3].s';
//|   Real t[3];
//|   parameter Boolean on = true;
//| equation
//|   t[3] = 3;
//|   t[2] = 2;
//|   t[1] = time;
//|   'p[1].s' = t[1];
//|   'p[2].s' = t[2];
//|   'p[3].s' = t[3];
//| end Top;
// expect: verdict=ok index=1 dof=0 unknowns=6 equations=6
