#!/usr/bin/env python3
"""Closed forms of the models of this folder, and the examples that are made of the same parts, their equations reduced by
hand and integrated by extrapolation. Prints expected.txt."""
import os
import sys
from math import *

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from ode import gbs, root, until


def run(file, model, values, tol=1e-8):
    print(f'run {file}.mo {model}')
    for name, value in values.items():
        print(f'{name} {float(value)!r} {tol:g}')


def second(w, z, end, x0, v0, t):
    """x'' + 2 z w x' + w^2 x = w^2 end, z < 1."""
    s, d = z*w, w*sqrt(1 - z*z)
    a, b = x0 - end, (v0 + s*(x0 - end))/d
    return end + exp(-s*t)*(a*cos(d*t) + b*sin(d*t))


E = 'electrical'
v = 5 - 4*exp(-1)
run(E, 'ElectricalParts.Charging', {'c.v': v, 'volt.y': v, 'ampere.y': (5 - v)/1e3, 'source.i': -(5 - v)/1e3})


def coil(t, V=10, w=100*pi, ph=0.3, off=1, R=4, L=0.01):
    Z, a = hypot(R, w*L), atan2(w*L, R)
    p = lambda t: V/Z*sin(w*t + ph - a) + off/R
    return p(t) - p(0)*exp(-R*t/L)


run(E, 'ElectricalParts.SineCoil', {'l.i': coil(0.025), 'r.v': 4*coil(0.025)})
a = -1 + exp(-0.5/0.5)
v1 = 2 + (a - 2)*exp(-1)
b = -2 + 2*exp(-0.25/0.5)   # the current leaves what is connected to p: -R*I
v2 = 6 + (b - 6)*exp(-0.75/0.5)
run(E, 'ElectricalParts.Steps', {'c1.v': v1, 'c2.v': v2})
run(E, 'ElectricalParts.Signals', {'r1.v': 3*2/3, 'switch.v': 1, 'r2.v': 15, 'r3.v': 14, 'r4.v': 33})
# shorted second coil: L1 (1 - k^2) i1' = V, i2 = -M/L2 i1
i1 = 6/(2*(1 - 0.64))
run(E, 'ElectricalParts.Coils', {'t.i1': i1, 't.i2': -0.8*sqrt(2*0.5)/0.5*i1})
i = 12/(10 + 9*2)
run(E, 'ElectricalParts.Ratio', {'t.i1': i, 't.i2': -3*i, 'load.v': 3*i*2, 't.v1': 18*i})
b = 25*(1 - cos(3.6*pi))/(3.6*pi)
run(E, 'ElectricalParts.Amplifier', {'a.out.v': -2.5*sin(3.6*pi), 'b.out.v': b, 'c.v': -b})
i = root(lambda i: 100*i + 0.026*log1p(i/1e-12) - 5, 1e-12, 1)
run(E, 'ElectricalParts.Junction', {'d.i': i, 'd.v': 0.026*log1p(i/1e-12)})
run(E, 'ElectricalParts.HalfWave', {'r.i': 2, 'charge': 2*2/pi + 1/pi, 'd.v': 0})
run(E, 'ElectricalParts.Parallel', {'c1.v': 1 - exp(-1/0.4), 'c2.v': 1 - exp(-1/0.4), 'c2.i': 0.75*exp(-1/0.4)/100})

T = 295 + 55*exp(-2*40/100)
run('thermal', 'ThermalParts.Cooling', {'body.T': T, 'thermometer.y': T, 'meter.y': 2*(T - 280), 'outside.port.Q': 2*(T - 280)})
# 50 T' = 15 - 10 (T - 290 - 2 t): T = 290 + 2 t + e, e' = 0.3 - 2 - 0.2 e
run('thermal', 'ThermalParts.Air', {'body.T': 310 - 8.5*(1 - exp(-2))})
run('thermal', 'ThermalParts.Space', {'plate.T': (400**-3 + 3*1.6*5.670374419e-8/1000*500)**(-1/3)})

