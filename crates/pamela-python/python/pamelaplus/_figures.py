"""Figures of sweeps that need several passes: standard deviation, median, histogram.

Each is exact before one final rounding, so it does not depend on how the points are divided. A pass computes the
values of a range of points once; passes of parts are added in any order.
"""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from . import _pamela
    from ._sweep import Sweep
    from ._table import Table

    #: Computes one pass over all points: a kind, and what the kind needs.
    Pass = Callable[[str, Any], Any]

#: The figures of this module beside those of the library.
NAMES = ("std", "median")
#: Points whose values are in memory at a time.
_POINTS = 1 << 20
#: Bits of a key that one pass of a median finds.
_BITS = 16


def named(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide the names of figures into those of the library and those of this module."""
    own = [name for name in names if name in NAMES]
    return [name for name in names if name not in NAMES], own


def one_pass(sweep: _pamela.Sweep, kind: str, needs: Any, by: Sequence[str]) -> dict[Any, Any]:
    """Compute one pass over the points of a sweep: for each group and value column, what :func:`merged` adds.

    Kinds are ``squares`` (deviations from given means), ``keys`` (counts of the leading bits of numbers) and ``bins``.
    """
    found: dict[Any, Any] = {}
    for numbers in _chunks(sweep):
        for group, rows in _groups(numbers, by):
            for name in sweep.values:
                if (group, name) not in needs:
                    continue
                values = numbers[name][rows]
                part = _KINDS[kind](values[values == values], needs[group, name])
                found[group, name] = _plus(found.get((group, name)), part)
    return found


def merged(parts: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
    """Add the passes of all parts."""
    found: dict[Any, Any] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = _plus(found.get(key), value)
    return found


def _plus(own: Any, other: Any) -> Any:
    return other if own is None else own + other


def _chunks(sweep: _pamela.Sweep) -> Iterator[dict[str, Any]]:
    start, end = sweep.range
    for first in range(start, end, _POINTS):
        yield sweep.part(first, min(end, first + _POINTS)).arrays()[0]


def _groups(numbers: dict[str, Any], by: Sequence[str]) -> Iterator[tuple[tuple[float, ...], Any]]:
    import numpy as np

    if not by:
        yield (), slice(None)
        return
    keys = np.stack([numbers[name] for name in by], axis=1)
    distinct, places = np.unique(keys, axis=0, return_inverse=True)
    for number, key in enumerate(distinct):
        yield tuple(key.tolist()), places.reshape(-1) == number


def _exact_sum(values: Any) -> Any:
    """The sum of doubles as a fraction."""
    from fractions import Fraction

    import numpy as np

    if not len(values) or not np.isfinite(values).all():
        return Fraction(0) if not len(values) else float(values.sum())
    mantissas, exponents = np.frexp(values)
    whole = (mantissas * 2.0**53).astype(np.int64)
    least = int(exponents.min())
    total = Fraction(0)
    # Two halves of the mantissas, whose sums are exact doubles.
    for half, weight in ((whole >> 26, 26), (whole & (2**26 - 1), 0)):
        sums = np.bincount(exponents - least, weights=half.astype(np.float64))
        for exponent in np.flatnonzero(sums):
            total += int(sums[exponent]) * Fraction(2) ** (int(exponent) + least - 53 + weight)
    return total


def _squares(values: Any, mean: float) -> Any:
    return _exact_sum((values - mean) ** 2)


def _ordered(values: Any) -> Any:
    """Whole numbers in the order of the doubles."""
    import numpy as np

    # Zeros of both signs are equal.
    bits = (values + 0.0).view(np.uint64)
    negative = bits >> np.uint64(63) == 1
    return np.where(negative, ~bits, bits | np.uint64(1 << 63))


def _keys(values: Any, prefixes: tuple[tuple[int, ...], int]) -> Any:
    """For each prefix, how many numbers continue it with each of the next bits."""
    import numpy as np

    known, length = prefixes
    keys = _ordered(np.ascontiguousarray(values))
    rest = np.uint64(64 - length - _BITS)
    counts = np.zeros((len(known), 1 << _BITS), dtype=np.int64)
    for row, prefix in enumerate(known):
        own = keys if length == 0 else keys[keys >> np.uint64(64 - length) == np.uint64(prefix)]
        following = (own >> rest) & np.uint64((1 << _BITS) - 1)
        counts[row] = np.bincount(following.astype(np.int64), minlength=1 << _BITS)
    return counts


def _bins(values: Any, edges: Any) -> Any:
    import numpy as np

    return np.histogram(values, edges)[0]


_KINDS: dict[str, Callable[[Any, Any], Any]] = {"squares": _squares, "keys": _keys, "bins": _bins}


def further(figures: Sequence[str], by: Sequence[str], values: Sequence[str], means: Table, run: Pass) -> dict[str, Any]:
    """Compute the figures of this module for each group; ``means`` has `mean` and `count` of each column."""
    import numpy as np

    rows = len(next(iter(means.values())))
    groups = [tuple(float(means[name][row]) for name in by) for row in range(rows)]
    found: dict[str, Any] = {}
    for figure in figures:
        column = _deviations if figure == "std" else _medians
        for name in values:
            found[f"{name}_{figure}"] = np.full(rows, np.nan)
        for (group, name), value in column(groups, values, means, run).items():
            found[f"{name}_{figure}"][groups.index(group)] = value
    return found


def _deviations(groups: Sequence[Any], values: Sequence[str], means: Table, run: Pass) -> dict[Any, float]:
    import math

    pairs = [(row, group, name) for row, group in enumerate(groups) for name in values]
    needs = {(group, name): float(means[f"{name}_mean"][row]) for row, group, name in pairs}
    sums = run("squares", needs)
    counts = {(group, name): int(means[f"{name}_count"][row]) for row, group, name in pairs}
    return {key: math.sqrt(total / counts[key]) for key, total in sums.items() if counts[key]}


def _medians(groups: Sequence[Any], values: Sequence[str], means: Table, run: Pass) -> dict[Any, float]:
    """The middle numbers by their leading bits: each pass finds some more."""
    import numpy as np

    counts = {(g, name): int(means[f"{name}_count"][row]) for row, g in enumerate(groups) for name in values}
    # For each of the two middle places: its prefix, and its place among the numbers with this prefix.
    places = {key: [(0, (count - 1) // 2), (0, count // 2)] for key, count in counts.items() if count}
    for length in range(0, 64, _BITS):
        needs = {key: (tuple(dict.fromkeys(prefix for prefix, _ in own)), length) for key, own in places.items()}
        tables = run("keys", needs)
        for key, own in places.items():
            known = needs[key][0]
            after = []
            for prefix, place in own:
                sums = np.cumsum(tables[key][known.index(prefix)])
                following = int(np.searchsorted(sums, place, side="right"))
                before = int(sums[following - 1]) if following else 0
                after.append((prefix << _BITS | following, place - before))
            places[key] = after
    return {key: _middle(*(_double(prefix) for prefix, _ in own)) for key, own in places.items()}


def _middle(low: float, high: float) -> float:
    middle = (low + high) / 2
    return middle if abs(middle) != float("inf") else low / 2 + high / 2


def _double(key: int) -> float:
    import struct

    bits = key & (2**63 - 1) if key >> 63 else ~key & (2**64 - 1)
    found: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return found


def _edges(name: str, least: float, greatest: float, bins: Any, span: Any) -> Any:
    """The edges of a histogram, as of ``numpy.histogram``."""
    import numpy as np

    from ._options import as_whole

    if hasattr(bins, "__len__"):
        edges = np.asarray(bins, dtype=np.float64)
        if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
            raise PamelaError(f"`bins` are {bins!r}: a number, or edges that increase, are expected")
        return edges
    low, high = (least, greatest) if span is None else map(float, span)
    if not (np.isfinite(low) and np.isfinite(high) and low <= high):
        raise PamelaError(f"the values of `{name}` go from {low} to {high}: give the histogram a range=(low, high)")
    return np.histogram_bin_edges([low, high], as_whole("bins", bins, 1, 2**20), (low, high))


def histogram(sweep: Sweep, name: str, bins: Any, span: Any, engine: Any) -> tuple[Any, Any]:
    """Implements :meth:`Sweep.histogram`."""
    from .clusters import passes

    inner = sweep._sweep
    if name not in inner.values:
        raise PamelaError(f"there is no column `{name}` of values; there are {', '.join(inner.values)}")
    run = passes(sweep, engine)
    ends = (0.0, 0.0)
    if span is None and not hasattr(bins, "__len__"):
        found = sweep._figures(run("", None), ["min", "max"])
        ends = (float(found[f"{name}_min"][0]), float(found[f"{name}_max"][0]))
    edges = _edges(name, *ends, bins, span)
    return run("bins", {((), name): edges})[(), name], edges
