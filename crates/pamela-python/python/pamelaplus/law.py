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
    "uniform",
    "weibull",
]


def _law(name: str, *arguments: float) -> Law:
    return Law(_named(name, list(arguments)), f"{name}({', '.join(_number(name, value) for value in arguments)})")


def deterministic(c: float) -> Law:
    """A constant: ``deterministic(3).mean()`` is 3."""
    return _law("deterministic", c)


def exponential(mean: float) -> Law:
    """Exponential law with this mean."""
    return _law("exponential", mean)


def normal(mean: float, sd: float) -> Law:
    """Normal law with mean and standard deviation."""
    return _law("normal", mean, sd)


def uniform(a: float, b: float) -> Law:
    """Uniform law between two numbers."""
    return _law("uniform", a, b)


def erlang(k: int, mean: float) -> Law:
    """Sum of ``k`` exponential stages; ``mean`` is the mean of the sum."""
    return _law("erlang", k, mean)


def gamma(shape: float, scale: float) -> Law:
    """Gamma law with shape and scale."""
    return _law("gamma", shape, scale)


def weibull(shape: float, scale: float) -> Law:
    """Weibull law with shape and scale."""
    return _law("weibull", shape, scale)


def lognormal(mu: float, sigma: float) -> Law:
    """Exponential of a normal law with mean ``mu`` and standard deviation ``sigma``."""
    return _law("lognormal", mu, sigma)


def bernoulli(p: float) -> Law:
    """1 with probability ``p``, else 0."""
    return _law("bernoulli", p)


def binomial(n: int, p: float) -> Law:
    """Number of successes in ``n`` trials."""
    return _law("binomial", n, p)


def poisson(mean: float) -> Law:
    """Poisson law with this mean."""
    return _law("poisson", mean)


def geometric(p: float) -> Law:
    """Number of trials up to the first success."""
    return _law("geometric", p)


def beta(a: float, b: float) -> Law:
    """Beta law with two shapes."""
    return _law("beta", a, b)


def pareto(shape: float, scale: float) -> Law:
    """Pareto law with shape and scale."""
    return _law("pareto", shape, scale)


def moments(mean: float, variance: float, skewness: float, kurtosis: float) -> Law:
    """Law given by four moments; the kurtosis of a normal law is 3."""
    return _law("moments", mean, variance, skewness, kurtosis)
