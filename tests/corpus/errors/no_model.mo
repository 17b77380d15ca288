type T = Real(unit = "m");
// expect-error: 1:1: there is no model here, only classes of other kinds: the first is a type
