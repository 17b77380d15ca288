model Lorenz
	"Lorenz attractor, indented with tabs"
	parameter Real sigma = 10.0;
	parameter Real rho   = 28.0;
	parameter Real beta  = 8.0/3.0;
	Real x(start = 1.0, fixed = true);
	Real y(start = 1.0, fixed = true);
	Real z(start = 1.0, fixed = true);
equation
	der(x) = sigma*(y - x);
	der(y) = x*(rho - z) - y;
	der(z) = x*y - beta*z;
	annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-6, Interval = 0.002),
		__OpenModelica_simulationFlags(lv = "LOG_STATS", s = "dassl"),
		__Dymola_experimentSetupOutput);
end Lorenz;
