"""Laws of random times."""

from __future__ import annotations

from . import _pamela
from ._errors import PamelaError
from ._same import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._picture import Picture

__all__ = ["Law"]

#: Probabilities of the quantiles that equal laws have in common.
_PLACES = (0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999)


class Law(Constant):
    """The law of a random time, with the method names of ``scipy.stats``.

    Methods take numbers or arrays of any shape, and are accurate in both tails. Sums, products with numbers and
    :meth:`max` are laws again; each operand is an independent copy. A law is a value for :meth:`Model.define`.

    >>> import pamelaplus as pamela
    >>> law = pamela.law.exponential(2)
    >>> law.mean(), law.ppf(0.5)
    (2.0, 1.3862943611198906)
    >>> (2 * law + 1).mean(), (law + law).var()
    (5.0, 8.0)
    >>> found = pamela.Model("process main = delay(exponential(2))").compile().at()["time_main"]
    >>> found.cdf([0, 2])
    array([0.        , 0.63212056])
    """

    __slots__ = ("_law", "_origin")

    def __init__(self, inner: _pamela.Law, origin: Any) -> None:
        self._law = inner
        # A text of the language, or values at a point and the name of one of them.
        self._origin = origin

    @classmethod
    def from_text(cls, text: str) -> Law:
        """Return the law of an expression of the language.

        Parameters
        ----------
        text
            An expression without parameters, such as ``"max(exponential(2), uniform(0, 1))"``.

        >>> import pamelaplus as pamela
        >>> pamela.Law.from_text("max(exponential(1), exponential(1))").mean()
        1.5
        """
        compiled = _pamela.Model(f"numeric value = {text}", "the law").compile({"moments": 0})
        found = compiled.at({}, thorough=True).value("value")
        if found is None:
            raise PamelaError(f"`{text}` has no value")
        if type(found) is not _pamela.Law:
            raise PamelaError(f"`{text}` is no law: it is {found!r}")
        return cls(found, text)

    @property
    def text(self) -> str:
        """The law as an expression of the language, in the unit of its numbers.

        Raises an error if the law was not computed from a closed form.

        >>> import pamelaplus as pamela
        >>> (pamela.law.exponential(2) + 1).text
        '(exponential(2)) + (1)'
        """
        if isinstance(self._origin, str):
            return self._origin
        evaluated, name = self._origin
        text: str | None = evaluated._found.text(name)
        if text is None:
            raise PamelaError(
                f"the law of `{name}` has no expression, since it comes from no closed form; samples stand for it: law.rvs(1000)"
            )
        return text

    def _map(self, function: Callable[[Any], Any], values: Any) -> Any:
        import numpy as np

        from ._arrays import doubles, is_one

        # A number is an array with one element.
        array = doubles("the argument", [values] if is_one(values) else values)
        found = function(np.ascontiguousarray(array).reshape(-1)).reshape(array.shape)
        return float(found[0]) if is_one(values) else found

    def mean(self) -> float:
        """The mean; NaN if it does not exist.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 6).mean()
        3.0
        """
        return self._law.moments[0]

    def median(self) -> float:
        """The median: half of the values are at most this.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 6).median()
        3.0
        """
        return float(self.ppf(0.5))

    def var(self) -> float:
        """The variance; NaN if it does not exist.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 6).var()
        3.0
        """
        return self._law.moments[1]

    def std(self) -> float:
        """The standard deviation; NaN if it does not exist.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(2).std()
        2.0
        """
        return float(self.var() ** 0.5)

    def skewness(self) -> float:
        """The skewness; NaN if it does not exist.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(2).skewness()
        2.0
        """
        return self._law.moments[2]

    def kurtosis(self) -> float:
        """The kurtosis, which is 3 for a normal law; NaN if it does not exist.

        Tables and :func:`pamelaplus.law.moments` use the same definition.

        >>> import pamelaplus as pamela
        >>> law = pamela.law.exponential(1)
        >>> law.kurtosis(), law.excess_kurtosis()
        (9.0, 6.0)
        """
        return self._law.moments[3]

    def excess_kurtosis(self) -> float:
        """The kurtosis minus 3, which is 0 for a normal law; ``scipy.stats`` calls it kurtosis.

        >>> import pamelaplus as pamela
        >>> pamela.law.normal(0, 1).excess_kurtosis()
        0.0
        """
        return self.kurtosis() - 3

    def stats(self, moments: str = "mv") -> tuple[float, ...]:
        """Return moments, like ``scipy.stats``.

        Parameters
        ----------
        moments
            Letters: ``m`` mean, ``v`` variance, ``s`` skewness, ``k`` excess kurtosis.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(2).stats("mvsk")
        (2.0, 4.0, 2.0, 6.0)
        """
        known = {"m": self.mean, "v": self.var, "s": self.skewness, "k": self.excess_kurtosis}
        for letter in moments:
            if letter not in known:
                raise PamelaError(f"`moments` has the letter {letter!r}: m, v, s and k are expected")
        return tuple(known[letter]() for letter in moments)

    def moment(self, order: int) -> float:
        """The raw moment of an order from 1 to 4.

        Parameters
        ----------
        order
            1 for the mean, up to 4.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).moment(3)
        6.0
        """
        if order not in (1, 2, 3, 4):
            raise PamelaError(f"moments of the orders 1 to 4 are known, and {order} was asked for")
        return self._law.raw_moments[int(order) - 1]

    def support(self) -> tuple[float, float]:
        """The smallest interval known to contain all values.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).support()
        (0.0, inf)
        """
        return self._law.support

    @property
    def is_discrete(self) -> bool:
        """True if single values have all the probability: :meth:`pmf` is then of use, and :meth:`pdf` is not."""
        return self._law.is_discrete

    @property
    def method(self) -> str | None:
        """How quantiles are computed: ``exact``, ``grid``, ``simulation``, or the fitted family."""
        return self._law.method

    @property
    def approximations(self) -> list[str]:
        """Approximations in the shape of the law."""
        return self._law.approximations

    def cdf(self, x: Any) -> Any:
        """Probability of a value of at most ``x``, a number or an array.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 4).cdf([1, 2])
        array([0.25, 0.5 ])
        """
        return self._map(self._law.cdf, x)

    def sf(self, x: Any) -> Any:
        """Probability of a value above ``x``, accurate if it is small.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).sf(100)
        3.720075976020836e-44
        """
        return self._map(self._law.sf, x)

    def logcdf(self, x: Any) -> Any:
        """Logarithm of :meth:`cdf` at ``x``.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 4).logcdf(1)
        -1.3862943611198906
        """
        return self._map(self._law.logcdf, x)

    def logsf(self, x: Any) -> Any:
        """Logarithm of :meth:`sf` at ``x``.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).logsf(100)
        -100.0
        """
        return self._map(self._law.logsf, x)

    def pdf(self, x: Any) -> Any:
        """Density at ``x``; NaN if the law has no closed form of it.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 4).pdf([1, 5])
        array([0.25, 0.  ])
        """
        return self._map(self._law.pdf, x)

    def logpdf(self, x: Any) -> Any:
        """Logarithm of :meth:`pdf`, also where the density of a law of the language underflows.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).logpdf(2000)
        -2000.0
        """
        return self._map(self._law.logpdf, x)

    def pmf(self, x: Any) -> Any:
        """Probability of the value ``x`` itself, which is 0 for a continuous law.

        >>> import pamelaplus as pamela
        >>> pamela.law.binomial(2, 0.5).pmf([0, 1, 1.5])
        array([0.25, 0.5 , 0.  ])
        """
        return self._map(self._law.pmf, x)

    def ppf(self, p: Any) -> Any:
        """Quantile: the smallest value with :meth:`cdf` of at least ``p``, a number or an array.

        >>> import pamelaplus as pamela
        >>> pamela.law.uniform(0, 4).ppf(0.25)
        1.0
        """
        return self._map(self._law.ppf, p)

    def isf(self, q: Any) -> Any:
        """Upper quantile, the inverse of :meth:`sf`; accurate if ``q`` is small.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).isf(1e-100)
        230.25850929940458
        """
        return self._map(self._law.isf, q)

    quantile = ppf

    def interval(self, confidence: Any) -> tuple[Any, Any]:
        """The interval between two quantiles, with equal probability outside on both sides.

        Parameters
        ----------
        confidence
            The probability of the interval, a number or an array.

        >>> import pamelaplus as pamela
        >>> [round(end, 3) for end in pamela.law.uniform(0, 1).interval(0.9)]
        [0.05, 0.95]
        """
        import numpy as np

        rest = (1 - np.asarray(confidence, dtype=np.float64)) / 2
        return self.ppf(rest), self.isf(rest)

    def rvs(self, size: int | tuple[int, ...] | None = None, random_state: Any = None) -> Any:
        """Draw samples.

        Parameters
        ----------
        size
            Shape of the array of samples; one sample without it.
        random_state
            A seed or a NumPy generator.

        >>> import pamelaplus as pamela
        >>> bool(pamela.law.deterministic(3).rvs(2, random_state=1).sum() == 6)
        True
        """
        import numpy as np

        return self.ppf(np.random.default_rng(random_state).random(size))

    def plot(self, ax: Any = None, *, cdf: bool = False, tail: bool = False, **style: Any) -> Any:
        """Draw the density, or the probability of each value of a discrete law.

        Parameters
        ----------
        ax
            Axes of Matplotlib to draw on; a new figure without them.
        cdf
            Draw the probability of smaller values.
        tail
            Draw the probability of greater values, on a logarithmic axis.
        **style
            Options of ``Axes.plot``, such as ``label``.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(2).plot().get_ylabel()
        'density'
        """
        return self.picture(cdf=cdf, tail=tail).plot(ax, **style)

    def picture(self, *, cdf: bool = False, tail: bool = False, title: str = "") -> Picture:
        """Draw the law like ``pamela plot --law``, without Matplotlib.

        Parameters are those of :meth:`plot`: ``cdf`` and ``tail``, and the title.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(2).picture().svg[:4]
        '<svg'
        """
        from ._compiled import Compiled

        if isinstance(self._origin, str):
            model = _pamela.Model(f"numeric value = {self._origin}", "the law")
            return Compiled(model.compile({"moments": 0})).plot(title=title, density=not (cdf or tail), cdf=cdf, tail=tail)
        evaluated, name = self._origin
        compiled, values, _ = evaluated._origin
        return Compiled(compiled.only([name])).plot(title=title, density=not (cdf or tail), cdf=cdf, tail=tail, **values)

    def __add__(self, other: Any) -> Law:
        return self._with(other, "({}) + ({})")  # type: ignore[no-any-return]

    def __radd__(self, other: Any) -> Law:
        # `sum` begins with 0.
        return self if isinstance(other, int) and other == 0 else self._with(other, "({1}) + ({0})")

    def __sub__(self, other: Any) -> Law:
        return self._with(other, "({}) - ({})")  # type: ignore[no-any-return]

    def __rsub__(self, other: Any) -> Law:
        return self._with(other, "({1}) - ({0})")  # type: ignore[no-any-return]

    def __mul__(self, other: Any) -> Law:
        return self._with(other, "({}) * ({})")  # type: ignore[no-any-return]

    def __rmul__(self, other: Any) -> Law:
        return self._with(other, "({1}) * ({0})")  # type: ignore[no-any-return]

    def __truediv__(self, other: Any) -> Law:
        return self._with(other, "({}) / ({})")  # type: ignore[no-any-return]

    def __neg__(self) -> Law:
        return Law.from_text(f"-({self.text})")

    def max(self, *others: Any) -> Law:
        """Return the law of the maximum of this and other laws or numbers, all independent.

        Parameters
        ----------
        *others
            Laws or numbers.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).max(pamela.law.exponential(1)).mean()
        1.5
        """
        return self._among("max", others)

    def min(self, *others: Any) -> Law:
        """Return the law of the minimum of this and other laws or numbers, all independent.

        Parameters
        ----------
        *others
            Laws or numbers.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).min(pamela.law.exponential(1)).mean()
        0.5
        """
        return self._among("min", others)

    def _among(self, function: str, others: tuple[Any, ...]) -> Law:
        from ._language import language

        return Law.from_text(f"{function}({', '.join([self.text, *(language('an operand', other) for other in others)])})")

    def _with(self, other: Any, form: str) -> Any:
        from ._language import language, law_text

        is_operand = hasattr(other, "__float__") or isinstance(other, Law) or law_text(other) is not None
        if isinstance(other, str) or getattr(other, "ndim", False) or not is_operand:
            return NotImplemented
        return Law.from_text(form.format(self.text, language("the operand", other)))

    def _key(self) -> Any:
        own = self._law
        return (own.raw_moments, own.moments, own.support, self.ppf(_PLACES).tolist())

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._origin, str):
            return (Law.from_text, (self._origin,))
        return (_of_point, self._origin)

    def _repr_html_(self) -> str:
        from ._display import table_html

        names = ["mean", "std", "skewness", "kurtosis"]
        figures = [self.mean(), self.std(), self.skewness(), self.kurtosis()]
        quantiles = {"median": 0.5, "90 %": 0.9, "99 %": 0.99}
        rows = [[*figures, *(self.ppf(p) for p in quantiles.values())]]
        return table_html([*names, *quantiles], rows)

    def __repr__(self) -> str:
        low, high = self.support()
        return f"<Law of mean {self.mean():.6g} and standard deviation {self.std():.6g} on [{low:g}, {high:g}]>"


def _of_point(evaluated: Any, name: str) -> Law:
    found: Law = evaluated[name]
    return found


Law.__module__ = "pamelaplus"
