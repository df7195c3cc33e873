"""Values at a point, and over arrays."""

from __future__ import annotations

from _collections_abc import Mapping  # what `collections.abc` is, without importing `collections`

from . import _pamela
from ._same import Constant, Same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np

    from ._errors import PamelaError
    from ._table import Table

__all__ = ["Evaluated", "Values"]


def _no_key(kind: str, name: object, known: Any) -> KeyError:
    # Imported for an error only.
    from ._options import no_key

    return no_key(kind, name, known)


class _Facts(Mapping[str, "Any"]):
    """One property of each equation, computed when it is read."""

    __slots__ = ("_names", "_of")

    def __init__(self, names: Sequence[str], of: Any) -> None:
        self._names = names
        self._of = of

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise _no_key("equation", name, self._names)
        return self._of(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Evaluated(Constant, Mapping[str, "Any"]):
    """The values at one point, by the names of the equations.

    A number is a float, a random time a :class:`Law`, a vector its components. Text and HTML leave out the estimate
    ``T_L`` of a process ``L`` whose exact time ``time_L`` is known; it is still a key.

    >>> import pamelaplus as pamela
    >>> found = pamela.Model("numeric parameter n : integer\\nnumeric T = sum (i = 1, n) { 2 }").compile().at(n=-1)
    >>> found["T"], found.method["T"], found.conditions
    (0.0, 'definition', [('n >= 0', False)])
    """

    __slots__ = ("_found", "_origin")

    def __init__(self, inner: _pamela.Evaluated, origin: tuple[_pamela.Compiled, dict[str, Any], bool]) -> None:
        self._found = inner
        # The compiled forms, the values, and whether evaluation was thorough: a pickle evaluates again.
        self._origin = origin

    def __getitem__(self, name: str) -> Any:
        value = self._found.value(name)
        if value is None:
            known = [formula.name for formula in self._origin[0].formulas]
            if name not in known:
                raise _no_key("equation", name, known)
            raise KeyError(self._reason(name))
        if type(value) is not _pamela.Law:
            return value
        from ._law import Law

        return Law(value, (self, name))

    def _reason(self, name: str) -> str:
        if name in self._found.unfinished:
            return f"{name}: it takes too many steps"
        messages = [failure.diagnostics[0].message for failure in self._found.failures]
        return "; ".join([f"{name} has no value here", *messages])

    def __iter__(self) -> Iterator[str]:
        return iter(self._found.names)

    def __len__(self) -> int:
        return len(self._found.names)

    @property
    def exact(self) -> Mapping[str, Any]:
        """The exact values as ``Fraction``; ``None`` if a value is not an exact number."""
        return _Facts(self._found.names, self._found.exact)

    @property
    def method(self) -> Mapping[str, str]:
        """How each value was computed: ``closed`` form, ``definition`` of the model, or ``run``."""
        return _Facts(self._found.names, self._found.method)

    @property
    def standing(self) -> Mapping[str, str]:
        """How each value relates to the time of a run, in the words of JSON: see :attr:`Formula.standing`."""
        return _Facts(self._found.names, self._found.standing)

    @property
    def notes(self) -> Mapping[str, list[str]]:
        """Approximations in each value, such as a bound or a fitted family."""
        return _Facts(self._found.names, self._found.notes)

    @property
    def conditions(self) -> list[tuple[str, bool | None]]:
        """Each condition of the closed forms once, with its truth at the point; ``None`` if undecided."""
        return self._found.conditions

    @property
    def failures(self) -> list[PamelaError]:
        """Errors of the equations that have no value at the point."""
        return self._found.failures

    @property
    def unfinished(self) -> list[str]:
        """The equations that exceed the limit of steps or digits."""
        return self._found.unfinished

    def _key(self) -> Any:
        values = [(name, self.exact[name], self[name]) for name in self if self._found.value(name) is not None]
        return [(name, exact, value._key() if hasattr(value, "_key") else value) for name, exact, value in values]

    def __reduce__(self) -> tuple[Any, ...]:
        compiled, values, thorough = self._origin
        return (_evaluated_again, (compiled.dumps(), values, thorough))

    def __repr__(self) -> str:
        shown = {name: self[name] for name in self._found.shown}
        return f"Evaluated({shown!r})"

    def _repr_html_(self) -> str:
        from ._display import table_html

        rows = ((name, self[name], self.method[name], "; ".join(self.notes[name])) for name in self._found.shown)
        return table_html(["", "value", "by", "notes"], rows)


def _evaluated_again(data: bytes, values: dict[str, Any], thorough: bool) -> Evaluated:
    compiled = _pamela.Compiled.loads("a pickle", data)
    return Evaluated(compiled.at(values, thorough=thorough), (compiled, values, thorough))


class Values(Same, Mapping[str, "np.ndarray[Any, Any]"]):
    """The values of equations over arrays, all of one shape.

    They are plain floats if all parameters are numbers, and xarray arrays if some parameters are.

    >>> import pamelaplus as pamela
    >>> values = pamela.Model("numeric parameter n\\nnumeric T = 1 / n").compile()(n=[1, 2, 4])
    >>> dict(values)
    {'T': array([1.  , 0.5 , 0.25])}
    """

    __slots__ = ("_arrays", "_given", "_like", "_notes", "_shape")

    def __init__(
        self,
        arrays: dict[str, Any],
        notes: list[tuple[int, str]],
        shape: tuple[int, ...],
        given: dict[str, Any],
        like: Any = None,
    ) -> None:
        self._arrays = arrays
        self._notes = notes
        self._shape = shape
        # The parameters: numbers, and columns of the flat shape.
        self._given = given
        # An xarray array with the dimensions and coordinates of the values.
        self._like = like

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        array = self._arrays.get(name)
        if array is None:
            raise _no_key("value", name, self._arrays)
        return array if self._like is None else self._like.copy(data=array).rename(name)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self._shape

    @property
    def dims(self) -> tuple[str, ...] | None:
        """Names of the dimensions if parameters were xarray arrays, else ``None``."""
        return None if self._like is None else tuple(str(dim) for dim in self._like.dims)

    @property
    def notes(self) -> list[tuple[Any, str]]:
        """Notes about single points, each with its index.

        A note says why a value is missing, or that the definition was used.
        """
        if len(self._shape) < 2:
            return list(self._notes)
        import numpy as np

        places = ((np.unravel_index(place, self._shape), note) for place, note in self._notes)
        return [(tuple(int(k) for k in place), note) for place, note in places]

    @property
    def columns(self) -> Table:
        """Parameters, values and notes as columns, with a row for each point.

        >>> import pamelaplus as pamela
        >>> values = pamela.Model("numeric parameter n\\nnumeric T = 1 / n").compile()(n=[1, 0])
        >>> list(values.columns), list(values.columns["note"])
        (['n', 'T', 'note'], [None, 'division by zero'])
        """
        import numpy as np

        from ._table import Table

        length = int(np.prod(self._shape))
        notes = np.full(length, None, dtype=object)
        for place, note in self._notes:
            notes[place] = note
        all_ = {**self._given, **self._arrays}
        found = {name: np.broadcast_to(np.asarray(value).reshape(-1), (length,)) for name, value in all_.items()}
        return Table({**found, "note": notes})

    def to_pandas(self) -> Any:
        """Return a pandas frame of parameters, values and notes.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()(n=[1, 2]).to_pandas()["T"].tolist()
        [2.0, 4.0]
        """
        return self.columns.to_pandas()

    def to_polars(self) -> Any:
        """Return a Polars frame of parameters, values and notes.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()(n=[1, 2]).to_polars()["T"].to_list()
        [2.0, 4.0]
        """
        return self.columns.to_polars()

    def to_xarray(self) -> Any:
        """Return an xarray dataset of the values.

        >>> import pamelaplus as pamela, xarray
        >>> fast = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a * b").compile()
        >>> a = xarray.DataArray([1, 2], dims="x", coords={"x": [10, 20]})
        >>> fast(a=a, b=xarray.DataArray([1, 3], dims="y")).to_xarray()["T"].sel(x=20).values
        array([2., 6.])
        """
        import xarray

        if self._like is not None:
            return xarray.Dataset({name: self[name] for name in self})
        dims = [f"dim_{k}" for k in range(len(self._shape))]
        return xarray.Dataset({name: (dims, array) for name, array in self._arrays.items()})

    def _key(self) -> Any:
        arrays = {name: getattr(array, "tolist", lambda array=array: array)() for name, array in self._arrays.items()}
        return (arrays, self._notes, self._shape, self.dims)

    def _repr_html_(self) -> str:
        return self.columns._repr_html_()

    def __repr__(self) -> str:
        return f"Values({self._arrays!r})"


for _class in (Evaluated, Values):
    _class.__module__ = "pamelaplus"
del _class
