"""Random parametric loop nests: the closed forms of pamela beside barvinok's counts and a plain loop.

    python3 studies/barvinok_nests.py [--pamela target/release/pamela] [--count 200] [--seed 1] [--open FILE]

A nest has one to three indices with affine bounds and a body of a few terms: a polynomial in the indices, times
at most one `mod` or `div` by a number and at most one bracket. Its value is computed by loops in Python, by
barvinok (islpy-barvinok) and by the closed form of pamela, at all points of a grid; where a condition of the closed
form does not hold, it claims nothing.
"""

import argparse
import json
import math
import random
import re
import subprocess
import time

import islpy as isl

PARAMETERS = ["N", "M"]
POINTS = [(n, m) for n in range(8) for m in range(8)]


class Affine:
    """A whole-numbered combination of names, plus a constant."""

    def __init__(self, factors, constant):
        self.factors, self.constant = factors, constant

    def value(self, at):
        return sum(f * at[name] for name, f in self.factors) + self.constant

    def __str__(self):
        text = " + ".join(name if f == 1 else f"{f} * {name}" for name, f in self.factors if f)
        if not text:
            return str(self.constant)
        if self.constant == 0:
            return text
        return f"{text} {'+' if self.constant > 0 else '-'} {abs(self.constant)}"


class Term:
    """factor * monomial * (affine mod or div modulus) * [left <= right]"""

    def __init__(self, factor, powers, rounded, bracket):
        self.factor, self.powers, self.rounded, self.bracket = factor, powers, rounded, bracket

    def value(self, at):
        value = self.factor
        for name, power in self.powers:
            value *= at[name] ** power
        if self.rounded:
            kind, inner, modulus = self.rounded
            value *= inner.value(at) % modulus if kind == "mod" else inner.value(at) // modulus
        if self.bracket:
            left, relation, right = self.bracket
            here, there = left.value(at), right.value(at)
            value *= {"<=": here <= there, "==": here == there, "<": here < there}[relation]
        return value

    def pamela(self):
        parts = [str(self.factor)] if self.factor != 1 else []
        parts += [name if power == 1 else f"{name}^{power}" for name, power in self.powers]
        if self.rounded:
            kind, inner, modulus = self.rounded
            parts.append(f"(({inner}) {kind} {modulus})")
        if self.bracket:
            left, relation, right = self.bracket
            parts.append(f"({left} {relation} {right})")
        return " * ".join(parts) or "1"

    def barvinok(self, nest):
        parts = [str(self.factor)]
        parts += [name if power == 1 else f"{name}^{power}" for name, power in self.powers]
        if self.rounded:
            kind, inner, modulus = self.rounded
            quotient = f"floor(({inner})/{modulus})"
            parts.append(quotient if kind == "div" else f"({inner} - {modulus} * {quotient})")
        domain = [f"{low} <= {index} <= {high}" for index, low, high in nest]
        if self.bracket:
            left, relation, right = self.bracket
            domain.append(f"{left} {'=' if relation == '==' else relation} {right}")
        indices = ", ".join(index for index, _, _ in nest)
        return f"[{', '.join(PARAMETERS)}] -> {{ [{indices}] -> {' * '.join(parts)} : {' and '.join(domain)} }}"


class Nest:
    def __init__(self, loops, terms):
        self.loops, self.terms = loops, terms

    def model(self):
        text = " + ".join(term.pamela() for term in self.terms)
        for index, low, high in reversed(self.loops):
            text = f"sum ({index} = {low}, {high}) {{ {text} }}"
        declared = "".join(f"numeric parameter {name} : integer >= 0\n" for name in PARAMETERS)
        return f"{declared}numeric f = {text}\n"

    def value(self, point):
        def inside(level, at):
            if level == len(self.loops):
                return sum(term.value(at) for term in self.terms)
            index, low, high = self.loops[level]
            return sum(inside(level + 1, {**at, index: i}) for i in range(low.value(at), high.value(at) + 1))

        return inside(0, point)

    def barvinok(self):
        total = None
        for term in self.terms:
            part = isl.PwQPolynomial(term.barvinok(self.loops)).sum()
            total = part if total is None else total.add(part)
        return total


def random_affine(rng, names, most=2):
    chosen = rng.sample(names, min(len(names), rng.randint(1, most)))
    return Affine([(name, rng.choice([1, 1, 1, 2, -1])) for name in chosen], rng.randint(-1, 2))


