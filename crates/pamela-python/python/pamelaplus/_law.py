"""Laws of random times."""

from __future__ import annotations

from . import _pamela

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Law"]


class Law:
    """The law of a random time, with the method names of ``scipy.stats``.

    Methods take numbers or arrays of any shape, and are accurate in both tails.

    >>> import pamelaplus as pamela
    >>> law = pamela.law.exponential(2)
    >>> law.mean(), law.ppf(0.5)
    (2.0, 1.3862943611198906)
    >>> found = pamela.Model("process main = delay(exponential(2))").compile().at()["time_main"]
    >>> found.cdf([0, 2])
    array([0.        , 0.63212056])
    """

    __slots__ = ("_law",)

    def __init__(self, inner: _pamela.Law) -> None:
        self._law = inner

    def _map(self, function: Callable[[Any], Any], values: Any) -> Any:
        import numpy as np

        from ._arrays import doubles, is_one

        # A number is an array with one element.
        array = doubles("the argument", [values] if is_one(values) else values)
        found = function(np.ascontiguousarray(array).reshape(-1)).reshape(array.shape)
        return float(found[0]) if is_one(values) else found

    def mean(self) -> float:
        """The mean; NaN if it does not exist."""
        return self._law.moments[0]

    def var(self) -> float:
        """The variance; NaN if it does not exist."""
        return self._law.moments[1]

    def std(self) -> float:
        """The standard deviation; NaN if it does not exist."""
        return float(self.var() ** 0.5)

    def skewness(self) -> float:
        """The skewness; NaN if it does not exist."""
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
        """The kurtosis minus 3, which is 0 for a normal law; ``scipy.stats`` calls it kurtosis."""
        return self.kurtosis() - 3

    def moment(self, order: int) -> float:
        """The raw moment of an order from 1 to 4.

        >>> import pamelaplus as pamela
        >>> pamela.law.exponential(1).moment(3)
        6.0
        """
        if order not in (1, 2, 3, 4):
            raise ValueError(f"moments of the orders 1 to 4 are known, and {order} was asked for")
        return self._law.raw_moments[int(order) - 1]

    def support(self) -> tuple[float, float]:
        """The smallest interval known to contain all values."""
        return self._law.support

    @property
    def method(self) -> str | None:
        """How quantiles are computed: ``exact``, ``grid``, ``simulation``, or the fitted family."""
        return self._law.method

    @property
    def approximations(self) -> list[str]:
        """Approximations in the shape of the law."""
        return self._law.approximations

    def cdf(self, x: Any) -> Any:
        """Probability of a value of at most ``x``."""
        return self._map(self._law.cdf, x)

    def sf(self, x: Any) -> Any:
        """Probability of a value above ``x``, accurate if it is small."""
        return self._map(self._law.sf, x)

    def logcdf(self, x: Any) -> Any:
        """Logarithm of :meth:`cdf`."""
        return self._map(self._law.logcdf, x)

    def logsf(self, x: Any) -> Any:
        """Logarithm of :meth:`sf`."""
        return self._map(self._law.logsf, x)

    def pdf(self, x: Any) -> Any:
        """Density at ``x``; NaN if the law has no closed form of it."""
        return self._map(self._law.pdf, x)

    def ppf(self, p: Any) -> Any:
        """Quantile: the smallest value with :meth:`cdf` of at least ``p``."""
        return self._map(self._law.ppf, p)

    def isf(self, q: Any) -> Any:
        """Upper quantile, the inverse of :meth:`sf`; accurate if ``q`` is small."""
        return self._map(self._law.isf, q)

    quantile = ppf

    def interval(self, confidence: Any) -> tuple[Any, Any]:
        """The interval between two quantiles, with equal probability outside on both sides.

        >>> import pamelaplus as pamela
        >>> [round(end, 3) for end in pamela.law.uniform(0, 1).interval(0.9)]
        [0.05, 0.95]
        """
        import numpy as np

        rest = (1 - np.asarray(confidence, dtype=np.float64)) / 2
        return self.ppf(rest), self.isf(rest)

    def rvs(self, size: int | tuple[int, ...] | None = None, random_state: Any = None) -> Any:
        """Draw samples; ``random_state`` is a seed or a NumPy generator.

        >>> import pamelaplus as pamela
        >>> bool(pamela.law.deterministic(3).rvs(2, random_state=1).sum() == 6)
        True
        """
        import numpy as np

        return self.ppf(np.random.default_rng(random_state).random(size))

    def __repr__(self) -> str:
        low, high = self.support()
        return f"<Law of mean {self.mean():.6g} and standard deviation {self.std():.6g} on [{low:g}, {high:g}]>"


Law.__module__ = "pamelaplus"
