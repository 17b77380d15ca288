#!/usr/bin/env python3
"""What the models of this folder must end with, from their equations reduced by hand: closed forms where there are some,
else an explicit ODE integrated by extrapolation (Gragg, Bulirsch, Stoer) at full accuracy. Prints expected.txt."""
import os
import sys
from math import *

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from ode import gbs, root, until


def run(file, model, values, tol=1e-7, args=''):
    print(f'run {file} {model} {args}'.rstrip())
    for name, value in values.items():
        print(f'{name} {value!r} {tol:g}')


def dot(a, b):
    return sum(p*q for p, q in zip(a, b))


run('decay.mo', 'decay', {'n': 100*2**(-1/2.5)})
run('ThermoLesson1.mo', 'ThermoLesson1', {'reading': 36.6 - 18.6*exp(-3)})
run('lag_steady.mo', 'lag_steady', {'x': 5 - 2*exp(-1.5), 'slope': 4*exp(-1.5)})
run('CoolingBlock.mo', 'CoolingBlock', {'T': 290 + 130*exp(-200*25*0.06/(0.8*450))})
T = 294.15 + 67*exp(-14*0.018*3600/(0.25*4184))
run('coffee_cup.mo', 'coffee_cup', {'T': T, 'celsius': T - 273.15, 'loss': 14*0.018*(T - 294.15)})

h, l = gbs(lambda t, y: [(0.6 - 0.03*y[1])*y[0], (0.012*y[0] - 0.8)*y[1]], [35, 8], 0, 25, 500)
run('HaresAndLynxes.mo', 'HaresAndLynxes', {'hares': h, 'lynxes': l})
run('HaresAndLynxes.mo', 'Balance', {'hares': 0.8/0.012, 'lynxes': 20.0})
run('HaresAndLynxes.mo', 'OtherBalance', {'hares': 40.0, 'lynxes': 30.0})

u, v = gbs(lambda t, y: [y[1], 1.5*(1 - y[0]**2)*y[1] - y[0]], [0.5, 0], 0, 20, 800)
run('Oscillators.mo', 'Oscillators.VanDerPol', {'u': u, 'v': v}, 1e-6)
x, v = gbs(lambda t, y: [y[1], 0.7*cos(2*pi/5*t) - 0.2*y[1] - y[0] - 0.5*y[0]**3], [1, 0], 0, 15, 300)
run('Oscillators.mo', 'Oscillators.Duffing', {'x': x, 'v': v})

u, i = gbs(lambda t, y: [(y[1] - y[0]/15)/1e-4, (12 - y[0])/0.02], [0, 0], 0, 0.02, 100)
run('Filter.mo', 'Filter', {'uC': u, 'iL': i, 'iC': i - u/15})
u, i = gbs(lambda t, y: [((9 - y[0])/40 - y[1])/2e-5, y[0]/0.01], [0, 0], 0, 0.008, 100)
run('MyCircuits.mo', 'MyCircuits.Resonator', {'cap.v': u, 'coil.i': i, 'battery.i': -(9 - u)/40})


def torsion(t, y):
    a, b, wa, wb = y
    m = 14*(b - a) + 0.15*(wb - wa)
    return [wa, wb, m/0.3, (-m - 6*b - 0.7*wb)/0.9]


a, b, wa, wb = gbs(torsion, [0, 0.8, 0, 0], 0, 4, 200)
run('Torsion.mo', 'Torsion', {'a': a, 'b': b, 'wa': wa, 'wb': wb})
run('torsion_parts.mo', 'torsion_parts', {'left.phi': a, 'right.phi': b, 'left.w': wa, 'right.w': wb,
                                          'spring.tau': 14*(b - a), 'bearing.tau': -6*b - 0.7*wb})

