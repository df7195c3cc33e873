"""Values with units, as numbers in the unit of their parameter.

This is the only place that reads units. Every function that takes values of parameters uses it, so a number
has the same meaning everywhere.
"""

from __future__ import annotations

from . import _pamela
from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from typing import Any

    #: An object that knows the units of parameters.
    Subject = _pamela.Model | _pamela.Compiled

__all__ = ["axis_values", "plain", "plain_all"]

#: Seconds in the units of `numpy.timedelta64`, as fractions.
_SPANS = {
    "W": (604_800, 1),
    "D": (86_400, 1),
    "h": (3_600, 1),
    "m": (60, 1),
    "s": (1, 1),
    "ms": (1, 10**3),
    "us": (1, 10**6),
    "ns": (1, 10**9),
    "ps": (1, 10**12),
    "fs": (1, 10**15),
    "as": (1, 10**18),
}
#: Doubles hold all whole numbers up to this one.
_WHOLE = 2**53


def plain_all(subject: Subject, values: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the units of all values, see :func:`plain`."""
    return {name: value if type(value) in (float, int) else plain(subject, name, value) for name, value in values.items()}


def plain(subject: Subject, name: str, value: Any) -> Any:
    """Convert a value to the declared unit of a parameter: a number or an array.

    A text keeps its unit, in brackets. A value without a unit stays unchanged.
    """
    if isinstance(value, str):
        return _bracketed(value)
    if _is_quantity(value):
        return _of_quantity(subject, name, value)
    if _is_span(value):
        return _of_span(subject, name, value)
    if hasattr(value, "dims") and hasattr(value, "data"):
        # An xarray array.
        data = value.data
        own = plain(subject, name, data)
        return value if own is data else value.copy(data=own)
    if isinstance(value, (list, tuple)):
        return _of_list(subject, name, value)
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind == "m" or type(getattr(value, "dtype", None)).__name__ == "Duration":
        return _of_spans(subject, name, value)
    if kind in ("O", "U") and getattr(value, "ndim", False):
        return _of_objects(subject, name, value)
    return value


def _is_quantity(value: Any) -> bool:
    return hasattr(value, "magnitude") and hasattr(value, "to")


def _is_span(value: Any) -> bool:
    from datetime import timedelta

    return isinstance(value, timedelta) or type(value).__name__ == "timedelta64"


def _has_unit(value: Any) -> bool:
    return isinstance(value, str) or _is_quantity(value) or _is_span(value)


def _are_texts(subject: Subject, name: str, values: Any) -> bool:
    """True if the parameter has no unit and some of its values are texts."""
    return name not in subject.units and any(isinstance(one, str) for one in values)


def _bracketed(text: str) -> str:
    """Write ``5 us`` as in the language: ``5 [us]``."""
    if " " not in text:
        return text
    import re

    number = r"(?<![\w.])((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    unit = r"((?!mod\b|div\b)[A-Za-zµμ]\w*(?:\s*[/*^]\s*\w+)*)"
    found = re.sub(number + r"\s+" + unit + r"(?=\s*(?:$|[:,)\]]))", _in_brackets, text)
    return str(found)


def _in_brackets(match: Any) -> str:
    return f"{match[1]} [{_ascii(match[2])}]"


def _ascii(unit: str) -> str:
    return unit.replace("µ", "u").replace("μ", "u").replace("**", "^").replace(" ", "")


def _factor(subject: Subject, name: str, unit: str) -> Fraction:
    """Number of units of the parameter in one ``unit``."""
    try:
        return _pamela.in_unit(subject, name, f"1 [{unit}]")
    except PamelaError:
        if name in subject.units:
            raise
        raise PamelaError(f"`{name}` has no unit, and a value in [{unit}] is given") from None


def _exact(name: str, number: Any) -> Fraction:
    from fractions import Fraction

    return Fraction(_pamela.number(name, number))


def _of_quantity(subject: Subject, name: str, value: Any) -> Any:
    """Convert a quantity of pint, or a similar object: one number, or an array."""
    units = getattr(value, "units", "")
    try:
        unit = format(units, "~C")
    except (TypeError, ValueError):
        unit = str(units)
    magnitude = value.magnitude
    if unit:
        try:
            factor = _factor(subject, name, _ascii(unit))
        except PamelaError as error:
            # A unit that only the library of the quantity knows.
            magnitude, factor = _converted(subject, name, value, error), None
    elif name in subject.units:
        raise PamelaError(f"`{name}` is in [{subject.units[name]}], and {value} has no unit")
    else:
        factor = None
    if getattr(magnitude, "ndim", 0):
        return magnitude if factor is None else _scaled(name, magnitude, factor)
    number = _exact(name, magnitude)
    return number if factor is None else number * factor


def _converted(subject: Subject, name: str, value: Any, error: PamelaError) -> Any:
    if name not in subject.units:
        raise PamelaError(f"`{name}` has no unit, and {value} has one") from error
    unit = subject.units[name]
    try:
        return value.to(unit.replace("^", "**")).magnitude
    except Exception as reason:
        raise PamelaError(f"`{name}` is in [{unit}], and {value} cannot be converted: {reason}") from error


def _of_span(subject: Subject, name: str, value: Any) -> Any:
    """Convert a `datetime.timedelta`, or a time span of NumPy or pandas."""
    from fractions import Fraction

    if type(value).__name__ == "timedelta64":
        return float("nan") if value != value else _exact(name, int(value.astype("int64"))) * _span(subject, name, value.dtype)
    if value != value:
        return float("nan")
    # Pandas adds nanoseconds.
    parts = ((value.days, 86_400), (value.seconds, 1), (value.microseconds, Fraction(1, 10**6)))
    rest = Fraction(getattr(value, "nanoseconds", 0), 10**9)
    return (sum(Fraction(count) * size for count, size in parts) + rest) * _factor(subject, name, "s")


def _span(subject: Subject, name: str, dtype: Any) -> Fraction:
    """Number of units of the parameter in one step of a time span type."""
    from fractions import Fraction

    import numpy as np

    unit, count = np.datetime_data(dtype)
    if unit not in _SPANS:
        raise PamelaError(f"`{name}` has time spans of type {dtype}, which are no fixed number of seconds")
    return Fraction(*_SPANS[unit]) * count * _factor(subject, name, "s")


def _of_spans(subject: Subject, name: str, value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    factor = _span(subject, name, array.dtype)
    found = _scaled(name, array.astype("int64"), factor)
    return np.where(np.isnat(array), np.nan, found)


def _of_list(subject: Subject, name: str, value: Any) -> Any:
    if any(isinstance(one, (list, tuple)) for one in value):
        return [_of_list(subject, name, one) if isinstance(one, (list, tuple)) else one for one in value]
    if not any(_has_unit(one) for one in value) or _are_texts(subject, name, value):
        return value
    return [_of_one(subject, name, one) for one in value]


def _of_objects(subject: Subject, name: str, value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    flat = array.reshape(-1)
    if not any(_has_unit(one) for one in flat) or _are_texts(subject, name, flat):
        return value
    found = [_of_one(subject, name, one) for one in flat]
    return np.array(found, dtype=object).reshape(array.shape)


def _of_one(subject: Subject, name: str, value: Any) -> Any:
    """Convert an element of an array; if it has a unit, to the nearest double."""
    if isinstance(value, str):
        try:
            return float(_pamela.in_unit(subject, name, _bracketed(value)))
        except PamelaError as error:
            raise PamelaError(f"`{name}` has {value!r} among its values: {error}") from None
    return float(plain(subject, name, value)) if _has_unit(value) else value


def _scaled(name: str, value: Any, factor: Fraction) -> Any:
    """Multiply an array by an exact factor; each product is rounded once."""
    import numpy as np

    if factor == 1:
        return value
    array = np.asarray(value)
    if array.dtype.kind in "iuf" and max(factor.numerator, factor.denominator) < _WHOLE:
        doubles = array.astype(np.float64)
        is_exact = (np.abs(doubles) * factor.numerator < _WHOLE) & (np.trunc(doubles) == doubles)
        if bool(is_exact.all()):
            return doubles * float(factor.numerator) / float(factor.denominator)
    flat = array.reshape(-1).tolist()
    found = [one if one is None or one != one else float(_exact(name, one) * factor) for one in flat]
    return np.array(found, dtype=np.float64).reshape(array.shape)


def axis_values(subject: Subject, name: str, value: Any) -> Any:
    """Convert to a text, a number, or a list of floats, in the unit of the parameter."""
    if isinstance(value, (int, float)):
        return value
    from ._arrays import doubles, is_one

    value = plain(subject, name, value)
    if is_one(value):
        return value
    array = doubles(name, value)
    if array.ndim != 1:
        raise PamelaError(f"`{name}` is an array of {array.ndim} dimensions: the values of an axis have one")
    if not len(array):
        raise PamelaError(f"`{name}` has no value")
    return array.tolist()