G = 9810/1e7
h = 1e-3/G + (3 - 1e-3/G)*exp(-G/2*1000)
run('fluid', 'FluidParts.Emptying', {'tank.h': h, 'meter.y': G*h, 'gauge.y': 9810*h})
run('fluid', 'FluidParts.Torricelli', {'tank.h': (sqrt(2) - sqrt(9810/1e9)/(2*0.5)*100)**2}, 1e-6)
run('fluid', 'FluidParts.Joined', {'left.h': 1.25, 'right.h': 1.25, 'right.port.q': 0.015})
# difference d of the levels: d' = -2 q/A, I q' = rho g d - R q
R, I = 128*0.1*10/(pi*1e-4), 4*1000*10/(pi*0.01)
w = sqrt(2*9810/(0.1*I))
d = second(w, R/I/(2*w), 0, 0.5, 0, 10)
run('fluid', 'FluidParts.Swing', {'left.h': 1.25 + d/2, 'right.h': 1.25 - d/2})
kt, kl = 8*0.03*1000*50/(pi**2*0.08**5), 128*1e-3*50/(pi*0.08**4)
q = root(lambda q: 2e4 + 1e5*(0.81 - q*q/0.0004) - 9810*4 - kl*q - kt*q*q, 0, 0.02)
run('fluid', 'FluidParts.Uphill', {'pump.q': q, 'pipe.a.p': 2e4 + 1e5*(0.81 - q*q/0.0004)}, 1e-6)
p = (9e4/1e7 + 2e-3 - 1e-3)/(1/1e7 + 1/2e7)
run('fluid', 'FluidParts.Branches', {'junction.p': p, 'r1.q': (9e4 - p)/1e7, 'r2.q': p/2e7, 'valve.q': 0.5e-5*sqrt(9e4)})

e = exp(-6*0.5/4)
run('process', 'ProcessParts.WashOut', {'tank.c[1]': 2*(1 - e), 'tank.c[2]': 3*e, 'drain.inlet.q': 0.5, 'tank.V': 4})
A = 0.5*(1 - exp(-3))   # c' = 0.5 (1 - c) - 0.5 c; the sum c1 + c2 goes to 1 with 0.5
run('process', 'ProcessParts.FirstOrder', {'tank.c[1]': A, 'tank.c[2]': 1 - exp(-1.5) - A})
# a + b = 3 a: 3 a' = (1 - 3 a)/2 - 1.4 a
k, e = 0.5 + 1.4/3, 1/6/(0.5 + 1.4/3)
a = e + (0.4 - e)*exp(-2*k)
# total: s' = (1 - s)/2 from 1.2
run('process', 'ProcessParts.Equilibrium', {'tank.c[1]': a, 'tank.c[2]': 2*a, 'tank.c[3]': 1 + 0.2*exp(-1) - 3*a,
                                            'tank.r[1]': 1.4*a, 'tank.e[1]': 0.5*(1 - a) + k*(a - e)})
m = 3 + (1 + 3 - 3)*exp(-0.3*4)   # a + 2 b
a = (-1 + sqrt(1 + 12*m))/6
run('process', 'ProcessParts.Dimer', {'tank.c[1]': a, 'tank.c[2]': 1.5*a*a})
# V = 1 + t/4; V c' = 0.3 (2 - c): 2 - c = 2 V^(-1.2)
run('process', 'ProcessParts.Filling', {'tank.V': 3, 'tank.c[1]': 2 - 2*3**-1.2})

run('blocks', 'BlockParts.Sources', {'i[1].y': 2.85, 'i[2].y': 0.95 + 2*0.65, 'i[3].y': -0.95 + 1 + 4*0.25,
                                     'i[4].y': 0.475 + 2/pi*(cos(0.25) - cos(0.95*pi + 0.25)), 'i[5].y': 5*0.25,
                                     'ramp.y': 3, 'pulse.y': 5})