run('Linear.mo', 'Linear.Cooling', {'x[1]': 275 + 25*exp(-0.35*6/1.4)})
A = [[0, 0, 1, 0], [0, 0, 0, 1], [-2, 1, -0.1, 0], [1, -2, 0, -0.1]]
x = gbs(lambda t, y: [dot(r, y) + (sin(1.5*t) if k == 2 else 0) for k, r in enumerate(A)], [0, 0, 0, 0.5], 0, 10, 200)
run('Linear.mo', 'Linear.Chain', {'y[1]': x[0], 'y[2]': x[1], 'x[4]': x[3]})


def kinetics(t, c):
    r = [0.5*c[0]*c[1], 0.2*c[2], 1.5*c[1]*c[2]]
    return [r[1] - r[0], r[1] - r[0] - r[2], r[0] - r[1] - r[2], r[2]]


c = gbs(kinetics, [1, 1.4, 0, 0], 0, 5, 200)
run('Kinetics.mo', 'Kinetics.Scalars', {'p': c[0], 'q': c[1], 'm': c[2], 'z': c[3]})
run('Kinetics.mo', 'Kinetics.Vector', {f'c[{i + 1}]': c[i] for i in range(4)})
run('Kinetics.mo', 'Kinetics.Matrix', {f'c[{i + 1}]': c[i] for i in range(4)} | {'r[1]': 0.5*c[0]*c[1]})


def rod(t, T):
    n, s = 8, pi*0.01**2
    cap, G, fs = 7800*500*s*0.4/n, 50*s*n/0.4, 30*2*pi*0.01*0.4/n
    q = [0] + [G*(T[i - 1] - T[i]) for i in range(1, n)] + [0]
    return [(q[i] - q[i + 1] - fs*(T[i] - 293.15))/cap for i in range(n)]


T = gbs(rod, [500 - 200*i/7 for i in range(8)], 0, 300, 60)
run('Rod.mo', 'RodLoop', {'T[1]': T[0], 'T[4]': T[3], 'T[8]': T[7]})
run('Rod.mo', 'RodSlices', {'T[1]': T[0], 'T[4]': T[3], 'T[8]': T[7]})


def motor(t, y):
    i, w, phi = y  # w is the speed of the rotor
    J, d = 0.02 + 2/25, 0.8/25
    return [(24 - 0.5*i - 1.2*w)/0.05, (1.2*i - d*w)/J, w]


i, w, phi = gbs(motor, [0, 0, 0], 0.1, 1, 200)
run('dcmotor.mo', 'dcmotor', {'L.i': i, 'rotor.w': w, 'rpm': w/5*30/pi, 'load.phi': phi/5})

x, y, z = gbs(lambda t, s: [10*(s[1] - s[0]), s[0]*(28 - s[2]) - s[1], s[0]*s[1] - 8/3*s[2]], [1, 1, 1], 0, 5, 2000)
run('Lorenz.mo', 'Lorenz', {'x': x, 'y': y, 'z': z}, 1e-5)

S, I, R = gbs(lambda t, y: [-2.5/7*y[0]*y[1]/1e6, 2.5/7*y[0]*y[1]/1e6 - y[1]/7, y[1]/7], [1e6 - 10, 10, 0], 0, 100, 400)
run('Epidemics.mo', 'Epidemics.SIR', {'S': S, 'I': I, 'R': R})
S, E, I, R = gbs(lambda t, y: [-2.5/7*y[0]*y[2]/1e3, 2.5/7*y[0]*y[2]/1e3 - y[1]/5, y[1]/5 - y[2]/7, y[2]/7],
                 [999, 0, 1, 0], 0, 100, 400)
run('Epidemics.mo', 'Epidemics.SEIR', {'S': S, 'E': E, 'I': I, 'R': R})

W = [[-0.10, -0.05, -0.02], [0.01, -0.08, -0.04], [0.03, 0.05, -0.01]]
x = gbs(lambda t, y: [y[i]*([1.0, 0.4, -0.6][i] + dot(W[i], y)) for i in range(3)], [4, 3, 2], 0, 20, 400)
run('FoodWeb.mo', 'FoodWeb', {'x[1]': x[0], 'x[2]': x[1], 'x[3]': x[2], 'total': sum(x)})

