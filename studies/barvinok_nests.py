"""Random parametric loop nests: the closed forms of pamela beside barvinok's counts and a plain loop.

    python3 studies/barvinok_nests.py [--pamela target/release/pamela] [--count 200] [--seed 1] [--open FILE]

A nest has one to three indices with affine bounds and a body of a few terms: a polynomial in the indices, times
at most one `mod` or `div` by a number and at most one bracket. Its value is computed by loops in Python, by
barvinok (islpy-barvinok) and by `pamela eval`, at degenerate and ordinary points.
"""

import argparse
import json
import math
import random
import subprocess
import time

import islpy as isl

PARAMETERS = ["N", "M"]
POINTS = [(0, 0), (0, 3), (1, 0), (1, 1), (2, 5), (4, 1), (5, 7), (9, 4)]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pamela", default="target/release/pamela")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20, help="seconds per call of pamela")
    parser.add_argument("--open", help="write the models that do not close, or are wrong, to this file")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    closed, compared, declined, agreed, seconds, peer_seconds = 0, 0, 0, 0, [], []
    definition_agreed = 0
    left, wrong = [], []
    for number in range(arguments.count):
        nest = random_nest(rng)
        model = nest.model()
        start = time.perf_counter()
        peer = nest.barvinok()
        peer_time = time.perf_counter() - start
        try:
            result = pamela(arguments.pamela, ["simplify", "-", "--emit", "json"], model, arguments.limit)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            left.append((number, model, f"failed: {error}"))
            continue
        equation = result["equations"][0]
        if equation["open_reductions"] == 0:
            closed += 1
            seconds.append(result["statistics"]["seconds"])
            peer_seconds.append(peer_time)
        else:
            left.append((number, model, f"open reductions: {equation['open_reductions']}, stop: {result['stop']}"))
        for point in POINTS:
            at = dict(zip(PARAMETERS, point))
            expected = nest.value(at)
            counted = peer.eval_with_dict(at)
            if counted != expected:
                wrong.append((number, model, f"barvinok: {counted}, loops: {expected} at {at}"))
                continue
            values = [text for name, value in at.items() for text in ("-D", f"{name}={value}")]
            try:
                found = pamela(arguments.pamela, ["eval", "-", "--json", *values], model, arguments.limit)["equations"][0]
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                wrong.append((number, model, f"failed at {at}: {error}"))
                continue
            by_formula = found["method"] == "exact" and equation["open_reductions"] == 0
            right = found.get("exact") == str(expected)
            if by_formula:
                compared += 1
                agreed += right
            else:
                declined += 1
                definition_agreed += right
            if not right:
                wrong.append((number, model, f"{found.get('exact')} ({found['method']}), but the loops give {expected} at {at}"))
    print(f"nests: {arguments.count}, closed: {closed}, open: {len(left)}")
    print(f"points of closed forms where their conditions hold: {compared}, all three agree at {agreed}")
    print(f"points by loops, since a condition fails or the form is open: {declined}, agree at {definition_agreed}")
    if seconds:
        ratios = sorted(p / s for p, s in zip(peer_seconds, seconds))
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"barvinok's time over ours, where we close: geometric mean {mean:.2f}, median {ratios[len(ratios) // 2]:.2f}")
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