s = 2*sin(5)
# limits: reached at 2 sin t = 1.2 and left again, then -0.5
t1, t2 = asin(0.6), pi - asin(0.6)
t3 = pi + asin(0.25)
lim = 2*(1 - cos(t1)) + 1.2*(t2 - t1) + 2*(cos(t2) - cos(t3)) - 0.5*(5 - t3)
u1, u2, u3 = asin(0.25), pi - asin(0.25), pi + asin(0.125)
dead = 2*(cos(u1) - cos(u2)) - 0.5*(u2 - u1) + 2*(cos(u3) - cos(5)) + 0.25*(5 - u3)
run('blocks', 'BlockParts.Algebra', {'gain.y': -3*s, 'add.y': s - 6*s - 2*cos(5), 'product_.y': -3*s*s, 'limited.y': lim,
                                     'dead.y': dead, 'limiter.y': -0.5, 'band.y': s + 0.25})
x = second(4, 0.25, 3, 0.5, -1, 1.5)
run('blocks', 'BlockParts.Lags', {'first.y': 2 - exp(-3), 'second.y': x, 'space.y[1]': x})
# y' = 2 (1 - y + x), x' = 2 (1 - y): e'' + 2 e' + 4 e = 0 for e = 1 - y, e(0) = 1, e'(0) = -2
e = second(2, 0.5, 0, 1, -2, 2)
run('blocks', 'BlockParts.Control', {'plant.y': 1 - e})
# slow' = 8 (sin 2t - slow): slow = a sin 2t + b cos 2t + c exp(-8 t)
a, b = 64/68, -16/68
slow = a*sin(8) + b*cos(8) - b*exp(-32)
run('blocks', 'BlockParts.Derivatives', {'pid.d': 4*(sin(8) - slow), 'pid.integral': (1 - cos(8))/4,
                                         'pid.y': 3*(sin(8) + (1 - cos(8))/4 + 4*(sin(8) - slow))})
# unlimited u = 2 (1 + x), x' = 2 + (1.5 - u)/(2*0.25) = 2 + 2 (1.5 - 2 - 2 x) = 1 - 4 x
run('blocks', 'BlockParts.Saturated', {'pi.integral': 0.25*(1 - exp(-3.2)), 'pi.y': 1.5})


# ---- examples ----


def newton(f, x):
    for _ in range(60):
        h = 1e-7*max(abs(x), 1e-6)
        d = f(x)*2*h/(f(x + h) - f(x - h))
        x -= d
        if abs(d) < 1e-15*abs(x):
            break
    return x


def ladder(u):
    N, L, C, r, R = 8, 1e-3, 1e-7, 1, 100

    def f(t, y):
        i, v = y[:N], y[N:2*N]
        left = [u - R*i[0]] + v[:-1]
        out = i[1:] + [v[-1]/R]
        return [(left[k] - r*i[k] - v[k])/L for k in range(N)] + [(i[k] - out[k])/C for k in range(N)] + [u*i[0]]
    return f


y = gbs(ladder(0), gbs(ladder(10), [0.0]*17, 0, 1e-4, 400), 1e-4, 1.8e-4, 400)
run('../../examples/rlc_ladder', 'RlcLadder', {'load.v': y[15], 'cap[3].v': y[10], 'coil[5].i': y[4]}, 1e-7)
print(f'fed {y[16]!r} 1e-12\nbalance 0.0 1e-12')