p, w = gbs(lambda t, y: [y[1], -9.81/0.5*sin(y[0])], [atan2(0.3, 0.4), 0], 0, 4, 400)
run('Bob.mo', 'Bob', {'x': 0.5*sin(p), 'y': -0.5*cos(p), 'vx': 0.5*w*cos(p), 'vy': 0.5*w*sin(p),
                      'tension': 0.7*(9.81*cos(p) + 0.5*w*w), 'energy': -0.7*9.81*0.4})


def implicit(t, y):
    p, q = y  # q' from the derivative of the second equation
    dq = exp(-q*q)/(1 + 0.4*cos(q) + 2*q*p*exp(-q*q))
    dp = (-p + 0.3*sin(2*t))/(2 + cos(q) + dq)
    return [dp, dq*dp]


p, q = gbs(implicit, [1, root(lambda q: q + 0.4*sin(q) - exp(-q*q), 0, 1)], 0, 2, 200)
run('Implicit.mo', 'Implicit', {'p': p, 'q': q})


def descent(push):
    return lambda t, y: [-0.0003*push, y[2], push/y[0] - 6.6743e-11*7.35e22/(y[1] + 1.7374e6)**2]


s = gbs(descent(14000), [1200, 90000, -900], 0, 60, 60)
s = gbs(descent(2500), s, 60, 95, 60)
s = gbs(descent(0), s, 95, 110, 60)
run('Descent.mo', 'Descent', {'eagle.m': s[0], 'eagle.height': s[1], 'eagle.v': s[2]})


def tanks(q, n):
    A, ref = [1, 1.3], [0.25, 0.4]

    def f(t, y):
        out, d = q, []
        for k in range(n):
            h, x = y[2*k], y[2*k + 1]
            e = ref[k] - h
            o = min(max(-0.05*2*(x + e), 0), 10)
            d += [(out - o)/A[k], e/10]
            out = o
        return d
    return f


def tanks_run(n):
    # the valves open when x + e = 0 is crossed; each crossing is located
    y, t, ref = [0.0]*(2*n), 0.0, [0.25, 0.4]
    for q, end in ((0.02, 100), (0.04, 250)):
        while t < end:
            g = lambda s, z: (1 if sum((z[2*k + 1] + ref[k] - z[2*k]) > 0 for k in range(n)) % 2 else -1)
            t, y = until(tanks(q, n), g, y, t, end, 0.25)
    return y


y = tanks_run(1)
run('TankControl.mo', 'TankControl.OneTank', {'tank.h': y[0], 'pi.x': y[1]}, 1e-6)
y = tanks_run(2)
run('TankControl.mo', 'TankControl.TwoTanks', {'tank1.h': y[0], 'pi1.x': y[1], 'tank2.h': y[2], 'pi2.x': y[3]}, 1e-6)


def wall(t, T):
    n, out = 5, 278.15 + 8*sin(2*pi*t/86400 - pi/2)
    g = [300.0] + [150.0]*4 + [300.0]
    s = [out] + list(T)
    q = [g[i]*(s[i] - s[i + 1]) for i in range(n + 1)]
    return [(q[i] - q[i + 1])/8e4 for i in range(n)] + [(q[n] + 250)/1.5e5]


T = gbs(wall, [288.15]*5 + [293.15], 0, 86400, 400)
run('Wall.mo', 'Wall', {'layer[1].T': T[0], 'layer[5].T': T[4], 'thermometer.T': T[5]})


def trafo(t, y):
    D = 0.4*0.1 - 0.19**2
    v1, v2 = 325*sin(100*pi*t) - 1.5*y[0], -8*y[1]
    return [(0.1*v1 - 0.19*v2)/D, (0.4*v2 - 0.19*v1)/D]


i = gbs(trafo, [0, 0], 0, 0.03, 400)
run('Trafo.mo', 'Trafo', {'trafo.i1': i[0], 'trafo.i2': i[1], 'load.v': -8*i[1]}, 1e-6)
u = -2*sin(20*pi*0.08)/(20*pi)/(1e3*1e-5)
run('opamp.mo', 'opamp', {'probe1.phi': u, 'probe2.phi': -3*u}, 1e-6)


