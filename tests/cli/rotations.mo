// Identities of Daedal.Rotations along a tumbling motion: every variable e* is zero. Derivatives are those that the
// tool takes of the functions themselves, so the rates test the symbolic derivatives as well.
model RotationIdentities
  import R = Daedal.Rotations;
  parameter Real a[3] = {0.3, -0.4, 0.5};
  Real s(start = 0, fixed = true) "drives the motion";
  Real rpy[3] = {0.4*s, 0.7*sin(s), 0.2 + s*s/4}, zyz[3] = {s, 1 + 0.5*sin(s), 0.3*s};
  Real w[3] = {0.2 + s, 0.5*cos(s), -0.7*s} "a rotation vector";
  Real A[3,3] = R.fromRollPitchYaw(rpy), B[3,3] = R.fromZYZ(zyz), C[3,3] = R.exponential(w);
  Real q[4] = R.quaternionExponential(w), wb[3], ws[3], wz[3], wq[3];
  Real eOrthogonal[3,3] = A*transpose(A) - identity(3), eAxes[3,3] = R.rotZ(rpy[3])*R.rotY(rpy[2])*R.rotX(rpy[1]) - A;
  Real eSkew[3] = Daedal.Rotations.skew(w)*a - cross(w, a), eVee[3] = R.vee(Daedal.Rotations.skew(w)) - w;
  Real eZYZ[3,3] = R.rotZ(zyz[1])*R.rotY(zyz[2])*R.rotZ(zyz[3]) - B;
  Real eBack[3] = R.toRollPitchYaw(A) - {atan2(sin(rpy[1]), cos(rpy[1])), rpy[2], atan2(sin(rpy[3]), cos(rpy[3]))};
  Real eBackZ[3] = R.toZYZ(B) - {atan2(sin(zyz[1]), cos(zyz[1])), zyz[2], atan2(sin(zyz[3]), cos(zyz[3]))};
  Real eLog[3] = R.logarithm(C) - w, eQuaternion[3,3] = R.quaternionToMatrix(q) - C, eShepperd[4] = R.quaternionFromMatrix(C) - q;
  Real eQuatLog[3] = R.quaternionLogarithm(q) - w, eTurn[3] = R.quaternionRotate(q, a) - C*a;
  Real eProduct[3,3] = R.quaternionToMatrix(R.quaternionProduct(q, R.quaternionFromMatrix(A))) - C*A;
  Real eInverse[4] = R.quaternionProduct(q, R.quaternionConjugate(q)) - {1, 0, 0, 0}, eUnit[4] = R.quaternionNormalise(3*q) - q;
  Real eAngle[3,3] = R.fromAngleAxis(sqrt(w*w), w) - C, eAxis[3] = R.axisOf(C)*R.angleOf(C) - w;
  Real eAngleQ[4] = R.quaternionFromAngleAxis(sqrt(w*w), 2*w) - q;
  Real eBody[3,3] = der(A) - R.rateBody(A, wb), eSpace[3,3] = der(A) - R.rateSpace(A, ws), eVelocity[3] = R.velocityBody(A, der(A)) - wb;
  Real eVelocityS[3] = R.velocitySpace(A, der(A)) - ws, eFrames[3] = A*wb - ws, eRates[3] = R.rollPitchYawRatesBody(rpy, wb) - der(rpy);
  Real eRatesS[3] = R.rollPitchYawRatesSpace(rpy, ws) - der(rpy), eBodyZ[3,3] = der(B) - R.rateBody(B, wz);
  Real eMapZ[3] = R.zyzMapSpace(zyz)*der(zyz) - B*wz, eRatesZ[3] = R.zyzRatesBody(zyz, wz) - der(zyz), eRatesZS[3] = R.zyzRatesSpace(zyz, B*wz) - der(zyz);
  Real eQuatRate[4] = der(q) - R.quaternionRateBody(q, wq), eQuatRateS[4] = der(q) - R.quaternionRateSpace(q, C*wq);
  Real eQuatSpace[3] = R.quaternionVelocitySpace(q, der(q)) - C*wq, eExp[3,3] = der(C) - R.rateBody(C, wq);
  Real T[4,4] = R.transform(A, a), eTransform[4,4] = R.transformCompose(T, R.transformInverse(T)) - identity(4);
  Real ePoint[3] = R.transformPoint(T, w) - (A*w + a), eVector[3] = R.transformVector(R.transform(A, w), a) - A*a;
  Real eParts[3,3] = R.transformRotation(T) - A, eShift[3] = R.transformTranslation(T) - a;
  Real eTaylor = abs(R.sineRatio(1e-12) - 1) + abs(R.cosineRatio(1e-12) - 0.5) + abs(R.arcTangentRatio(1e-14) - 1);
  Real J[3,3] = R.inertiaRotate(R.inertiaBox(2, 1, 2, 3), A), eSteiner[3,3] = R.inertiaToCentre(R.inertiaShift(J, 2, a), 2, a) - J;
  Real eBox = R.inertiaBox(12, 1, 2, 3)*{1, 0, 0}*{1, 0, 0} - 13, eRod = max(R.inertiaRod(12, 2)) - 4;
  Real eBall = max(R.inertiaSphere(5, 1)) - 2, eShell = max(R.inertiaShell(3, 1, 1)) - 2, eCylinder = max(R.inertiaCylinder(12, 1, 3)) - 12;
  Real eTube = max(R.inertiaTube(12, 1, 1, 1)) - 12, eCone = max(R.inertiaCone(10, 1, 0.1)) - 3;
  Real eJoined[3] = R.joinedCentre({1, 3}, {{0, 0, 0}, {4, 0, 0}}) - {3, 0, 0};
  Real eJoinedJ = R.joinedInertia({1, 3}, {{0, 0, 0}, {4, 0, 0}}, {zeros(3, 3), zeros(3, 3)})*{0, 1, 0}*{0, 1, 0} - 12;
  Real eEuler[3] = R.angularAcceleration(J, wb, R.torque(J, wb, a)) - a, eEnergy = R.kineticEnergy(2, J, a, wb) - (a*a + wb*J*wb/2);
  Real place[3] = A*w + a, eSpeed[3] = der(place) - R.pointVelocity(zeros(3), ws, A*w, A*der(w));
equation
  der(s) = 1;
  wb = R.rollPitchYawMapBody(rpy)*der(rpy);
  ws = R.rollPitchYawMapSpace(rpy)*der(rpy);
  wz = R.zyzMapBody(zyz)*der(zyz);
  wq = R.quaternionVelocityBody(q, der(q));
end RotationIdentities;