def bridge(t, vc, on):
    """Potentials at the inner end of the source (a) and of the minus side (n), current i into capacitor and load, for diodes
    a-plus, ground-plus, minus-a, minus-ground with the conductances g."""
    g = [1e3 if c else 1e-6 for c in on]
    vs, s = 20*sin(100*pi*t), 2.0
    # (vs - a) s = g0 (a - n - vc) - g2 (n - a);  i = g0 (a - n - vc) + g1 (-n - vc);  i = g2 (n - a) + g3 n
    # subtract the last two: a (g0 + g2) - n (g0 + g1 + g2 + g3) = vc (g0 + g1)
    # the first: a (s + g0 + g2) - n (g0 + g2) = s vs + g0 vc
    A, B, E = g[0] + g[2], -(g[0] + g[1] + g[2] + g[3]), vc*(g[0] + g[1])
    P, Q, F = s + g[0] + g[2], -(g[0] + g[2]), s*vs + g[0]*vc
    D = A*Q - B*P
    a, n = (E*Q - B*F)/D, (A*F - E*P)/D
    return [a - n - vc, -n - vc, n - a, n], g[2]*(n - a) + g[3]*n


def rectify(t, y):
    on = (True, False, False, True)
    for on in ((False,)*4, (True, False, False, True), (False, True, True, False)):
        v, i = bridge(t, y[0], on)
        if all((u > 0) == c for u, c in zip(v, on)):
            return on, i
    raise ValueError


t, y, on = 0.0, [0.0], None
while t < 0.1:
    on = rectify(t + 1e-9, y)[0]
    f = lambda t, y: [(bridge(t, y[0], on)[1] - y[0]/50)/1e-3]
    keep = lambda t, y: 1 if all((u > 0) == c for u, c in zip(bridge(t, y[0], on)[0], on)) else -1
    t, y = until(f, keep, y, t, 0.1, 2.5e-4)
run('../../examples/rectifier', 'Rectifier', {'c.v': y[0]}, 1e-6)


def pump(p):
    return newton(lambda q: 4e4*(1 - q*sqrt(q*q + 4e-16)/4e-4) - p, 0.01)


def outlet(p):
    return newton(lambda q: 5e7*q*sqrt(q*q + 1e-10) - p, 0.01)


lam, tur = 128*1e-3*20/(pi*1e-4), 8*0.025*1000*20/(pi**2*1e-5)
small = 1e-3*lam/tur
state = [0.01]


def two(t, y):
    p1, p2 = 9810*y[0], 9810*y[1]
    q = newton(lambda q: lam*q + tur*q*sqrt(q*q + small*small) - (p1 - p2), state[0])
    state[0] = q
    return [(pump(p1) - q)/1.5, q - outlet(p2)]


y = gbs(two, [0.5, 0.2], 0, 600, 60)
run('../../examples/two_tanks', 'TwoTanks', {'first.h': y[0], 'second.h': y[1], 'water': 1.5*y[0] + y[1]}, 1e-7)
h, = gbs(lambda t, y: [(pump(9810*y[0]) - outlet(9810*y[0]))/2.5], [0.5], 0, 600, 60)
run('../../examples/two_tanks', 'JoinedTanks', {'first.h': h, 'second.h': h}, 1e-7)


def counter(t, y):
    N, M, G = 10, 0.5, 2000/10/4180
    T, S = [360.0] + list(y[:N]), [290.0] + list(y[N:])
    q = [G*(y[i] - y[2*N - 1 - i]) for i in range(N)]
    return [(0.5*(T[i] - T[i + 1]) - q[i])/M for i in range(N)] + [(0.4*(S[i] - S[i + 1]) + q[N - 1 - i])/M for i in range(N)]


y = gbs(counter, [300.0]*20, 0, 200, 400)
run('../../examples/heat_exchanger', 'HeatExchanger.Counterflow', {'hot.T[10]': y[9], 'cold.T[10]': y[19], 'hot.T[1]': y[0],
                                                                   'effectiveness': (y[19] - 290)/70}, 1e-7)

# ---- lib/Modelica ----

