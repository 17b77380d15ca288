model Plate "Heat in a square plate, two-dimensional arrays"
  import Modelica.Units.SI.{Temperature, ThermalDiffusivity, Length};
  parameter Integer n = 5 "interior nodes per side" annotation(Dialog(group = "Discretisation"), Evaluate = true);
  parameter Length L = 0.1 annotation(Dialog(tab = "Geometry", group = "Size"));
  parameter ThermalDiffusivity a = 1e-4 annotation(choices(choice = 1e-4 "steel", choice = 9e-5 "iron"));
  parameter Temperature Tb[4] = {300, 320, 340, 360} "west, east, south, north";
  final parameter Length h = L/(n + 1);
  Temperature[n + 2, n + 2] T(each start = 300);
  Temperature middle = T[div(n, 2) + 2, div(n, 2) + 2] annotation(HideResult = false);
initial equation
  for i in 2:n + 1, j in 2:n + 1 loop
    T[i, j] = 300;
  end for;
equation
  T[1, :] = fill(Tb[1], n + 2);
  T[n + 2, :] = fill(Tb[2], n + 2);
  T[2:n + 1, 1] = Tb[3]*ones(n);
  T[2:n + 1, end] = Tb[4]*ones(n);
  for i in 2:n + 1 loop
    for j in 2:n + 1 loop
      der(T[i, j]) = a*((T[i + 1, j] - 2*T[i, j] + T[i - 1, j])/h^2 + (T[i, j + 1] - 2*T[i, j] + T[i, j - 1])/h^2);
    end for;
  end for;
  annotation(experiment(StopTime = 3));
end Plate;
