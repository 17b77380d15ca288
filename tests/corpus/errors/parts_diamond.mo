model Base parameter Real k = 2; Real x = k; end Base;
model Left extends Base(k = 3); end Left;
model Right extends Base(k = 4); end Right;
model Both extends Left; extends Right; end Both;
// expect-error: 3:26: Base is inherited along two paths, and Right modifies it on the second one: modify it in Both, which inherits both
// expect-note: 4:7: Both is defined here