def oven(t, y, pick=0):
    T, xi, xd = y
    e = 353.15 - T
    u = 40*(e + xi + 5*(e - xd))
    return u if pick else [(min(max(u, 0), 1000) - 6*(T - 293.15))/2000, e/120, (e - xd)*5/4]


t, y = 0.0, [293.15, 0.0, 60.0]
while t < 600:
    t, y = until(oven, lambda t, y: oven(t, y, 1)*(oven(t, y, 1) - 1000), y, t, 600, 0.5)
run('HeaterPID.mo', 'HeaterPID', {'oven.T': y[0], 'pid.y': oven(600, y, 1)}, 1e-6)

mu, a, ec = 3.986004418e14, 9e6, 0.2
M = 3600*sqrt(mu/a**3)
E = root(lambda E: E - ec*sin(E) - M, 0, 2*pi)
xo, yo = a*(cos(E) - ec), a*sqrt(1 - ec*ec)*sin(E)
run('Satellite.mo', 'Satellite', {'r[1]': xo, 'r[2]': yo*cos(0.5), 'r[3]': yo*sin(0.5), 'E': -mu/(2*a),
                                  'h[2]': -sqrt(mu*a*(1 - ec*ec))*sin(0.5)}, 1e-6)

sq = lambda d: copysign(sqrt(abs(d)), d)
J = root(lambda h: sq((120 - h)/250) + sq((100 - h)/400) - sq((h - 60)/150), 60, 120)
run('WaterNetwork.mo', 'WaterNetwork.Three',
    {'junction': J, 'p1.q': sq((120 - J)/250), 'p2.q': sq((100 - J)/400), 'p3.q': sq((J - 60)/150)})

z = 0.5/2*20  # six equal tanks in a row: the level of the k-th is q/k times the Erlang distribution
level = [0.3/0.5*(1 - exp(-z)*sum(z**j/factorial(j) for j in range(k))) for k in range(1, 7)]
run('Cascade.mo', 'Cascade.Row', {'tank[1].level': level[0], 'tank[3].level': level[2], 'tank[6].level': level[5],
                                  'sea.arrived': 0.3*20 - 2*sum(level)})


def exchanger(t, y):
    N, h, c = 6, [353.0] + list(y[:6]), list(y[6:]) + [288.0]
    Q = [2500/N*(y[i] - y[6 + i])/4180 for i in range(N)]
    return [(0.4*(h[i] - h[i + 1]) - Q[i])/(4/N) for i in range(N)] + [(0.3*(c[i + 1] - c[i]) + Q[i])/(3/N) for i in range(N)]


y = gbs(exchanger, [300.0]*12, 0, 30, 200)
run('HeatExchanger.mo', 'HeatExchanger', {'Th[6]': y[5], 'Tc[1]': y[6], 'Th[1]': y[0], 'Q[3]': 2500/6*(y[2] - y[8])})


def column(t, x):
    N, F, z, R, V, al = 7, 1, 0.45, 1.6, 1.5, 2.4
    D = V/(R + 1)
    B = F - D
    y = [al*p/(1 + (al - 1)*p) for p in x]
    L = [B] + [R*D + F]*3 + [R*D]*3
    d = [(L[1]*x[1] - V*y[0] - B*x[0])/5]
    d += [(L[i + 1]*x[i + 1] - L[i]*x[i] + V*(y[i - 1] - y[i]) + (F*z if i == 3 else 0))/0.5 for i in range(1, N - 1)]
    return d + [(V*y[N - 2] - (R + 1)*D*x[N - 1])/3]


x = gbs(column, [0.45]*7, 0, 10, 400)
run('Column.mo', 'Column.Simple', {'x[1]': x[0], 'x[4]': x[3], 'x[7]': x[6], 'y[6]': 2.4*x[5]/(1 + 1.4*x[5])})


