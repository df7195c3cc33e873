"""Convert arrays of any kind to columns of doubles."""

from __future__ import annotations

import numpy as np

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Doubles = np.ndarray[Any, np.dtype[np.float64]]

# Doubles hold all whole numbers up to this one.
WHOLE = 2**53


def is_one(value: Any) -> bool:
    """True for a single number, or a text with one, but not for an array."""
    if isinstance(value, str) or getattr(value, "ndim", None) == 0:
        return True
    return not hasattr(value, "__len__") and not hasattr(value, "__array__")


def doubles(name: str, value: Any) -> Doubles:
    """Convert something like an array to doubles; missing values become NaN.

    A number that no double holds is an error.
    """
    if isinstance(value, np.ma.MaskedArray):
        # Masked values are ignored.
        return np.where(np.ma.getmaskarray(value), np.nan, doubles(name, value.filled(0)))
    try:
        array = np.asarray(value)
        if array.dtype.kind == "f" and _may_have_been_whole(value, array):
            array = np.array(_listed(value), dtype=object)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # Polars panics if it has no array for a type; a panic is not an `Exception`.
        raise PamelaError(f"`{name}` is no array of numbers: {error}") from None
    if array.ndim == 0:
        raise PamelaError(f"`{name}` is of type {type(value).__name__}: a number, or an array of numbers, is expected")
    kind = array.dtype.kind
    if kind == "O":
        flat = array.reshape(-1)
        return np.array([_double(name, place, flat[place]) for place in range(flat.size)], dtype=np.float64).reshape(array.shape)
    if kind not in "biuf":
        raise PamelaError(f"`{name}` is an array of {array.dtype}: numbers are expected")
    if kind in "iu" and array.dtype.itemsize == 8 and array.size:
        large = (array > WHOLE) | (array < -WHOLE) if kind == "i" else array > WHOLE
        if large.any():
            raise _too_large(name, int(np.argmax(large.reshape(-1))))
    return array.astype(np.float64, copy=False)


def columns(given: dict[str, Any]) -> tuple[dict[str, Any], tuple[int, ...], Any]:
    """Convert to columns of doubles of equal length; single numbers stay as they are.

    Also return the shape after broadcasting, and an xarray array of this shape if some parameters are such arrays.
    """
    given, like = _by_dimension(given)
    ones = {name: value for name, value in given.items() if is_one(value)}
    found: dict[str, Any] = {
        name: value.item() if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" else value
        for name, value in ones.items()
    }
    arrays = {name: doubles(name, value) for name, value in given.items() if name not in found}
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"`{name}` {array.shape}" for name, array in arrays.items())
        raise PamelaError(f"the arrays cannot be broadcast to one shape: {shapes}") from None
    for name, array in arrays.items():
        full = np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)
        # Native byte order, aligned for doubles.
        found[name] = np.require(full, np.dtype("=f8"), ["C", "ALIGNED"])
    return found, shape, like


def _by_dimension(given: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Align xarray arrays by the names of their dimensions and expand them to all dimensions."""
    named = {name: value for name, value in given.items() if hasattr(value, "dims") and hasattr(value, "coords") and value.ndim}
    if not named:
        return given, None
    for name, value in given.items():
        if name not in named and not is_one(value):
            raise PamelaError(
                f"`{name}` is an array without names of its dimensions, beside `{next(iter(named))}` that has them: "
                "give all arrays as xarray.DataArray"
            )
    import xarray

    try:
        aligned = xarray.broadcast(*xarray.align(*named.values(), join="exact"))
    except ValueError as error:
        raise PamelaError(f"the arrays `{'`, `'.join(named)}` have other coordinates along one dimension: {error}") from None
    arrays = {name: array.data for name, array in zip(named, aligned, strict=True)}
    return {**given, **arrays}, aligned[0].drop_attrs() if hasattr(aligned[0], "drop_attrs") else aligned[0]


def _may_have_been_whole(value: Any, array: np.ndarray[Any, Any]) -> bool:
    """True if a large whole number may have lost digits on its way to an array.

    This happens to lists that contain floats, and to columns with missing values.
    """
    return not isinstance(getattr(value, "dtype", None), np.dtype) and bool((np.abs(array) > WHOLE).any())


def _listed(value: Any) -> Any:
    """Return the objects of a series; a list is returned as it is."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(value, method):
            return getattr(value, method)()
    return value


def _double(name: str, place: int, value: Any) -> float:
    """Convert a Python object to a double; a missing value becomes NaN."""
    from decimal import Decimal
    from fractions import Fraction

    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        value = value.item()
    if value is None or type(value).__name__ == "NAType":
        return float("nan")
    if isinstance(value, int) and abs(value) > WHOLE:
        raise _too_large(name, place)
    if isinstance(value, (int, float, np.floating)):
        return float(value)
    if not isinstance(value, (Decimal, Fraction)):
        raise PamelaError(f"`{name}` has a {type(value).__name__} at place {place}: numbers are expected")
    number = float(value)
    if np.isfinite(number) and Fraction(repr(number)) != value:
        raise PamelaError(f"`{name}` has {value} at place {place}, which no double is: float(..) rounds it")
    return number


def _too_large(name: str, place: int) -> PamelaError:
    return PamelaError(f"`{name}` has a whole number above 2^53 at place {place}, which no double is: float(..) rounds it")
