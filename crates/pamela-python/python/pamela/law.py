"""The laws of the language, as numbers.

>>> import pamela
>>> round(pamela.law.normal(0, 1).ppf(0.975), 12)
1.95996398454
>>> pamela.law.exponential(-1)
Traceback (most recent call last):
    ...
pamela.PamelaError: error: ...
"""

from __future__ import annotations

from ._law import Law
from ._pamela import named as _named

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


def deterministic(c: float) -> Law:
    """A number: ``deterministic(3).mean()`` is 3."""
    return Law(_named("deterministic", [c]))


def exponential(mean: float) -> Law:
    """The exponential law of a mean."""
    return Law(_named("exponential", [mean]))


def normal(mean: float, sd: float) -> Law:
    """The normal law of a mean and a standard deviation."""
    return Law(_named("normal", [mean, sd]))


def uniform(a: float, b: float) -> Law:
    """All between two numbers, alike."""
    return Law(_named("uniform", [a, b]))


def erlang(k: int, mean: float) -> Law:
    """The sum of ``k`` exponential laws with a mean each."""
    return Law(_named("erlang", [k, mean]))


def gamma(shape: float, scale: float) -> Law:
    """The gamma law of shape and scale."""
    return Law(_named("gamma", [shape, scale]))


def weibull(shape: float, scale: float) -> Law:
    """The Weibull law of shape and scale."""
    return Law(_named("weibull", [shape, scale]))


def lognormal(mu: float, sigma: float) -> Law:
    """The exponential of a normal law of mean ``mu`` and standard deviation ``sigma``."""
    return Law(_named("lognormal", [mu, sigma]))


def bernoulli(p: float) -> Law:
    """1 with a probability, 0 else."""
    return Law(_named("bernoulli", [p]))


def binomial(n: int, p: float) -> Law:
    """Successes in a number of trials."""
    return Law(_named("binomial", [n, p]))


def poisson(mean: float) -> Law:
    """The Poisson law of a mean."""
    return Law(_named("poisson", [mean]))


def geometric(p: float) -> Law:
    """Trials up to the first success."""
    return Law(_named("geometric", [p]))


def beta(a: float, b: float) -> Law:
    """The beta law of two shapes."""
    return Law(_named("beta", [a, b]))


def pareto(shape: float, scale: float) -> Law:
    """The Pareto law of shape and scale."""
    return Law(_named("pareto", [shape, scale]))


def moments(mean: float, variance: float, skewness: float, kurtosis: float) -> Law:
    """A law that is known by four moments; the kurtosis of a normal law is 3."""
    return Law(_named("moments", [mean, variance, skewness, kurtosis]))