def masses(t, y):
    s1, s2, v1, v2 = y
    f1 = 200*(s1 - 0.1 - 0.5)
    f2 = 80*(s2 - (s1 + 0.1) - 0.4) + 3*(v2 - v1)
    F = 10*min(max(t - 0.5, 0), 1)
    return [v1, v2, (f2 - f1)/2, F - f2]


y = [0.6, 1.3, 0, 0.5]
for p, q in ((0, 0.5), (0.5, 1.5), (1.5, 2.5)):
    y = gbs(masses, y, p, q, 100)
run('TwoMasses.mo', 'TwoMasses', {'mass1.s': y[0], 'mass2.s': y[1], 'mass1.v': y[2], 'mass2.v': y[3],
                                  'link.f': 80*(y[1] - y[0] - 0.5) + 3*(y[3] - y[2])})


def line(t, y):
    N = 5
    r, l, c, g = (p*1000/N for p in (0.05, 1e-6, 1e-10, 1e-8))
    i, v = y[:N], y[N:]
    vin = 10*sin(2*pi*2e4*t) - 50*i[0]
    left = [vin] + list(v[:-1])
    out = list(i[1:]) + [v[-1]/100]
    return [(left[k] - v[k] - r*i[k])/l for k in range(N)] + [(i[k] - out[k] - g*v[k])/c for k in range(N)]


y = gbs(line, [0.0]*10, 0, 5e-5, 600)
run('Line.mo', 'Line.Matched', {'line.s[1].v': y[5], 'line.s[5].v': y[9], 'line.s[3].i': y[2]}, 1e-6)

sigma = 2*pi**5*1.380649e-23**4/(15*6.62607015e-34**3*299792458**2)


def network(t, T):
    a, b, c = T
    ab, bc = 2*(a - b), 1.5*(b - c)
    return [(-ab - 0.1*(a - 280) - 0.2*sigma*(a**4 - 280**4))/500, (ab - bc)/800, bc/300]


a, b, c = gbs(network, [673.15, 293.15, 333.15], 0, 300, 100)
run('ThermalLib/package.mo', 'ThermalLib.Examples.Network', {'a.T': a, 'b.T': b, 'c.T': c})
run('ThermalLib/Examples/Network.mo', 'Network', {'a.T': a, 'b.T': b, 'c.T': c})

poly = lambda x: 1 - 0.5*x + 0.25*x*x - 0.125*x**3
x, = gbs(lambda t, y: [poly(y[0])], [0], 0, 2, 100)
run('Poly.mo', 'Poly', {'x': x, 'p': poly(x), 'dp': -0.5 + 0.5*x - 0.375*x*x, 'fifth': x**5})


def beam(rho, E, zeta, h):
    k, m = 3*E*0.02*h**3/12/0.5**3, 0.2427*rho*0.02*h*0.5
    w0 = sqrt(k/m)
    wd, s = w0*sqrt(1 - zeta**2), zeta*w0
    return 0.01*exp(-s*0.2)*(cos(wd*0.2) + s/wd*sin(wd*0.2))


run('Beams.mo', 'Beams.Two', {'one.w': beam(7850, 2.1e11, 0.01, 0.004), 'two.w': beam(2700, 7e10, 0.02, 0.006)}, 1e-8)
run('Beams.mo', 'Beams.Tip', {'w': beam(7850, 2.1e11, 0.01, 0.004)}, 1e-8)
vt = sqrt(1800/0.6)
run('Friction.mo', 'Friction.Race', {'a.v': 60.0, 'b.v': 45*(1 - exp(-40/900*30)), 'c.v': vt*tanh(1800*30/(900*vt))})


def car(d):
    return lambda t, y: [y[1], (16000*(y[2] - y[0]) + d*(y[3] - y[1]))/300, y[3],
                         (160000*(0.05*sin(3*pi*t) - y[2]) - 16000*(y[2] - y[0]) - d*(y[3] - y[1]))/40]


