model CoolingBlock "A hot block of metal in a draught"
  // units of our own
  type Kelvin=Real(unit="K", min=0);
  type FilmCoefficient=Real(unit="W/(m2.K)", min=0);
  type SquareMetre=Real(unit="m2", min=0);
  type Kilogram=Real(unit="kg", min=0);
  type HeatPerKilogram=Real(unit="J/(kg.K)", min=0);

  parameter Kelvin ambient=290;
  parameter Kelvin hot=420;
  parameter FilmCoefficient film=25;
  parameter SquareMetre surface=0.06;
  parameter Kilogram mass=0.8;
  parameter HeatPerKilogram c=450;

  Kelvin T "of the block";
initial equation
  T = hot;
equation
  mass*c*der(T) = film*surface*(ambient-T);
  annotation(experiment(StopTime=200));
end CoolingBlock;