M, Tn = 'modelica', 0.9
# integral of exp(-d t) sin(w t) from 0
damped = lambda d, w, T: (w - exp(-d*T)*(d*sin(w*T) + w*cos(w*T)))/(d*d + w*w)
top = 2*(1 - exp(-2))
run(M, 'ModelicaParts.Sources', {
    'i[1].y': Tn**3, 'i[2].y': Tn + 0.7**2/2, 'i[3].y': 0.4**2/2, 'i[4].y': 1.8, 'i[5].y': 0.9 + 3*0.5,
    'i[6].y': 0.5 + 2*0.15, 'i[7].y': 0.9 + 2/pi*(cos(0.3) - cos(pi*0.8 + 0.3)),
    'i[8].y': 0.9 + 2/pi*(sin(pi*0.8 + 0.3) - sin(0.3)), 'i[9].y': 2*damped(1.5, pi, Tn),
    'i[10].y': 2*(0.4 - 0.2*(1 - exp(-2))) + top*0.3*(1 - exp(-0.5/0.3)), 'i[11].y': 4*0.2,
    'i[12].y': 3*0.4 + 3*0.1**2/2/0.4, 'i[13].y': 2*(0.05 + 0.2 + 0.15) + 2*0.05})
a, b = 0.4, -0.7
run(M, 'ModelicaParts.Formulas', {
    'gain.y': 1.2, 'matrixGain.y[2]': 7*a, 'add.y': 2*a + 3*b, 'add3.y': a + b - 1.2, 'sum_.y': 5*a + 7*b,
    'multiSum.y': a - b, 'product_.y': a*b, 'division.y': a/b, 'abs_.y': 0.7, 'sign_.y': -1, 'sqrt_.y': sqrt(a),
    'power.y': b**3, 'sin_.y': sin(a), 'cos_.y': cos(a), 'tan_.y': tan(a), 'asin_.y': asin(b), 'acos_.y': acos(b),
    'atan_.y': atan(b), 'atan2_.y': atan2(a, b), 'sinh_.y': sinh(a), 'cosh_.y': cosh(a), 'tanh_.y': tanh(b),
    'exp_.y': exp(b), 'log_.y': log(a), 'log10_.y': log10(a), 'max_.y': a, 'min_.y': b, 'variableLimiter.y': a,
    'deadZone.y': -0.6, 'pass.y': a, 'replicator.y[2]': a})
x = second(3, 0.5, 2, 0, 0, 1)
# derivative: x' = 2 (sin t - x), x = (4 sin t - 2 cos t + 2 exp(-2 t))/5
xd = (4*sin(1) - 2*cos(1) + 2*exp(-2))/5
# saturated: unlimited = 2 (1 + xi + 0), the derivative part of the set point has no weight: xd' = (0 - xd)*..., xd = 0
# xi' = (1 + (1.5 - 2 - 2 xi)/(2*0.5))/0.5 = 1 - 4 xi
run(M, 'ModelicaParts.Dynamics', {
    'secondOrder.y': x, 'stateSpace.y[1]': x, 'derivative.y': 4*(sin(1) - xd), 'steady.y': 3,
    'plant.y': 1 - second(2, 0.5, 0, 1, -2, 1), 'saturated.xi': 0.25*(1 - exp(-4)), 'saturated.y': 1.5, 'der_.y': cos(1)})
run(M, 'ModelicaParts.Circuit', {
    'r[1].v': 3, 'r[2].v': 5, 'r[3].v': 2*(1 - 0.9)/0.3, 'r[4].v': 0, 'r[5].i': 3, 'r[6].i': 3.5, 'load[1].v': 18,
    'load[2].v': -15, 'ampere.i': 12/5, 'watt.power': 144/5, 'load[4].v': -2*3.5*5, 'volt.v': 33})
run(M, 'ModelicaParts.Currents', {
    'g[1].v': 4, 'g[2].v': 6, 'g[3].v': 6, 'g[4].v': 6, 'g[5].v': 4, 'r[1].v': 6, 'transformer.i1': 0.3, 'r[2].v': 12,
    'gyrator.i1': 1.2, 'r[3].i': 12/10.001, 'r[4].i': 12/(1e5 + 10)})