for model, d in (('Suspension', 1500), ('WornSuspension', 0)):
    y = gbs(car(d), [0, 0, 0, 0], 0, 2, 400)
    run('Suspension.mo', model, {'body.s': y[0], 'wheel.s': y[2], 'body.v': y[1]})


def loop(t, y):
    xc, p, q, s = y  # plant in controller canonical form: p' = u - 2p - 2q, q' = p
    e = 2 - s
    u = 1.5*(xc + e)
    return [e/0.8, u - 2*p - 2*q, p, (0.5*p + 2*q - s)/0.1]


y = gbs(loop, [0, 0, 0, 0], 0.5, 4, 400)
run('control_loop.mo', 'control_loop', {'plant.y': 0.5*y[1] + 2*y[2], 'controller.y': 1.5*(y[0] + 2 - y[3])})


def drug(rate):
    return lambda t, y: [rate - 4*y[0]/12 - 7*(y[0]/12 - y[1]/30), 7*(y[0]/12 - y[1]/30), y[0]/12]


y = gbs(drug(0), gbs(drug(100), [0, 0, 0], 0, 1.5, 50), 1.5, 12, 100)
run('Pharmacy.mo', 'Pharmacy', {'c1': y[0]/12, 'c2': y[1]/30, 'AUC': y[2]})
la = [0.9, 0.5, 0.2]
n2 = 1000*0.9*(exp(-0.9*6)/(0.5 - 0.9) + exp(-0.5*6)/(0.9 - 0.5))
n3 = 1000*0.9*0.5*sum(exp(-la[i]*6)/prod(la[j] - la[i] for j in range(3) if j != i) for i in range(3))
n1 = 1000*exp(-0.9*6)
run('DecayChain.mo', 'DecayChain', {'N[1]': n1, 'N[2]': n2, 'N[3]': n3, 'N[4]': 1000 - n1 - n2 - n3,
                                    'activity': 0.9*n1 + 0.5*n2 + 0.2*n3})


def chua(t, y):
    v1, v2, i = y  # C1, C2, and the current of the coil
    f = -0.409091*(v1 + 1) + 0.757576 if v1 < -1 else -0.409091*(v1 - 1) - 0.757576 if v1 > 1 else -0.757576*v1
    g = 0.565*(v2 - v1)
    return [(g - f)/10, (-g - i)/100, (v2 - 0.0125*i)/18]


t, y = 0.0, [4.0, 0.0, 0.0]
while t < 200:
    t, y = until(chua, lambda t, y: y[0]*y[0] - 1, y, t, 200, 0.5)
run('Chua.mo', 'Chua.Circuit', {'C1.v': y[0], 'C2.v': y[1], 'L.i': y[2]}, 1e-6)

i, w, phi = gbs(lambda t, y: [(10*sin(3*t) - 2*y[0] - 0.9*y[1])/0.3, 0.9*y[0]/0.25, y[1]], [0, 0, 0], 0, 3, 200)
run('motor_own.mo', 'Drive.Antrieb', {'l.i': i, 'j.w': w, 'j.phi': phi})


def brusselator(t, y):
    n, D = 6, 0.02*49
    u, v = [1] + list(y[:n]) + [1], [3] + list(y[n:]) + [3]
    return [1 + u[i]**2*v[i] - 4*u[i] + D*(u[i - 1] - 2*u[i] + u[i + 1]) for i in range(1, n + 1)] \
        + [3*u[i] - u[i]**2*v[i] + D*(v[i - 1] - 2*v[i] + v[i + 1]) for i in range(1, n + 1)]


y = gbs(brusselator, [1 + sin(2*pi*i/7) for i in range(1, 7)] + [3.0]*6, 0, 4, 400)
run('Brusselator1D.mo', 'Brusselator1D', {'u[1]': y[0], 'u[4]': y[3], 'v[6]': y[11]})