def random_nest(rng):
    loops, indices = [], []
    for level in range(rng.randint(1, 3)):
        index = "ijk"[level]
        low = Affine([], rng.randint(0, 2))
        if indices and rng.random() < 0.4:
            low = Affine([(rng.choice(indices), 1)], rng.randint(-1, 1))
        high = Affine([(rng.choice(PARAMETERS), 1)], rng.randint(-1, 1))
        if indices and rng.random() < 0.5:
            factors = [(rng.choice(indices), rng.choice([1, 1, 2, -1]))]
            if factors[0][1] < 0 or rng.random() < 0.3:
                factors.append((rng.choice(PARAMETERS), 1))
            high = Affine(factors, rng.randint(-1, 1))
        loops.append((index, low, high))
        indices.append(index)
    terms = []
    for _ in range(rng.randint(1, 2)):
        powers = [(name, rng.randint(1, 2)) for name in rng.sample(indices, rng.randint(0, min(2, len(indices))))]
        rounded = bracket = None
        if rng.random() < 0.5:
            rounded = (rng.choice(["mod", "div"]), random_affine(rng, indices), rng.randint(2, 5))
        if rng.random() < 0.4:
            bracket = (random_affine(rng, indices, 1), rng.choice(["<=", "<", "=="]), random_affine(rng, indices + PARAMETERS))
        terms.append(Term(rng.choice([1, 1, 2, 3, -2]), powers, rounded, bracket))
    return Nest(loops, terms)


def pamela(program, arguments, model, limit):
    run = subprocess.run([program, *arguments], input=model, capture_output=True, text=True, timeout=limit)
    if run.returncode not in (0, 3):
        raise RuntimeError(run.stderr.strip())
    return json.loads(run.stdout)


def values(program, equation, limit):
    """At each point, the exact value of the closed form, or None where a condition of it does not hold."""
    formals = ", ".join(PARAMETERS)
    shared = equation.get("where", [])

    def function(name, text):
        for part in shared:
            text = re.sub(rf"\b{part['name']}\b", f"{part['name']}({formals})", text)
        return f"numeric {name}({formals}) = {text}"

    lines = [function(part["name"], part["formula"]) for part in shared]
    condition = " && ".join(f"({text})" for text in equation["conditions"]) or "1 == 1"
    lines += [function("closed", equation["formula"]), function("valid", f"if ({condition}) 1 else 0")]
    for number, point in enumerate(POINTS):
        at = ", ".join(map(str, point))
        lines.append(f"numeric v{number} = if (valid({at}) == 1) closed({at}) else 1 / 2")
    found = pamela(program, ["eval", "-", "--json"], "\n".join(lines) + "\n", limit)["equations"]
    exact = {entry["name"]: entry["exact"] for entry in found}
    # The values of whole-numbered nests are whole.
    return [None if exact[f"v{number}"] == "1/2" else exact[f"v{number}"] for number in range(len(POINTS))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pamela", default="target/release/pamela")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20, help="seconds per call of pamela")
    parser.add_argument("--open", help="write the models that do not close, or are wrong, to this file")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    compared, excluded, seconds, peer_seconds = 0, 0, [], []
    left, wrong = [], []
    for number in range(arguments.count):
        nest = random_nest(rng)
        model = nest.model()
        start = time.perf_counter()
        peer = nest.barvinok()
        peer_time = time.perf_counter() - start
        try:
            result = pamela(arguments.pamela, ["simplify", "-", "--emit", "json"], model, arguments.limit)
            equation = result["equations"][0]
            if equation["open_reductions"] > 0:
                left.append((number, model, f"open reductions: {equation['open_reductions']}, stop: {result['stop']}"))
                continue
            found = values(arguments.pamela, equation, arguments.limit)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            left.append((number, model, f"failed: {error}"))
            continue
        seconds.append(result["statistics"]["seconds"])
        peer_seconds.append(peer_time)
        for point, value in zip(POINTS, found):
            at = dict(zip(PARAMETERS, point))
            expected = nest.value(at)
            counted = peer.eval_with_dict(at)
            if counted != expected:
                wrong.append((number, model, f"barvinok: {counted}, loops: {expected} at {at}"))
            if value is None:
                excluded += 1
                continue
            compared += 1
            if value != str(expected):
                wrong.append((number, model, f"{value}, but the loops give {expected} at {at}"))
    print(f"nests: {arguments.count}, closed: {len(seconds)}, open: {len(left)}")
    print(f"points of closed forms: {compared} compared, {excluded} at which a condition does not hold, {len(wrong)} wrong")
    if seconds:
        ratios = sorted(p / s for p, s in zip(peer_seconds, seconds))
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"barvinok's time over ours, where we close: geometric mean {mean:.2f}, median {ratios[len(ratios) // 2]:.2f}")
        print(f"our longest time: {max(seconds):.2f} s")
    for title, cases in (("WRONG", wrong), ("OPEN", left)):
        for number, _, reason in cases:
            print(f"{title} nest {number}: {reason}")
    if arguments.open:
        with open(arguments.open, "w") as file:
            for title, cases in (("WRONG", wrong), ("OPEN", left)):
                for number, model, reason in cases:
                    file.write(f"% {title}, nest {number} of seed {arguments.seed}: {reason}\n{model}\n")


if __name__ == "__main__":
    main()
