"""islpy with barvinok as a peer of `pamela study sums`: a JSON request a line, a JSON reply a line.

A sum is written as piecewise quasi-polynomials in isl's notation, separated by `;`, which are summed over their
indices and added up. Every parameter is an integer.
"""

import json
import statistics
import sys
import time
from fractions import Fraction

import islpy as isl
from islpy.version import VERSION_TEXT

# A sum is repeated for so long; its time, of the processor whatever else the machine does, is the median.
LEAST_SECONDS = 0.1


def closed_form(parts):
    total = None
    for part in parts:
        counted = isl.PwQPolynomial(part).sum()
        total = counted if total is None else total.add(counted)
    return total


def timed(compute):
    times = []
    while sum(times) < LEAST_SECONDS:
        start = time.process_time()
        result = compute()
        times.append(time.process_time() - start)
    return result, statistics.median(times)


def value(closed, point):
    numbers = {name: Fraction(text) for name, text in point.items()}
    if any(number.denominator != 1 for number in numbers.values()):
        return "declined"
    space = closed.get_domain_space()
    at = isl.Point.zero(space.params())
    for position in range(space.dim(isl.dim_type.param)):
        number = numbers[space.get_dim_name(isl.dim_type.param, position)]
        at = at.set_coordinate_val(isl.dim_type.param, position, isl.Val(int(number)))
    return closed.eval(at).to_str()


def reply(request):
    parts = request["sum"].split(";")
    closed, seconds = timed(lambda: closed_form(parts))
    values = [value(closed, point) for point in request["points"]]
    return {"closed": True, "seconds": seconds, "formula": str(closed), "values": values}


sys.stdin.readline()
closed_form(["[N] -> { [i] -> i : 1 <= i <= N }"])
print("=> islpy", VERSION_TEXT)
for line in sys.stdin:
    try:
        print("=>", json.dumps(reply(json.loads(line))))
    except Exception as error:
        print("=>", type(error).__name__, str(error).replace("\n", " "))
