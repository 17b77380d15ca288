#!/usr/bin/env python3
"""Writes the data of the initial-value tests: reference.txt (here) and bench/ivp/recorded.txt.

Usage: generate.py REFERENCE.json BASELINE.md

REFERENCE.json holds end values to 12 digits or more; BASELINE.md a table of what other codes reach: problem, code, then
for each tolerance "digits; steps; evaluations; Jacobians; CPU ms". Only needed when these data change.
"""
import json
import math
import os
import re
import sys
from decimal import Context, Decimal

TOLERANCES = ["1e-4", "1e-6", "1e-8", "1e-10"]

# absolute tolerance = factor times the relative one; 1 where nothing stands here
ATOL = {"rober": "1e-6", "roberdae": "1e-6", "hires": "1e-4", "ringmod": "1e-3", "chemakzo": "1e-3", "medakzo": "1e-2"}

# how many variables, from the first on, count in the digits; all where nothing stands here
COUNTING = {"beam": 40, "fekete": 60, "crank": 7, "ap2": 2, "pend2ggl": 4, "pend3": 4, "jay3": 4, "caraxis": 8}

# Problems in their index-3 form must reach these digits, at least.
INDEX_3 = {"caraxis": [3.2, 4.8, 6.4, 8.0], "pend3": [3, 5, 7, 9], "jay3": [3, 5, 7, 9]}


def elements(name, *dims):
    """Names of the elements of an array, row-major: p[1,1], p[1,2], ..."""
    names = [[]]
    for size in dims:
        names = [n + [str(i)] for n in names for i in range(1, size + 1)]
    return [name + "[" + ",".join(n) + "]" for n in names]


# names of the model's variables in the order of the reference values
NAMES = {
    "vdpol": "y1 y2".split(),
    "rober": "y1 y2 y3".split(),
    "roberdae": "y1 y2 y3".split(),
    "orego": "y1 y2 y3".split(),
    "hires": elements("y", 8),
    "pollu": elements("y", 20),
    "ringmod": elements("y", 15),
    "beam": elements("th", 40) + elements("om", 40),
    "medakzo": [name for pair in zip(elements("u", 200), elements("v", 200)) for name in pair],
    "chemakzo": elements("y", 6),
    "transamp": elements("y", 8),
    "ap2": "x1 x2 z".split(),
    "pend2ggl": "x y u v lam mu".split(),
    "fekete": elements("p", 20, 3) + elements("q", 20, 3) + elements("lam", 20) + elements("mu", 20),
    "crank": sum([elements(p + "f", 2) + [p + "x"] + elements(p + "q", 4) for p in ["", "v", "w"]], [])
    + elements("lam", 3),
    "jay3": "y1 y2 z1 z2 u".split(),
    "pend3": "x y u v lam".split(),
    "caraxis": "xl yl xr yr vxl vyl vxr vyr l1 l2".split(),
}


def read_baseline(path):
    """{(problem, code): [cell, ...]}, a cell being (digits, steps, evaluations, jacobians, ms) or None."""
    table = {}
    for line in open(path, encoding="utf-8"):
        parts = [p.strip() for p in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(parts) != 6 or parts[0] in ("problem", "---"):
            continue
        cells = [tuple(float(x) for x in c.split(";")) if re.match(r"[0-9.]+;", c) else None for c in parts[2:]]
        table[parts[0], parts[1]] = cells
    return table


def required(problem, radau5):
    """Digits: the smaller of RADAU5's less a half and the tolerance's own, and not below the index-3 figures."""
    digits = [min(cell[0] - 0.5, -math.log10(float(tol))) for cell, tol in zip(radau5, TOLERANCES)]
    return [max(d, m) for d, m in zip(digits, INDEX_3.get(problem, [0, 0, 0, 0]))]


def value(text):
    """A reference value rounded to 17 significant digits."""
    number = Context(prec=17).create_decimal(Decimal(text))
    return "0" if number == 0 else f"{number:.16e}"


def write_reference(path, problems, baseline):
    with open(path, "w", encoding="utf-8") as out:
        out.write("# End values of the initial-value problems of bench/models/ivp, and the digits to be reached there.\n")
        out.write("# Written by generate.py.\n#   problem NAME STOP ATOL_FACTOR UNKNOWNS\n#   require TOLERANCE DIGITS\n")
        out.write("#   value VARIABLE END_VALUE COUNTS   (1: counts in the digits), in the order of the equations in C\n")
        for name, data in problems.items():
            assert len(NAMES[name]) == data["n"] == len(data["reference"]), name
            out.write(f"problem {name} {data['tf']!r} {ATOL.get(name, '1')} {data['n']}\n")
            for tol, digits in zip(TOLERANCES, required(name, baseline[name, "radau5"])):
                out.write(f"require {tol} {digits:.1f}\n")
            for i, (variable, text) in enumerate(zip(NAMES[name], data["reference"])):
                out.write(f"value {variable} {value(text)} {int(i < COUNTING.get(name, data['n']))}\n")


def write_recorded(path, baseline):
    with open(path, "w", encoding="utf-8") as out:
        out.write("# What other codes reached on one core of a 2-core Xeon, good to about 20 %. Written by\n")
        out.write("# tests/verify/ivp/generate.py. One line per run that reached the end:\n")
        out.write("#   PROBLEM CODE TOLERANCE DIGITS CPU_MS\n")
        for (problem, code), cells in baseline.items():
            for tol, cell in zip(TOLERANCES, cells):
                if cell:
                    out.write(f"{problem} {code} {tol} {cell[0]:g} {cell[4]:g}\n")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    problems = json.load(open(sys.argv[1], encoding="utf-8"))["problems"]
    baseline = read_baseline(sys.argv[2])
    write_reference(os.path.join(here, "reference.txt"), problems, baseline)
    write_recorded(os.path.join(here, "../../../bench/ivp/recorded.txt"), baseline)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
