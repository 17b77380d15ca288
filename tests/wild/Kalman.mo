model Kalman "Riccati equation of a filter: matrices as states"
  parameter Integer n = 2;
  parameter Real A[n, n] = [0, 1; -2, -0.4], C[1, n] = [1, 0], Q[n, n] = [0, 0; 0, 0.3], R[1, 1] = [0.1];
  Real P[n, n](start = identity(n), each fixed = true);
  Real K[n, 1];
  Real big[n + 1, n + 1] = [A, [0; 1]; 1, 0, 0];
  Real trace = sum(P[i, i] for i in 1:n), largest = max(P), corner = big[3, 1] + big[2, 3] + sum(big[1:2, 1:2]);
equation
  K = P*transpose(C)/R[1, 1];
  der(P) = A*P + P*transpose(A) + Q - K*R*transpose(K);
  annotation(experiment(StopTime = 4));
end Kalman;
