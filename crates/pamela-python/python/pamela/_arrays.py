"""Arrays of any kind as columns of doubles."""

from __future__ import annotations

import numpy as np

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Larger whole numbers are no doubles.
WHOLE = 2**53


def doubles(name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The same numbers as doubles; whole numbers that are none are an error."""
    if array.dtype.kind not in "biuf":
        raise PamelaError(f"`{name}` is an array of {array.dtype}: numbers are expected")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        large = (array > WHOLE) | (array < -WHOLE) if array.dtype.kind == "i" else array > WHOLE
        if large.any():
            place = int(np.argmax(large.reshape(-1)))
            raise PamelaError(f"`{name}` has a whole number above 2^53 at place {place}, which no double is")
    return array.astype(np.float64, copy=False)


def columns(given: dict[str, Any]) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Columns of doubles of one length, and what is one number as it is; the shape that all are broadcast to."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    numbers: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, np.ma.MaskedArray):
            value = np.ma.filled(value.astype(np.float64), np.nan)
        array = np.asarray(value)
        if array.ndim == 0:
            # A number of NumPy is what it holds; others, such as fractions, are kept exactly.
            numbers[name] = array.item() if isinstance(value, (np.generic, np.ndarray)) else value
        elif array.dtype.kind == "O":
            arrays[name] = _of_objects(name, array)
        else:
            arrays[name] = doubles(name, array)
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"`{name}` {array.shape}" for name, array in arrays.items())
        raise PamelaError(f"the arrays cannot be broadcast to one shape: {shapes}") from None
    found: dict[str, Any] = dict(numbers)
    for name, array in arrays.items():
        full = np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)
        # Bytes in the order of the machine, at places that doubles may have.
        found[name] = np.require(full, np.dtype("=f8"), ["C", "ALIGNED"])
    return found, shape


def _of_objects(name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Whole numbers of Python, and nothing or floats: others would lose what they hold."""
    for place, value in enumerate(array.reshape(-1)):
        if value is not None and not isinstance(value, (int, float, np.integer, np.floating)):
            kind = type(value).__name__
            raise PamelaError(f"`{name}` has a {kind} at place {place}: arrays hold floats and whole numbers")
        if isinstance(value, (int, np.integer)) and abs(int(value)) > WHOLE:
            raise PamelaError(f"`{name}` has a whole number above 2^53 at place {place}, which no double is")
    return array.astype(np.float64)
