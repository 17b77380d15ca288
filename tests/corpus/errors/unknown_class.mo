model Pendulum
  Real x = 1;
end Pendulum;
// class: Pendulun
// expect-error: 1:1: there is no class Pendulun here: did you mean Pendulum?
