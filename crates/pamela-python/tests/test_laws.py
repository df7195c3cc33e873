"""Laws beside those of SciPy, laws of SciPy as parameters, arithmetic, and fits."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import pamelaplus as pamela

stats = pytest.importorskip("scipy.stats")

own = pamela.law
PAIRS: list[tuple[pamela.Law, Any]] = [
    (own.exponential(2), stats.expon(scale=2)),
    (own.normal(-1, 3), stats.norm(-1, 3)),
    (own.uniform(0, 1), stats.uniform()),
    (own.gamma(0.5, 2), stats.gamma(0.5, scale=2)),
    (own.erlang(3, 6), stats.erlang(3, scale=2)),
    (own.weibull(2, 3), stats.weibull_min(2, scale=3)),
    (own.rayleigh(2), stats.rayleigh(scale=2)),
    (own.lognormal(0, 0.5), stats.lognorm(0.5)),
    (own.pareto(5, 2), stats.pareto(5, scale=2)),
    (own.beta(2, 3), stats.beta(2, 3)),
    (own.binomial(5, 0.3), stats.binom(5, 0.3)),
    (own.poisson(40), stats.poisson(40)),
    (own.geometric(0.2), stats.geom(0.2)),
    (own.bernoulli(0.25), stats.bernoulli(0.25)),
]


@pytest.mark.parametrize(("law", "other"), PAIRS, ids=lambda one: getattr(getattr(one, "dist", None), "name", ""))
def test_methods_equal_those_of_scipy(law: pamela.Law, other: Any) -> None:
    assert law.median() == pytest.approx(other.median(), rel=1e-12)
    wanted = [float(moment) for moment in other.stats("mvsk")]
    assert law.stats("mvsk") == pytest.approx(wanted, rel=1e-10, abs=1e-12)
    places = np.array([-1, 0, 1, 1.5, 2, 7, 30, 900])
    if law.is_discrete:
        assert law.pmf(places) == pytest.approx(other.pmf(places), rel=1e-9, abs=1e-60)
        assert np.isnan(law.pdf(places)).all()
    else:
        assert law.pdf(places) == pytest.approx(other.pdf(places), rel=1e-10, abs=1e-300)
        assert law.logpdf(places) == pytest.approx(other.logpdf(places), rel=1e-10)
        assert law.pmf(places).tolist() == [0] * len(places)
    with pytest.raises(pamela.PamelaError, match="letter 'x'"):
        law.stats("mx")


def test_log_densities_do_not_underflow() -> None:
    assert own.exponential(1).logpdf(1e5) == -1e5 and own.exponential(1).pdf(1e5) == 0
    assert (own.exponential(1) + 3).logpdf(1e5 + 3) == -1e5
    assert own.normal(0, 1).logpdf(1e3) == pytest.approx(stats.norm.logpdf(1e3), rel=1e-14)


@pytest.mark.parametrize("location", [0, 2.5])
@pytest.mark.parametrize(("law", "other"), PAIRS, ids=lambda one: getattr(getattr(one, "dist", None), "name", ""))
def test_frozen_laws_are_values(law: pamela.Law, other: Any, location: float) -> None:
    model = pamela.Model("numeric parameter t : law\nprocess main = delay(t)")
    discrete = hasattr(other.dist, "pmf")
    shapes = () if other.dist.name == "norm" else other.args
    frozen = other.dist(*shapes, loc=location, **{} if discrete else {"scale": other.kwds.get("scale", 1)})
    found = model.evaluate(t=frozen)["time_main"]
    assert found.mean() == pytest.approx(frozen.mean(), rel=1e-12) and found.std() == pytest.approx(frozen.std(), rel=1e-12)
    places = np.array([-1, 0, 1, 1.5, 2, 3.5, 7, 30])
    # Shifted laws are evaluated on a grid.
    assert found.cdf(places) == pytest.approx(frozen.cdf(places), abs=1e-7)


def test_laws_without_a_counterpart_are_refused() -> None:
    model = pamela.Model("numeric parameter t : law\nprocess main = delay(t)")
    with pytest.raises(pamela.PamelaError, match=r"like `triang` of SciPy.*law.rvs"):
        model.evaluate(t=stats.triang(0.5))
    assert model.evaluate(t=stats.triang(0.5).rvs(50, random_state=1))["time_main"].support()[1] <= 1


def test_laws_are_values_of_parameters_in_their_unit() -> None:
    model = pamela.Model("numeric parameter t : law [us]\nnumeric parameter n : integer\nnumeric T = n * t")
    law = own.exponential(3)
    assert model.evaluate(t=law, n=2)["T"].mean() == pytest.approx(6e-6)
    # A law with a unit keeps its numbers.
    seconds = model.evaluate(t=law, n=1)["T"]
    assert seconds.mean() == pytest.approx(3e-6) and pamela.Law.from_text(seconds.text).mean() == pytest.approx(3e-6)
    assert model.define(t=law).simulate is not None
    both = pamela.Model("numeric parameter t : law\nprocess main = par (p = 1, 2) delay(t)")
    assert both.simulate(t=law, replications=400).mean == pytest.approx(4.5, rel=0.15)
    assert both.evaluate(t=both.evaluate(t=law)["time_main"])["time_main"].mean() == pytest.approx(
        3 * (1 + 1 / 2 + 1 / 3 + 1 / 4)
    )


def test_arithmetic_of_random_laws() -> None:
    draw = random.Random(5)
    for _ in range(6):
        a, b = (draw.choice(PAIRS[:9])[0] for _ in range(2))
        c = draw.choice([1, 2, -1, 0.5, draw.random() + 0.1])
        assert (a + c).mean() == pytest.approx(a.mean() + c) and (c + a).var() == pytest.approx(a.var())
        assert (c * a).mean() == pytest.approx(c * a.mean()) and (a * c).var() == pytest.approx(c * c * a.var())
        assert (a + b).var() == pytest.approx(a.var() + b.var()) and (a - b).mean() == pytest.approx(
            a.mean() - b.mean(), abs=1e-12
        )
        assert (a / c).mean() == pytest.approx(a.mean() / c) and (c - a).mean() == pytest.approx(c - a.mean(), abs=1e-12)
        assert (-a).mean() == -a.mean() and sum([a, b]).mean() == pytest.approx(a.mean() + b.mean(), abs=1e-12)
    for a, b in ((PAIRS[0][0], PAIRS[2][0]), (PAIRS[1][0], PAIRS[3][0])):
        x = np.linspace(-3, 9, 40)
        assert a.max(b).cdf(x) == pytest.approx(a.cdf(x) * b.cdf(x), abs=1e-6)
        assert a.min(b).sf(x) == pytest.approx(a.sf(x) * b.sf(x), abs=1e-6)
    with pytest.raises(TypeError):
        PAIRS[0][0] + "a"  # type: ignore[operator]
    with pytest.raises(TypeError):
        PAIRS[0][0] + [1, 2]  # type: ignore[operator]
    with pytest.raises(TypeError):
        1 / PAIRS[0][0]  # type: ignore[operator]  # noqa: B018


def test_laws_of_runs_have_no_text() -> None:
    text = "resource s = fcfs(0, 1)\nprocess main = par (p = 1, 2) { delay(exponential(1)) ; use(s, exponential(1)) }"
    evaluated = pamela.Model(text).compile().at()
    for name, law in evaluated.items():
        if isinstance(law, pamela.Law) and evaluated.method[name] == "closed":
            assert pamela.Law.from_text(law.text).mean() == pytest.approx(law.mean())


def test_fits_give_laws() -> None:
    samples = stats.gamma(3, scale=2).rvs(400, random_state=1)
    found = pamela.fit(samples, resamples=50)
    assert isinstance(found.law, pamela.Law) and found.warnings == [] and found.goodness["fits"]
    assert found.law.mean() == pytest.approx(samples.mean(), rel=0.05)
    assert found.law.ppf(0.9) == pytest.approx(np.quantile(samples, 0.9), rel=0.1)
    model = pamela.Model("numeric parameter t : law\nprocess main = delay(t)")
    assert model.evaluate(t=found.law)["time_main"].mean() == pytest.approx(found.law.mean())
    poor = pamela.fit(np.concatenate([samples, samples + 500]), resamples=50)
    assert "rejects" in poor.warnings[0]
    assert any("30%" in warning for warning in pamela.fit([0.0] * 30 + samples[:70].tolist(), resamples=50).warnings)


def test_predictions_have_intervals() -> None:
    text = "numeric parameter n : integer\nnumeric parameter t : >= 0\nprocess main = seq (i = 1, n) delay(t)"
    noise = np.random.default_rng(1).normal(1, 0.05, 40)
    table = {"n": range(1, 41), "time": [n * 2 * e for n, e in zip(range(1, 41), noise, strict=True)]}
    found = pamela.Model(text).calibrate(table, folds=5).predict(n=100)
    low, high = found.interval(0.95)
    assert low < 200 < high and high - low < 60 and found.interval(0.5)[0] > low
    assert math.isclose(found.value, 200, rel_tol=0.03)