def plate(t, y):
    n, k = 5, 1e-4/(0.1/6)**2
    T = [[0]*7 for _ in range(7)]
    for i in range(7):
        T[0][i], T[6][i] = 300, 320
    for i in range(1, 6):
        T[i][0], T[i][6] = 340, 360
        T[i][1:6] = y[5*(i - 1):5*i]
    return [k*(T[i + 1][j] + T[i - 1][j] + T[i][j + 1] + T[i][j - 1] - 4*T[i][j]) for i in range(1, 6) for j in range(1, 6)]


y = gbs(plate, [300.0]*25, 0, 3, 200)
run('Plate.mo', 'Plate', {'T[2,2]': y[0], 'T[3,5]': y[8], 'middle': y[12], 'T[1,7]': 300.0})


def net(t, y):
    d = [0.0]*12
    for i in range(3):
        for j in range(4):
            for p, q in ((i, j + 1), (i + 1, j)):
                if p < 3 and q < 4:
                    f = (y[4*p + q] - y[4*i + j])/2
                    d[4*i + j] += f
                    d[4*p + q] -= f
    return [d[4*i + j]/(0.1*(i + 1) + 0.01*(j + 1)) for i in range(3) for j in range(4)]


y = gbs(net, [float(k) for k in range(1, 13)], 0, 0.5, 200)
run('Grid.mo', 'Grid.Net', {'cell[1,1].v': y[0], 'cell[2,3].v': y[6], 'cell[3,4].v': y[11], 'total': sum(y)})

f = lambda t, y: [sum(lim*tanh(k*a*sin(pi*t + 0.1*i)/lim) for a, k, lim, i in ((1, 1, 1, 1), (2, -2, 2, 2), (3, 3, 5, 3)))]
run('Gains.mo', 'Gains', {'y': gbs(f, [1], 0, 1.2, 100)[0], 'total.y': f(1.2, 0)[0]})

J = [1, 2, 3.5]


def body(t, w):
    h = [J[k]*w[k] for k in range(3)]
    c = [w[1]*h[2] - w[2]*h[1], w[2]*h[0] - w[0]*h[2], w[0]*h[1] - w[1]*h[0]]
    tau = [0.1, 0, -0.05*w[2]]
    return [(tau[k] - c[k])/J[k] for k in range(3)]


w = gbs(body, [0.1, 2, 0.1], 0, 5, 200)
run('Tumbler.mo', 'Tumbler.Body', {'w[1]': w[0], 'w[2]': w[1], 'w[3]': w[2], 'E': sum(J[k]*w[k]**2 for k in range(3))/2,
                                   'scaledAverage': sum(w), 'doubled[3]': 2*w[2], 'detM': w[0]**2 + w[1]**2})

knots = [(0, 1), (6, 2), (8, 5), (17, 4), (22, 2), (24, 1)]


def demand(t):
    for (a, p), (b, q) in zip(knots, knots[1:]):
        if t < b:
            return p + (t - a)*(q - p)/(b - a)
    return knots[-1][1]


def used(t):
    """Integral of the broken line."""
    total = 0
    for (a, p), (b, q) in zip(knots, knots[1:]):
        e = min(t, b)
        if e > a:
            total += (e - a)*(p + demand(e) if e < b else p + q)/2
    return 1.2*total


# the second store: a quarter of the load down to 15, an eighth down to 12, then nothing
t1 = root(lambda t: 20 - used(t)/4 - 15, 0, 20)
t2 = root(lambda t: 15 - (used(t) - used(t1))/8 - 12, t1, 20)
run('Schedule.mo', 'Schedule', {'used': used(20), 'store[1]': 10 - 0.1*used(20), 'store[3]': 30 - 0.3*used(20),
                                'store[2]': 12.0, 'load': 1.2*demand(20), 'yearly': 4.7*demand(12)}, 1e-6)
# the root of the level falls with the time for which the valve was open
c = pi*0.03**2/4*sqrt(2*9.80665/2.5)/0.2
opened = 60 + 10*sqrt(pi)*erf(60/20)*2/2
run('valve_line.mo', 'valve_line.Vessel', {'h': (sqrt(1.5) - c/2*opened)**2}, 1e-6)


