"""Values over arrays as plain doubles: the emitted sources for NumPy, a block at a time."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._compiled import Compiled

#: Rows of a block: its columns stay in the cache of a core.
_BLOCK = 8192


def filled(compiled: Compiled, given: dict[str, Any], length: int) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return values and notes like `fill` of the compiled model."""
    import numpy as np

    from ._backends import functions

    inner = compiled._compiled
    plain = {parameter.name: None for parameter in compiled.parameters}
    for name in given:
        if name not in plain:
            # The message of exact evaluation.
            inner.fill(given, length, [])
    columns: dict[str, Any] = inner.defaults
    for name, value in given.items():
        columns[name] = value if isinstance(value, np.ndarray) else _number(inner, name, value)
    found: dict[str, Any] = {}
    outside = np.zeros(length, dtype=bool)
    for form in compiled.formulas.values():
        if form.arguments:
            continue
        if form.sort != "number":
            raise PamelaError(f"`{form.name}` is a {form.sort}: leave it out by only(..), or evaluate with exact=True")
        if any(name not in columns for name in form.parameters):
            # A default that depends on other parameters, or a missing value and its message.
            own, notes = compiled.only(form.name)._compiled.fill(given, length, [])
            found[form.name] = own[form.name]
            outside[[place for place, _ in notes]] = True
            continue
        of, holds = functions(form._formula, "numpy")
        names = form._formula.emit("numpy")[3]
        values = np.empty(length)
        for start in range(0, length, _BLOCK):
            rows = slice(start, start + _BLOCK)
            block = [columns[name][rows] if isinstance(columns[name], np.ndarray) else columns[name] for name in names]
            values[rows] = of(*block)
            outside[rows] |= ~(np.asarray(holds(*block), dtype=bool) & np.isfinite(values[rows]))
        found[form.name] = values
    places = np.flatnonzero(outside)
    if not len(places):
        return found, []
    rows_there = {name: value[places] if isinstance(value, np.ndarray) else value for name, value in given.items()}
    exact, notes = inner.fill(rows_there, len(places), [])
    for name, values in found.items():
        values[places] = exact[name]
    return found, [(int(places[place]), note) for place, note in notes]


def _number(inner: Any, name: str, value: Any) -> float:
    """A single number as a double, in the unit of its parameter."""
    from . import _pamela

    if isinstance(value, str):
        return float(_pamela.in_unit(inner, name, value))
    return float(value)
