"""SymPy as a peer of `pamela study sums`: a JSON request a line, a JSON reply a line."""

import json
import statistics
import sys
import time

import sympy
from sympy.core.cache import clear_cache

INDICES = "i j k l m n".split()
# A sum is repeated for so long; its time, of the processor whatever else the machine does, is the median.
LEAST_SECONDS = 0.1


def symbol(parameter):
    facts = {"integer": True} if parameter["integer"] else {"real": True}
    at_least = parameter["at_least"]
    if at_least is not None and at_least >= 0:
        facts["positive" if at_least > 0 else "nonnegative"] = True
    return sympy.Symbol(parameter["name"], **facts)


def timed(compute):
    times = []
    while sum(times) < LEAST_SECONDS:
        clear_cache()
        start = time.process_time()
        result = compute()
        times.append(time.process_time() - start)
    return result, statistics.median(times)


def value(closed, point):
    try:
        number = closed.subs(point, simultaneous=True).doit()
    except Exception as error:
        return f"no value: {type(error).__name__}"
    if number.is_Rational:
        return str(number)
    if number.is_number and number.is_extended_real and number.is_finite:
        return str(float(number))
    return f"no value: {number}"


def reply(request):
    names = {name: sympy.Symbol(name, integer=True) for name in INDICES}
    for parameter in request["parameters"]:
        names[parameter["name"]] = symbol(parameter)
    scope = {**vars(sympy), **names}
    code = compile(request["sum"], "sum", "eval")
    closed, seconds = timed(lambda: sympy.sympify(eval(code, scope)))
    points = [{names[name]: sympy.Rational(text) for name, text in point.items()} for point in request["points"]]
    is_closed = not closed.has(sympy.Sum, sympy.Product)
    values = [value(closed, point) for point in points] if is_closed else []
    return {"closed": is_closed, "seconds": seconds, "formula": str(closed), "values": values}


# The first sum imports what all others need.
sympy.summation(sympy.Symbol("i"), (sympy.Symbol("i"), 1, sympy.Symbol("N"))).simplify()
sys.stdin.readline()
print("=> SymPy", sympy.__version__)
for line in sys.stdin:
    try:
        print("=>", json.dumps(reply(json.loads(line))))
    except Exception as error:
        print("=>", type(error).__name__, str(error).replace("\n", " "))