def neuron(t, y):
    u, x = y[0], y[1:]
    a = [0.1*(25 - u)/(exp((25 - u)/10) - 1), 0.01*(10 - u)/(exp((10 - u)/10) - 1), 0.07*exp(-u/20)]
    b = [4*exp(-u/18), 0.125*exp(-u/80), 1/(exp((30 - u)/10) + 1)]
    g = [120*x[0]**3*x[2], 36*x[1]**4, 0.3]
    return [12 - g[0]*(u - 115) - g[1]*(u + 12) - g[2]*(u - 10.6)] + [a[k]*(1 - x[k]) - b[k]*x[k] for k in range(3)]


y = gbs(neuron, [2, 0.05, 0.32, 0.6], 0, 12, 1200)
run('Synapse.mo', 'Synapse', {'u': y[0], 'x[1]': y[1], 'x[2]': y[2], 'x[3]': y[3]}, 1e-6)


def riccati(t, p):
    a, b, c = p  # P is symmetric
    return [2*b - 10*a*a, c - 2*a - 0.4*b - 10*a*b, -4*b - 0.8*c + 0.3 - 10*b*b]


a, b, c = gbs(riccati, [1, 0, 1], 0, 4, 400)
run('Kalman.mo', 'Kalman', {'P[1,1]': a, 'P[1,2]': b, 'P[2,1]': b, 'P[2,2]': c, 'trace': a + c, 'K[2,1]': 10*b,
                            'largest': max(a, b, c), 'corner': 2 - 1.4})


def phase(t, ph):
    """R i + L i' = 10 sin(w t + ph) from 0; with all three phases alike the free star point stays at zero."""
    R, L, w = 2, 0.01, 100*pi
    p = lambda t: 10/hypot(R, w*L)*sin(w*t + ph - atan2(w*L, R))
    return p(t) - p(0)*exp(-R*t/L)


run('ThreePhase.mo', 'ThreePhase.System', {'load.i[1]': phase(0.01, 0), 'load.i[2]': phase(0.01, -2*pi/3),
                                           'load.i[3]': phase(0.01, 2*pi/3), 's2.neutral.v': 0.0})
run('ThreePhase.mo', 'ThreePhase.VecSystem', {'a.x[1]': 2.0, 'b.x[2]': 3.0, 'a.x[3]': 4.0, 's.p.i[3]': -8.0})
x = 1.5*exp(-2)
run('OldStyle.mo', 'OldStyle', {'x': x, 'y': -x*x, 'z': 1e-3 - x*x, 'w': 100*(1e-3 - x*x)})
run('Shorts.mo', 'Shorts.All', {'s.x': exp(-1), 'b.x': 3*exp(-2), 'c.x': 5*exp(-4),
                                'sum_': 2*(exp(-1) + exp(-2) + exp(-3))})
x, y = exp(-4), 120 + (2 - 120)*exp(-1/120)
run('Recs.mo', 'Recs.A', {'p.x': x, 'p.y': y, 'm.x': 1.5*x, 'm.y': (y + 3)/2, 'd': hypot(x, 3 - y)})
run('Cond.mo', 'Cond', {'a.y': 3*(1 - exp(-1)), 'b.y': (sin(1) - cos(1) + exp(-1))/2})
run('Inputs.mo', 'Inputs', {'y': 1 - 2*(1 - exp(-0.5)), 'w': 2*(1 - 2*(1 - exp(-0.5)))}, args='--set u=time')
run('Deriv.mo', 'Deriv.M', {'x': exp(-3), 'y': -3*exp(-3), 'z': exp(-3) + exp(exp(-1))})
run('Deriv.mo', 'Deriv.E', {'x[1]': 1.0, 'x[2]': exp(-3), 'x[3]': exp(-2)})
run('Net.mo', 'Net.Top', {'rc[1].c.v': 5*(1 - exp(-1)), 'rc[2].c.v': 5*(1 - exp(-1/3)), 'more.c.v': 5*(1 - exp(-0.5)),
                          'v.p.i': -5/2*(exp(-1) + exp(-1/3) + exp(-0.5))})
