"""Compiled models: values at points, over arrays and over tables."""

from __future__ import annotations

from . import _pamela
from ._drawing import Drawing
from ._errors import PamelaError
from ._formula import Formula
from ._model_parts import Parameter
from ._options import NONE, Naming, as_conditions, as_quantiles, as_threads, check_options, given_of, joined
from ._units import plain_all
from ._values import Evaluated, Values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from ._results import Optimum
    from ._stream import Stream
    from ._sweep import Sweep

__all__ = ["Compiled"]

_NUMBERS = (float, int)
_SCALARS = (float, int, str)


class Compiled(Drawing):
    """The closed forms of a model, with everything needed to evaluate them.

    Objects can be pickled, and threads may share one.

    >>> import pamelaplus as pamela
    >>> fast = pamela.Model("numeric parameter n : integer\\nnumeric T = sum (i = 1, n) { i }").compile()
    >>> fast.at(n=100)["T"]
    5050.0
    >>> fast(n=[1, 2, 3])["T"]
    array([1., 3., 6.])
    """

    __slots__ = ("_compiled", "__weakref__")

    def __init__(self, inner: _pamela.Compiled) -> None:
        self._compiled = inner

    def _own(self) -> Compiled:
        return self

    @classmethod
    def loads(cls, data: bytes, *, name: str = "the bytes") -> Compiled:
        """Read the bytes of :meth:`dumps`, or a file of ``pamela simplify --emit compiled``.

        Parameters
        ----------
        data
            The bytes.
        name
            What messages call them.

        >>> import pamelaplus as pamela
        >>> pamela.Compiled.loads(b"nothing")
        Traceback (most recent call last):
            ...
        pamelaplus.PamelaError: error: cannot read `the bytes`: it is not a compiled model: ...
        """
        return cls(_pamela.Compiled.loads(name, data))

    def dumps(self) -> bytes:
        """Return a few thousand bytes that :meth:`loads` reads.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric T = 1").compile()
        >>> pamela.Compiled.loads(fast.dumps()).at()["T"]
        1.0
        """
        return self._compiled.dumps()

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, in the order of the model.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter n\\nnumeric T = n").compile().parameters
        [Parameter('n')]
        """
        return [
            Parameter(name, law, whole, default, (), comment, unit)
            for name, law, whole, default, comment, unit in self._compiled.parameters
        ]

    @property
    def units(self) -> dict[str, str]:
        """The units of the parameters and equations that have one.

        Values are given and returned in these units: the declared ones, or else base units.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter t : [us]\\nnumeric twice = 2 * t").compile().units
        {'t': 'us', 'twice': 's'}
        """
        return self._compiled.units

    @property
    def equations(self) -> list[str]:
        """The names of the equations, in the order of the model.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric a = 1\\nnumeric b = 2").compile().equations
        ['a', 'b']
        """
        return [formula.name for formula in self._compiled.formulas]

    @property
    def formulas(self) -> dict[str, Formula]:
        """The closed forms by name.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric a = 1\\nnumeric b = 2").compile().formulas["b"]
        b = 2
        """
        return {formula.name: Formula(formula) for formula in self._compiled.formulas}

    def only(self, *names: str) -> Compiled:
        """Keep only these equations.

        Parameters
        ----------
        *names
            Names of equations.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric a = 1\\nnumeric b = 2").compile().only("b").equations
        ['b']
        """
        return Compiled(self._compiled.only(list(names)))

    def emit(self, language: str) -> str:
        """Emit functions of all equations in another ``language``, like ``pamela simplify --emit``.

        >>> import pamelaplus as pamela
        >>> "double T(double n)" in pamela.Model("numeric parameter n\\nnumeric T = n").compile().emit("c")
        True
        """
        return self._compiled.emit(language)[0]

    def at(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Evaluated:
        """Evaluate all equations at one point, exactly.

        A float stands for the decimal that it prints as; other numbers are exact. Numbers are in the units of
        the parameters, see :attr:`units`. Texts such as ``"5 us"``, quantities of pint and time spans are
        converted.

        Uses closed forms where their conditions hold, and the definition of the model elsewhere.

        Parameters
        ----------
        values, **named
            For each parameter a number, a ``Fraction``, a ``Decimal``, a text, or a quantity with a unit; parameters with
            defaults may be left out.

        >>> import pamelaplus as pamela
        >>> from fractions import Fraction
        >>> fast = pamela.Model("numeric parameter t\\nnumeric T = 3 * t").compile()
        >>> fast.at(t=0.1).exact["T"], fast.at(t=Fraction(1, 7)).exact["T"]
        (Fraction(3, 10), Fraction(3, 7))
        """
        given = plain_all(self._compiled, named if values is None else joined(values, named))
        return Evaluated(self._compiled.at(given), (self._compiled, given, False))

    def __call__(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        quantiles: Sequence[float] | float = NONE,
        exact: bool = True,
        **arrays: Any,
    ) -> Values:
        """Evaluate all equations over arrays of any numeric type and layout, with broadcasting.

        Each value equals that of :meth:`at`, bit for bit. Missing values are NaN; :attr:`Values.notes` gives
        the reasons. A law has ``T_mean``, ``T_sd``, ``T_skewness``, ``T_kurtosis``, and the requested
        quantiles, such as ``T_q0.99``.

        Parameters
        ----------
        values, **arrays
            For each parameter a number, a text, a quantity, or an array of them. Arrays of xarray are matched by
            dimension.
        quantiles
            Probabilities of quantiles of laws.
        exact
            False for plain doubles with the rounding of NumPy, 10 times as fast for random doubles. Points outside the
            conditions of a closed form are still computed exactly. For equations that are numbers.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a / b").compile()
        >>> fast(a=[[1], [2]], b=[1, 10])["T"]
        array([[1. , 0.1],
               [2. , 0.2]])
        >>> fast(a=1, b=[1, 0]).notes
        [(1, 'division by zero')]
        """
        if exact and quantiles is NONE and values is None:
            found = self._compiled.numbers(arrays)
            if found is not None:
                return Values(found, [], (), arrays)
        if values is not None or quantiles is not NONE:
            arrays = given_of(self.parameters, values, arrays, quantiles=quantiles is not NONE)
        if not exact:
            arrays = given_of(self.parameters, values, arrays, exact=True)
        for value in arrays.values():
            if type(value) not in _NUMBERS:
                arrays = plain_all(self._compiled, arrays)
                break
        if quantiles is NONE and exact:
            for value in arrays.values():
                if type(value) not in _SCALARS and type(value).__name__ != "Fraction":
                    break
            else:
                return Values(*self._compiled.point(arrays), (), arrays)
        return self._over(arrays, quantiles, exact)

    def _over(self, arrays: dict[str, Any], quantiles: Sequence[float] | float, exact: bool) -> Values:
        import numpy as np

        from ._arrays import columns

        given, shape, like = columns(arrays)
        length = int(np.prod(shape))
        if exact:
            found, notes = self._compiled.fill(given, length, as_quantiles(quantiles))
        else:
            from ._plain import filled

            found, notes = filled(self, given, length)
        if not shape:
            # Numbers of NumPy give numbers of NumPy, and those of other types floats.
            of_numpy = any(isinstance(value, (np.generic, np.ndarray)) for value in arrays.values())
            single: dict[str, Any] = {name: array[0] if of_numpy else float(array[0]) for name, array in found.items()}
            return Values(single, notes, shape, given, like)
        if len(shape) != 1:
            found = {name: array.reshape(shape) for name, array in found.items()}
        return Values(found, notes, shape, given, like)

    def map(
        self,
        table: Any,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        quantiles: Sequence[float] | float = NONE,
        **constants: Any,
    ) -> Stream:
        """Add value columns to a table.

        The table is any object with an Arrow interface (PyArrow, Polars, pandas 3, DuckDB, DataFusion). So is
        the result, which is computed while it is read. Columns named after parameters are used; all columns
        are passed through. If a parameter is missing, its values are missing too.

        Parameters
        ----------
        table
            The table.
        values, **constants
            Values of parameters that are no columns.
        quantiles
            Probabilities of quantiles of laws.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> table = pyarrow.table({"n": [1, None, 3], "who": ["a", "b", "c"]})
        >>> pyarrow.table(fast.map(table))["T"].to_pylist()
        [2.0, None, 6.0]
        """
        given = given_of(self.parameters, values, constants, quantiles=quantiles is not NONE)
        from ._frames import exportable

        given = plain_all(self._compiled, given)
        from ._stream import Stream

        return Stream(_pamela.Stream(self._compiled, exportable(table), given, as_quantiles(quantiles)))

    def add_to(self, frame: Any, /, **constants: Any) -> Any:
        """Add value columns to a frame of PyArrow, Polars or pandas; return a frame of the same kind.

        Parameters
        ----------
        frame
            The frame; its columns named after parameters are used.
        **constants
            Values of parameters that are no columns.

        >>> import pamelaplus as pamela, pandas
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.add_to(pandas.DataFrame({"n": [1, 2]}))
           n    T
        0  1  2.0
        1  2  4.0
        """
        from ._frames import add_to

        return add_to(self, frame, constants)

    def table(self, table: Any, /) -> Any:
        """Add value columns to a PyArrow table; use it as the function of Ray Data's ``map_batches``.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.table(pyarrow.table({"n": [4]}))["T"].to_pylist()
        [8.0]
        """
        return self.map(table).to_pyarrow()

    def batches(self, batches: Iterable[Any], /) -> Iterator[Any]:
        """Add value columns to PyArrow record batches; use it as the function of Spark's ``mapInArrow``.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> [batch["T"].to_pylist() for batch in fast.batches(pyarrow.table({"n": [1, 2]}).to_batches())]
        [[2.0, 4.0]]
        """
        for batch in batches:
            yield from self.table(batch).to_batches()

    def sweep(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        *,
        where: str | Sequence[str] = NONE,
        zip: bool | Sequence[Sequence[str]] = False,
        quantiles: Sequence[float] | float = NONE,
        regimes: bool = False,
        threads: int = 0,
        **named: Any,
    ) -> Sweep:
        """Describe a table over a grid; nothing is computed yet.

        Values are numbers, lists, arrays, or texts such as ``"1:64"``, ``"2^(0:10)"`` or ``"log(1, 1e6,
        25)"``. The last parameter varies fastest. With ``zip=True`` all lists vary together; with groups of
        names, the lists of each group do. Put a parameter that has the name of an option, such as
        ``threads``, into a dict: ``sweep({"threads": "1:64"})``.

        Parameters
        ----------
        values, **named
            For each parameter its values.
        where
            Conditions on parameters and values: other points are left out.
        zip
            Whether lists vary together.
        quantiles
            Probabilities of quantiles of laws.
        regimes
            Add a column with the regime of each point.
        threads
            Number of threads; as many as the machine has without it.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a * b").compile()
        >>> grid = fast.sweep(a="1:3", b=[1, 10])
        >>> len(grid), grid.columns
        (6, ['a', 'b', 'T', 'note'])
        >>> grid.to_numpy()["T"]
        array([ 1., 10.,  2., 20.,  3., 30.])
        """
        from ._sweep import Sweep

        options = {"where": where is not NONE, "zip": zip is not False, "quantiles": quantiles is not NONE}
        options |= {"regimes": regimes is not False, "threads": threads != 0}
        given = given_of(self.parameters, values, named, **options)
        asked = (as_conditions(where), as_quantiles(quantiles), regimes, as_threads(threads))
        with Naming(given, self._names(), ("where", "zip", "quantiles", "regimes", "threads")):
            return Sweep._of(self, given, zip, *asked)

    def optimise(
        self,
        /,
        *,
        over: Mapping[str, Any],
        minimise: str | None = None,
        maximise: str | None = None,
        minimize: str | None = None,
        maximize: str | None = None,
        subject_to: str | Sequence[str] = NONE,
        threads: int = 0,
        **values: Any,
    ) -> Optimum:
        """Find the parameters at which an equation is least or greatest; for a law, its mean.

        Two ends such as ``"0.1:10"`` mean an interval, unless the parameter is a whole number. A step, as in
        ``"0.1:0.1:10"``, gives single points. :meth:`optimize` is the same.

        Parameters
        ----------
        over
            The parameters to choose, with values as in :meth:`sweep`.
        minimise, maximise
            Name of the equation; ``minimize`` and ``maximize`` are the same.
        subject_to
            Conditions that must hold.
        threads
            Number of threads; as many as the machine has without it.
        **values
            The other parameters.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter P\\nnumeric parameter N\\nnumeric T = N / P + P").compile()
        >>> fast.optimise(over={"P": "1:64"}, minimise="T", subject_to="P >= 12", N=100).at
        {'P': 12.0}
        """
        from ._results import Optimum
        from ._units import axis_values

        least, greatest = minimise or minimize, maximise or maximize
        if (least is None) == (greatest is None):
            raise PamelaError("either minimise=.. or maximise=.. names the equation")
        check_options(self.parameters, {**over, **values}, subject_to=subject_to is not NONE, threads=threads != 0)
        conditions = as_conditions(subject_to)
        objective = least or greatest or ""
        options = ("over", "minimise", "maximise", "subject_to", "threads")
        with Naming({**over, **values}, self._names(), options):
            given = [(name, axis_values(self._compiled, name, value)) for name, value in [*over.items(), *values.items()]]
            asked = (given, objective, greatest is not None, conditions, as_threads(threads))
            return Optimum(*_pamela.optimum(self._compiled, *asked))

    optimize = optimise

    def _repr_html_(self) -> str:
        from ._display import equations_html

        shown = self._compiled.shown
        return equations_html([formula for formula in self._compiled.formulas if formula.name in shown])

    def __reduce__(self) -> tuple[Any, ...]:
        return (_loads, (self.dumps(),))

    def __copy__(self) -> Compiled:
        return self

    def __deepcopy__(self, memo: Any) -> Compiled:
        return self

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Compiled) and self.dumps() == other.dumps())

    def __hash__(self) -> int:
        return hash(self.dumps())

    def __repr__(self) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"<Compiled {', '.join(self.equations)} of {names or 'no parameters'}>"


def _loads(data: bytes) -> Compiled:
    return Compiled.loads(data)


Compiled.__module__ = "pamelaplus"
