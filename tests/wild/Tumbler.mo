package Tumbler "Types that are vectors, cross products, matrices"
  package Basics
    constant Real g = 9.81;
    type Vector3 = Real[3];
    type Spin = Real[3](each unit = "rad/s");
    function mean
      input Real x[:];
      output Real m;
    algorithm
      m := sum(x)/size(x, 1);
    end mean;
    function scaled = twice(factor = 3) "short definition";
    function twice
      input Real x;
      input Real factor = 2;
      output Real y;
    algorithm
      y := factor*x;
    end twice;
  end Basics;
  model Body "Euler's equations with a torque"
    import Tumbler.Basics.*;
    parameter Real J[3, 3] = diagonal({1, 2, 3.5});
    Spin w(start = {0.1, 2, 0.1}, each fixed = true);
    Vector3 h, tau;
    Real E, average, scaledAverage, doubled[3];
    Real[2, 2] M = [w[1], w[2]; -w[2], w[1]];
    Real detM = M[1, 1]*M[2, 2] - M[1, 2]*M[2, 1];
  equation
    h = J*w;
    der(h) + cross(w, h) = tau;
    tau = {0.1, 0, -0.05*w[3]};
    E = w*J*w/2;
    average = mean(w);
    scaledAverage = scaled(average);
    doubled = twice(w) "called for every element";
    annotation(experiment(StopTime = 5));
  end Body;
end Tumbler;
