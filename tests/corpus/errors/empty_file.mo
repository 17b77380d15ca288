// nothing here
// expect-error: 1:1: there is no model here: expected `model NAME ... end NAME;`
