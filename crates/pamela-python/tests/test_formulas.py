"""Closed forms in other hands: SymPy, emitted functions, LaTeX, notebooks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sympy

import pamelaplus as pamela


def test_sympy(mrm: pamela.Model) -> None:
    form = mrm.simplify()["T_main"].to_sympy()
    P, N, tl, ts = (next(s for s in form.free_symbols if s.name == name) for name in ("P", "N", "tl", "ts"))
    assert form == N * sympy.Max(P * ts, tl + ts)
    assert P.is_integer and ts.is_nonnegative
    for values in ((3, 10, 2, 1), (100, 7, 0, 5)):
        exact = mrm.compile().at(**dict(zip(("P", "N", "tl", "ts"), values, strict=True))).exact["T_main"]
        assert form.subs(dict(zip((P, N, tl, ts), values, strict=True))) == sympy.Rational(exact.numerator, exact.denominator)


@pytest.mark.parametrize("backend", ["numpy", "math"])
def test_lambdify(mrm: pamela.Model, backend: str) -> None:
    f = mrm.simplify()["T_main"].lambdify(backend)
    values: Any = [np.array([1.0, 100.0]), 1000.0, 10.0, 0.1] if backend == "numpy" else [100.0, 1000.0, 10.0, 0.1]
    assert np.allclose(f(*values), [10100.0, 10100.0] if backend == "numpy" else 10100.0)
    assert np.all(f.holds(*values))  # type: ignore[attr-defined]


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_lambdify_of_engines(mrm: pamela.Model, backend: str) -> None:
    pytest.importorskip(backend)
    f = mrm.simplify()["T_main"].lambdify(backend)
    assert float(f(100.0, 1000.0, 10.0, 0.1)) == pytest.approx(10100.0)


def test_emitted_languages(mrm: pamela.Model) -> None:
    form = mrm.simplify()["T_main"]
    for language in ("c", "rust", "python", "numpy", "julia", "javascript", "fortran", "sql", "sympy"):
        assert "T_main" in form.emit(language)


def test_parts() -> None:
    model = pamela.Model("numeric parameter n : integer\nnumeric parameter a\nnumeric T = sum (i = 1, n) { max(a, 2) }")
    form = model.simplify(explain=True, regimes=True)["T"]
    assert form.conditions == ["n >= 0"] and form.parameters == ["n", "a"] and form.sort == "number" and form.is_closed
    assert len(form.regimes) == 2 and form.crossings[0].parameter == "a"
    assert form.steps and form.steps[0].left != form.steps[0].right
    assert form.latex and "<math" in form.mathml and form.operations > 0
    assert str(form) == form.text and repr(form).startswith("T = ")
    assert not model.simplify()["T"].steps


def test_the_exact_time_is_the_only_answer_shown(mrm: pamela.Model, fast: pamela.Compiled) -> None:
    forms = mrm.simplify()
    assert list(forms) == ["time_main", "T_main"] and repr(forms) == repr(forms["time_main"])
    assert [form.standing for form in forms.values()] == ["exact", "lower bound"]
    assert "&=" in forms._repr_latex_() and "T_{" not in forms._repr_latex_() and "lower bound" not in forms._repr_html_()
    found = fast.at(P=3, N=5, tl=1, ts=2)
    assert list(found) == ["time_main", "T_main"] and found["time_main"] == 31.0 and found["T_main"] == 30.0
    assert repr(found) == "Evaluated({'time_main': 31.0})" and "T_main" not in found._repr_html_()
    assert dict(found.standing) == {"time_main": "exact", "T_main": "lower bound"}
    values: dict[str, Any] = {"P": "1:64", "N": 5, "tl": 1, "ts": 2}
    assert fast.plot(**values).svg == fast.plot("time_main", **values).svg
    # Where the time is not known at a point, or is not asked for, the estimate is the answer.
    assert repr(fast.at(P=10**9, N=0, tl=1, ts=2)) == "Evaluated({'T_main': 0.0})"
    assert repr(mrm.simplify(only=["T_main"])) == "T_main = N * max(tl + ts, P * ts)"
    assert fast.only("T_main").plot(**values).svg == fast.plot("T_main", **values).svg != fast.plot(**values).svg


def test_notebooks(mrm: pamela.Model, fast: pamela.Compiled) -> None:
    forms = mrm.simplify(explain=True)
    bundle = forms["T_main"]._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/latex", "text/html"} and r"\begin{aligned}" in bundle["text/latex"]
    assert "<math" in forms._repr_html_() and "&=" in forms._repr_latex_()
    assert "<table>" in forms["T_main"].steps._repr_html_()  # type: ignore[attr-defined]
    assert "<td>" in fast.at(P=1, N=1, tl=1, ts=1)._repr_html_()
    picture = fast.plot(P="1:64", N=1000, tl=10, ts=[0.1, 1], speedup=True)
    assert picture._repr_svg_().startswith("<svg") and picture.png[:4] == b"\x89PNG" and picture.pdf[:4] == b"%PDF"
    assert "$schema" in picture.vega_lite and str(picture)


def test_magic() -> None:
    class Shell:
        user_ns: dict[str, Any] = {}
        magic: Any = None

        def register_magic_function(self, function: Any, kind: str, name: str) -> None:
            assert (kind, name) == ("cell", "pamela")
            self.magic = function

    shell = Shell()
    pamela.load_ipython_extension(shell)
    model = shell.magic("mine", "numeric T = 1")
    assert shell.user_ns["mine"] is model
    assert shell.magic("mine", "numeric T =") is None and shell.magic("1 2", "") is None


def test_optima(fast: pamela.Compiled) -> None:
    compiled = pamela.Model("numeric parameter P : integer >= 1\nnumeric T = 900 / P + P").compile()
    best = compiled.optimise(over={"P": "1:1e9"}, minimise="T")
    assert best.at == {"P": 30.0} and best.value == 60.0 and best.certainty == "shape" and best.kind == "stationary"
    assert compiled.optimise(over={"P": [1, 5]}, maximise="T").at == {"P": 1.0}
    with pytest.raises(pamela.PamelaError):
        compiled.optimise(over={"P": [1, 5]})
    with pytest.raises(pamela.PamelaError):
        compiled.optimise(over={"P": [1, 5]}, minimise="U")


def test_solutions() -> None:
    model = pamela.Model("numeric parameter P : integer >= 1\nnumeric parameter a : > 0\nnumeric T = 900 / P + a * P")
    answer = model.solve("T <= 75", "P", a=1)
    assert answer.ranges == [(15, 60)] and answer.certain and not answer.cases
    assert all((900 / edge["P"] + edge["P"] <= 75) == edge["holds"] for edge in answer.edges)
    assert model.solve(["T <= 75", "P != 20"], "P", a=1, within=(1, 30)).ranges == [(15, 19), (21, 30)]
    assert model.solve("T < 1", "P", a=1).ranges == []
    formula = model.solve("T <= x", "P")
    assert formula.ranges == [] and formula.cases[0]["when"] == ["3600 * a <= x^2"]
    for wrong in [{"P": 3}, {"b": 1}, {"a": [1, 2]}, {"a": -1}]:
        with pytest.raises(pamela.PamelaError):
            model.solve("T <= 75", "P", **wrong)
    with pytest.raises(pamela.PamelaError):
        model.solve("T <= 75", "Q", a=1)


def test_simulations() -> None:
    model = pamela.Model("resource s = fcfs(0, 1)\nprocess main = par (p = 1, 4) { delay(exponential(1)) ; use(s, 1) }")
    report = model.simulate(replications=50, seed=3)
    assert report.interval is not None and report.interval[0] < report.mean < report.interval[1]
    assert report.resources[0]["visits"] == 4 and report.complete and "<table>" in report._repr_html_()
    assert model.simulate(replications=50, seed=3, threads=1).data == report.data
    traced = model.simulate(replications=1, trace=100)
    assert traced.trace is not None


def test_laws() -> None:
    stats = pytest.importorskip("scipy.stats")
    x = np.linspace(0.01, 12, 40)
    for law, known in (
        (pamela.law.exponential(2), stats.expon(scale=2)),
        (pamela.law.gamma(2.5, 1.5), stats.gamma(2.5, scale=1.5)),
        (pamela.law.weibull(1.5, 2), stats.weibull_min(1.5, scale=2)),
        (pamela.law.normal(3, 2), stats.norm(3, 2)),
        (pamela.law.lognormal(0.2, 0.5), stats.lognorm(0.5, scale=math.exp(0.2))),
        (pamela.law.uniform(0, 9), stats.uniform(0, 9)),
    ):
        assert np.allclose(law.cdf(x), known.cdf(x), atol=1e-9) and np.allclose(law.sf(x), known.sf(x), atol=1e-9)
        assert np.allclose(law.logsf(x[:20]), known.logsf(x[:20]), atol=1e-7)
        p = np.array([[1e-12, 0.1], [0.5, 0.999]])
        assert np.allclose(law.ppf(p), known.ppf(p)) and np.allclose(law.isf(p), known.isf(p))
        assert np.allclose(law.pdf(x), known.pdf(x))
        mean, var, skew, kurtosis = (float(v) for v in known.stats("mvsk"))
        assert law.mean() == pytest.approx(mean) and law.var() == pytest.approx(var)
        assert law.skewness() == pytest.approx(skew, abs=1e-9) and law.excess_kurtosis() == pytest.approx(kurtosis, abs=1e-9)
    assert np.isnan(pamela.law.exponential(1).ppf(1.5)) and pamela.law.exponential(1).cdf(-1) == 0.0
    draws = pamela.law.exponential(2).rvs((200, 50), random_state=1)
    assert draws.shape == (200, 50) and abs(draws.mean() - 2) < 0.1


def test_fits() -> None:
    samples = np.random.default_rng(7).exponential(3.0, 400)
    found = pamela.fit(samples, resamples=50)
    assert any(one["law"] == "exponential" for one in found.candidates)
    assert found.moments["mean"]["value"] == pytest.approx(samples.mean())
    assert pamela.Model("numeric parameter x : law\nnumeric T = 2 * x").define(x=found.law).evaluate()["T"].mean() > 0
    with pytest.raises(pamela.PamelaError):
        pamela.fit([1.0])


def test_tables_of_measured_times() -> None:
    model = pamela.Model("numeric parameter n : integer\nnumeric parameter t : >= 0\nprocess main = seq (i = 1, n) delay(t)")
    columns = {"n": [1, 2, 4, 8, 16], "time": [0.5, 1.0, 2.0, 4.0, 8.0]}
    libraries = [pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow")]
    tables = [columns, libraries[0].DataFrame(columns), libraries[1].DataFrame(columns), libraries[2].table(columns)]
    for table in tables:
        assert model.calibrate(table).values["t"] == pytest.approx(0.5, rel=1e-9)
    wrong: list[object] = [
        3,
        None,
        [1, 2],
        {"n": 5, "time": [1]},
        {"n": [1, 2], "time": [1]},
        {"n": [1, 2], "time": [None, None]},
        {},
    ]
    for table in wrong:
        with pytest.raises((pamela.PamelaError, TypeError), match="table|column"):
            model.calibrate(table)  # type: ignore[arg-type]


def test_pictures_tell_their_gaps() -> None:
    compiled = pamela.Model("numeric parameter n\nnumeric T = 1 / n").compile()
    with pytest.warns(UserWarning, match="T has no value at 1 of 9 points, first at n = 0: division by zero") as told:
        assert compiled.plot(n="0:8").svg
    assert told[0].filename == __file__


def test_pictures_that_cannot_be(fast: pamela.Compiled) -> None:
    given = {"P": "1:64", "N": 1000, "tl": 10, "ts": 0.1}
    for wrong in ({"band": (2, 3)}, {"band": (0.9, 0.1)}, {"band": 0.5}, {"scales": "log"}, {"scales": ("log", "x")}):
        with pytest.raises(pamela.PamelaError, match="band|scale|probability"):
            fast.plot(**wrong, **given)  # type: ignore[arg-type]


def test_calibrations_predict_with_intervals() -> None:
    model = pamela.Model(
        "numeric parameter n : > 0\nnumeric parameter k : >= 0\nnumeric parameter c : >= 0\nnumeric parameter z : > 0\n"
        "process main = delay(k * n + c)\nprocess other = delay(z)"
    )
    table: dict[str, list[object]] = {"system": [], "n": [], "kind": [], "time": []}
    noise = [0.97, 1.02, 1.0, 0.99, 1.03, 0.98, 1.01]
    for system, k in (("a", 2.0), ("b", 5.0)):
        for n in range(1, 31):
            table["system"].append(system)
            table["n"].append(n)
            table["kind"].append("seen")
            table["time"].append((k * n + 3.0) * noise[n % 7] if n != 9 else float("nan"))
    found = model.calibrate(table, process="main", by="system", share=["c"], folds=5, hold_out=["n"], loss="relative")
    assert any("kind" in note for note in found.table_notes) and any("2 rows" in note for note in found.table_notes)
    assert found.held_out is not None and 0.8 <= found.held_out["coverage_90"] <= 1
    wide, narrow = found.predict(system="b", n=40, z=1).interval(0.95), found.predict(system="b", n=40, z=1).interval(0.5)
    assert 180 < wide[0] < narrow[0] < 203 < narrow[1] < wide[1] < 230
    assert found.predict(system="a", n=40, z=1).value == pytest.approx(83, rel=0.05)
    assert found.predict("time_other", system="a", n=40, z=1.5).interval() == (1.5, 1.5)
    with pytest.raises(pamela.PamelaError, match="choose one of"):
        found.predict(n=40, z=1)
    with pytest.raises(pamela.PamelaError, match="no loss"):
        model.calibrate(table, process="main", loss="cubes")
    with pytest.raises(pamela.PamelaError, match="number from 2 to 20"):
        model.calibrate(table, process="main", folds=1)


def test_unknown_numbers_have_shares() -> None:
    model = pamela.Model("numeric unknown a = uniform(0, 1)\nnumeric unknown b : >= 0 <= 3\nnumeric f = a + b")
    found = model.predict("f")
    # Variances of 1/12 and 9/12.
    assert found.mean == pytest.approx(2, abs=2e-3) and found.sd == pytest.approx((10 / 12) ** 0.5, rel=2e-3)
    assert found.shares["a"] == pytest.approx(0.1, abs=2e-3) and found.shares["b"] == pytest.approx(0.9, abs=4e-3)
    assert model.predict("f", a=0.5, b=1).interval() == (1.5, 1.5)


def test_values_are_given_as_sympy_takes_them() -> None:
    form = pamela.Model("numeric parameter a\nnumeric parameter b\nnumeric T = a * b + b^2").simplify()["T"]
    a, b, c = sympy.symbols("a b c")
    for given in (form.subs("a", 3), form.subs(a, 3), form.subs([("a", 3)]), form.subs({a: 3}), form.subs(((a, 3),))):
        assert given == form.subs(a=3)
    assert form.subs([(a, 1), (b, c)]) == form.subs(a=1, b="c")
    for wrong in ((3,), ("a", 1, 2), ([1],)):
        with pytest.raises(TypeError, match="a dict, a list of pairs"):
            form.subs(*wrong)
    assert form.diff(b) == form.diff("b")
    assert sympy.latex(form) == form.latex