# c and car: J + m r^2 = 2; carrier at 5/3
run(M, 'ModelicaParts.Turning', {
    'a.w': 1.5, 'angle.phi': 0.75, 'acceleration.a': 1.5, 'b.w': 2*exp(-1), 'b.phi': 1 + 2*(1 - exp(-1)),
    'relative.w_rel': 2*exp(-1) - 1.5, 'c.w': 0.5 + 4*0.5/2, 'car.v': (0.5 + 1)*0.5, 'tau.tau': 5,
    'disc.flange_a.phi': 5/3, 'soft.tau': -(5/3 + 0.2) - 0.5*5/3})
run(M, 'ModelicaParts.Sliding', {
    'a.v': 5, 'a.s': 2.5, 'position.s': 2.5 - 0.2 - 0.6, 'velocity.v': 5, 'b.v': -1/3, 'b.s': 1 - log(3)/2,
    'c.v': 2*(1 - exp(-4)), 'f.f': 4*2*exp(-4), 'relative.s_rel': 3 - 2.7})
# 100 T' = 50 - 2 (T - 283.15) - 3 (T - 293.15)
Te = (50 + 2*283.15 + 3*293.15)/5
T = Te + (350 - Te)*exp(-1)
sb = 2*pi**5*1.380649e-23**4/(15*6.62607015e-34**3*299792458**2)
run(M, 'ModelicaParts.Heat', {
    'body.T': T, 'thermometer.T': T - 273.15, 'difference.T_rel': T - 283.15, 'flow_.Q_flow': 2*(T - 283.15),
    'fromKelvin.Celsius': 20, 'black.T': (500**-3 + 3*0.5*sb/1000*20)**(-1/3)})
x = 0.6
el = [sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), atan2(x, -1), sinh(x), cosh(x), tanh(x), exp(x), log(x), log10(x), asinh(x)]
dt = 4*(6 - x) - 2
s1 = (1*(6 - x) - 1*(4 - 3*x))/dt
s2 = (1 - 4*s1)
run(M, 'ModelicaParts.Functions',
    {f'elementary[{i + 1}]': v for i, v in enumerate(el)}
    | {'vectors[1]': hypot(3, 4*x), 'vectors[2]': 3 + x, 'vectors[3]': 0.6 + 0.8*x, 'vectors[4]': 32,
       'solved[1]': s1, 'solved[2]': s2, 'solved[3]': (3 - s2)/2, 'determinant': dt,
       'inverse[1,1]': (x + 1)/(2*x + 1), 'inverse[2,1]': -1/(2*x + 1), 'polynomial': x*x - 2*x + 3,
       'converted[1]': pi*x, 'converted[2]': 30*x/pi, 'converted[3]': 10*x, 'converted[4]': 26.85 + x,
       'converted[5]': 1e5*x, 'converted[6]': 2*pi, 'constants[1]': 8.31446261815324, 'constants[2]': 96485.3321233,
       'constants[3]': 5.670374419, 'constants[4]': 8.8541878128})
# a: 1 up to 0.5; then 2 to 4 in a second, 1 to 5 in the next, and on with the same slope
run(M, 'ModelicaParts.TablesModel', {
    'a.y': 1 + 4 + 1.5*4, 'ia.y': 0.5 + 3 + 3 + 5*1.5 + 4*1.5**2/2, 'b.y[1]': 2, 'b.y[2]': 15,
    'ib[1].y': 4 + 1.5 + 1.5, 'ib[2].y': 30 + 10 + 12.5, 'ic.y': 2 + 1 + 2 + 5 + 5, 'c.y[1]': 5.5,
    'd.y[1]': 13, 'd.y[2]': 8, 'e.y[1]': 49, 'e.y[2]': 16, 'toDegC.y': 4 - 273.15, 'fromRpm.y': 4*pi/30})
