"""The laws of the language.

>>> import pamelaplus as pamela
>>> round(pamela.law.normal(0, 1).ppf(0.975), 12)
1.95996398454
>>> pamela.law.exponential(-1)
Traceback (most recent call last):
    ...
pamelaplus.PamelaError: error: ...
"""

from __future__ import annotations

from ._law import Law
from ._pamela import named as _named
from ._pamela import number as _number

__all__ = [
    "bernoulli",
    "beta",
    "binomial",
    "deterministic",
    "erlang",
    "exponential",
    "gamma",
    "geometric",
    "lognormal",
    "moments",
    "normal",
    "pareto",
    "poisson",
    "rayleigh",
    "uniform",
    "weibull",
]


def _law(name: str, *arguments: float) -> Law:
    return Law(_named(name, list(arguments)), f"{name}({', '.join(_number(name, value) for value in arguments)})")


def deterministic(c: float) -> Law:
    """A constant: ``deterministic(3).mean()`` is 3.

    >>> import pamelaplus as pamela
    >>> pamela.law.deterministic(c=3).mean()
    3.0
    """
    return _law("deterministic", c)


def exponential(mean: float) -> Law:
    """Exponential law with this mean.

    >>> import pamelaplus as pamela
    >>> pamela.law.exponential(mean=2).std()
    2.0
    """
    return _law("exponential", mean)


def normal(mean: float, sd: float) -> Law:
    """Normal law with mean and standard deviation.

    Parameters
    ----------
    mean, sd
        Mean and standard deviation.

    >>> import pamelaplus as pamela
    >>> pamela.law.normal(mean=1, sd=2).var()
    4.0
    """
    return _law("normal", mean, sd)


def uniform(a: float, b: float) -> Law:
    """Uniform law between two numbers.

    Parameters
    ----------
    a, b
        The ends.

    >>> import pamelaplus as pamela
    >>> pamela.law.uniform(a=0, b=6).var()
    3.0
    """
    return _law("uniform", a, b)


def erlang(k: int, mean: float) -> Law:
    """Sum of ``k`` exponential stages; ``mean`` is the mean of the sum.

    Parameters
    ----------
    k
        Number of stages.
    mean
        Mean of the sum.

    >>> import pamelaplus as pamela
    >>> pamela.law.erlang(k=4, mean=2).var()
    1.0
    """
    return _law("erlang", k, mean)


def gamma(shape: float, scale: float) -> Law:
    """Gamma law with shape and scale.

    Parameters
    ----------
    shape, scale
        Both above 0.

    >>> import pamelaplus as pamela
    >>> pamela.law.gamma(shape=2, scale=3).mean()
    6.0
    """
    return _law("gamma", shape, scale)


def weibull(shape: float, scale: float) -> Law:
    """Weibull law with shape and scale.

    Parameters
    ----------
    shape, scale
        Both above 0.

    >>> import pamelaplus as pamela
    >>> pamela.law.weibull(shape=1, scale=3).mean()
    3.0
    """
    return _law("weibull", shape, scale)


def rayleigh(scale: float) -> Law:
    """Rayleigh law with the deviation of its two normal components.

    >>> import pamelaplus as pamela
    >>> round(pamela.law.rayleigh(scale=2).mean(), 9)
    2.506628275
    """
    return _law("rayleigh", scale)


def lognormal(mu: float, sigma: float) -> Law:
    """Exponential of a normal law with mean ``mu`` and standard deviation ``sigma``.

    Parameters
    ----------
    mu, sigma
        Mean and standard deviation of the logarithm.

    >>> import pamelaplus as pamela
    >>> pamela.law.lognormal(mu=0, sigma=1).median()
    1.0
    """
    return _law("lognormal", mu, sigma)


def bernoulli(p: float) -> Law:
    """1 with probability ``p``, else 0.

    >>> import pamelaplus as pamela
    >>> pamela.law.bernoulli(p=0.25).mean()
    0.25
    """
    return _law("bernoulli", p)


def binomial(n: int, p: float) -> Law:
    """Number of successes in ``n`` trials.

    Parameters
    ----------
    n
        Number of trials.
    p
        Probability of a success.

    >>> import pamelaplus as pamela
    >>> pamela.law.binomial(n=4, p=0.5).var()
    1.0
    """
    return _law("binomial", n, p)


def poisson(mean: float) -> Law:
    """Poisson law with this mean.

    >>> import pamelaplus as pamela
    >>> pamela.law.poisson(mean=3).var()
    3.0
    """
    return _law("poisson", mean)


def geometric(p: float) -> Law:
    """Number of trials up to the first success.

    >>> import pamelaplus as pamela
    >>> pamela.law.geometric(p=0.25).mean()
    4.0
    """
    return _law("geometric", p)


def beta(a: float, b: float) -> Law:
    """Beta law with two shapes.

    Parameters
    ----------
    a, b
        Both above 0.

    >>> import pamelaplus as pamela
    >>> pamela.law.beta(a=1, b=1).mean()
    0.5
    """
    return _law("beta", a, b)


def pareto(shape: float, scale: float) -> Law:
    """Pareto law with shape and scale.

    Parameters
    ----------
    shape, scale
        Both above 0; no value is below the scale.

    >>> import pamelaplus as pamela
    >>> pamela.law.pareto(shape=3, scale=2).mean()
    3.0
    """
    return _law("pareto", shape, scale)


def moments(mean: float, variance: float, skewness: float, kurtosis: float) -> Law:
    """Law given by four moments; the kurtosis of a normal law is 3.

    Parameters
    ----------
    mean, variance, skewness, kurtosis
        The moments; the kurtosis is at least 1 above the square of the skewness.

    >>> import pamelaplus as pamela
    >>> pamela.law.moments(mean=1, variance=2, skewness=0, kurtosis=3).var()
    2.0
    """
    return _law("moments", mean, variance, skewness, kurtosis)
