#!/usr/bin/env bash
# Positions that several equations say, in coordinates and in angles: no equation alone determines the rates of the angles
# everywhere, all together do. Each model has the same motion in other variables beside it; `off` is the difference.
. "$(dirname "$0")/simulate_kit.bash"

cat >pendulum.mo <<'END'
package Pendulums
  partial model Plane "coordinates and the angle; the same by the angle alone"
    parameter Real m = 1, L = 1, g = 9.81, phi0 = 1, w0 = 0;
    Real x, y, vx, vy, phi(start = phi0, fixed = true), F;
    Real th(start = phi0, fixed = true), wth(start = w0, fixed = true) = der(th);
    Real off = phi - th;
  equation
    der(x) = vx;
    der(y) = vy;
    m*der(vx) = -F*sin(phi);
    m*der(vy) = F*cos(phi) - m*g;
    x = L*sin(phi);
    y = -L*cos(phi);
    L*der(wth) = -g*sin(th);
  end Plane;
  model Named "the rate of the angle has a name"
    extends Plane;
    Real w(start = w0, fixed = true) = der(phi);
  end Named;
  model Unnamed
    extends Plane;
  initial equation
    vx*cos(phi) + vy*sin(phi) = L*w0;
  end Unnamed;
  model Millimetres "one of the equations in other units: it does not outweigh the other"
    Real x, y, vx, vy(start = 0, fixed = true), phi(start = 2.5, fixed = true), F;
    Real th(start = 2.5, fixed = true), wth(start = 0, fixed = true) = der(th);
    Real off = phi - th;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*sin(phi);
    der(vy) = F*cos(phi) - 9.81;
    1000*x = 1000*sin(phi);
    y = -cos(phi);
    der(wth) = -9.81*sin(th);
  end Millimetres;
  model Sphere "a point on a sphere, its longitude and latitude; the same without angles"
    Real p[3](start = {0.9, 0, 0.3}), v[3], lam, a(start = 0, fixed = true), b(start = 0.3, fixed = true);
    Real c[3](start = {0.9, 0, 0.3}), vc[3], mu;
    Real off = (p - c)*(p - c);
  initial equation
    v[2] = 1;
    v[3] = 0;
    c[1] = p[1];
    c[2] = p[2];
    vc[2] = v[2];
    vc[3] = v[3];
  equation
    der(p) = v;
    der(v) = lam*p - {0, 0, 9.81};
    p = {cos(b)*cos(a), cos(b)*sin(a), sin(b)};
    der(c) = vc;
    der(vc) = mu*c - {0, 0, 9.81};
    c*c = 1;
  end Sphere;
  model Cross "the attitude of a universal joint as written by hand: three rows for two angles"
    import Daedal.Mechanics.*;
    extends TwoFrames;
    Real phi[2](each stateSelect = StateSelect.prefer), w[2] = der(phi);
  protected
    Real e[4] = turned(turned(a.q, {1, 0, 0}, phi[1]), {0, 1, 0}, phi[2]);
  equation
    a.r = b.r;
    turnOf(e, b.q) = zeros(3);
    toWorld(a.q, {1, 0, 0})*b.t = 0;
    toWorld(b.q, {0, 1, 0})*b.t = 0;
  end Cross;
  model Swinging "a body on such a joint, which is turned about its length; the same on the joint of the library"
    import Daedal.Mechanics.*;
    World world;
    RevoluteDrive drive(n = {0, 0, 1}, phi = 2*time);
    Massless top;
    Cross cross(phi(start = {0.5, 0.4}, each fixed = true), w(start = {1, -2}, each fixed = true));
    Universal u(phi(start = {0.5, 0.4}, each fixed = true), w(start = {1, -2}, each fixed = true));
    FixedTransform rope(r = {0, 0, -0.5}), other(r = {0, 0, -0.5});
    Body load(m = 0.3, I = diagonal({0.01, 0.02, 0.03})), twin(m = 0.3, I = diagonal({0.01, 0.02, 0.03}));
    Real off = (cross.phi - u.phi)*(cross.phi - u.phi);
  equation
    connect(world.frame, drive.a);
    connect(drive.b, top.frame);
    connect(top.frame, cross.a);
    connect(cross.b, rope.a);
    connect(rope.b, load.frame);
    connect(top.frame, u.a);
    connect(u.b, other.a);
    connect(other.b, twin.frame);
  end Swinging;
end Pendulums;
END

# follows MODEL STOP ARGS...: the run is ok and `off` stays within 1000 tolerances (errors grow along the motion)
follows() {
    local model=$1 stop=$2
    shift 2
    answer 0 ok pendulum.mo "$model" --stop "$stop" "$@"
    near off 0 1e-6
}

# effort KEY MOST: a count of the last run
effort() {
    awk -v n="$(value "$1")" -v most="$2" 'BEGIN { exit !(n > 0 && n <= most) }' || complain "$1: $(value "$1"), at most $2 are allowed"
}

# through the level positions, where one of the two equations fails, to and fro and all the way round
for model in Pendulums.Named Pendulums.Unnamed; do
    for start in "phi0=1" "phi0=2.5" "w0=9"; do
        for method in "--tol 1e-9" "--method dop853 --tol 1e-9" "--method bdf --tol 1e-9" "--method radau-3 --step 0.01" "--method gauss-3 --step 0.01" "--method rk4 --step 0.002"; do
            follows $model 3 --set "$start" $method
            [ "$method" != "--tol 1e-9" ] || effort steps 120
            [ "$method" != "--method bdf --tol 1e-9" ] || effort steps 3000
        done
    done
done
for method in "--tol 1e-9" "--tol 1e-9 --stabilize none" "--tol 1e-9 --stabilize baumgarte" "--method rk4 --step 0.002"; do
    follows Pendulums.Millimetres 3 $method
done
# the equator, where latitude and longitude need the third coordinate
for method in "--tol 1e-10" "--method dop853 --tol 1e-10" "--method bdf --tol 1e-10" "--method radau-3 --step 0.005"; do
    follows Pendulums.Sphere 2 $method
    follows Pendulums.Swinging 2 $method
done
exit $failed
