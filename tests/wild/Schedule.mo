model Schedule "Table by a function, asserts with texts, loops over lists"
  type Season = enumeration(spring, summer, autumn, winter);
  function lookup "straight lines between the points of a table"
    input Real table[:, 2];
    input Real x;
    output Real y;
  protected
    Integer n = size(table, 1);
  algorithm
    y := table[n, 2];
    for k in n - 1:-1:1 loop
      if x < table[k + 1, 1] then
        y := table[k, 2] + (x - table[k, 1])*(table[k + 1, 2] - table[k, 2])/(table[k + 1, 1] - table[k, 1]);
      end if;
    end for;
  end lookup;
  parameter Real demand[:, 2] = [0, 1; 6, 2; 8, 5; 17, 4; 22, 2; 24, 1];
  parameter Real factor[Season] = {1.0, 0.5, 1.2, 2.0};
  parameter Season now = Season.autumn;
  Real store[3](start = {10, 20, 30}, each fixed = true), used(start = 0, fixed = true), load;
  Real yearly = sum(factor[s]*lookup(demand, 12) for s in Season);
equation
  load = factor[now]*lookup(demand, time);
  der(used) = load;
  for k in {1, 3} loop
    der(store[k]) = -0.1*k*load;
  end for;
  der(store[2]) = if store[2] > 15 then -load/4 elseif store[2] > 12 then -load/8 else 0;
  assert(store[1] > -100, "store 1 is empty: " + String(store[1]) + " left", AssertionLevel.warning);
  assert(load >= 0, "negative load");
  annotation(experiment(StopTime = 20));
end Schedule;
