model A extends B; end A; model B extends A; B b; end B; type T = U; type U = T;
package P extends P.Q; package Q extends P; end Q; import P.Q.*; end P; model M A a; T t; P.X x; M m; end M;
