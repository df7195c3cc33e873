"""Errors are those of the command line, with their places."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pandas
import pytest

import pamelaplus as pamela

WRONG = [
    "process main = delay(t)",
    "numeric T =",
    "numeric T = 1 +* 2",
    "numeric T = f(1, 2)\nnumeric f(a) = a",
    "numeric € = 1",
    "% Größe\nnumeric Tä = 1",
    "resource s = fcfs(0, 1)\nprocess main = use(s)",
    "numeric T = T",
    "process main = par (i = 1, 3 delay(1)",
    "numeric parameter n : integer >= 2\nnumeric parameter n",
]


@pytest.mark.parametrize("text", WRONG)
def test_errors_are_those_of_the_command_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.pam"
    path.write_text(text)
    command = [sys.executable, "-m", "pamelaplus", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 1
    with pytest.raises(pamela.PamelaError) as caught:
        pamela.Model.from_file(path).check()
    assert str(caught.value).strip() == done.stderr.strip()
    for diagnostic in caught.value.diagnostics:
        if diagnostic.span is not None:
            start, end = diagnostic.span
            line = text.splitlines()[(diagnostic.line or 1) - 1] if text.splitlines() else ""
            assert 0 <= start <= end <= len(text) and (diagnostic.column or 1) <= len(line) + 1


def test_places_are_in_characters() -> None:
    with pytest.raises(pamela.PamelaError) as caught:
        pamela.Model("% größer\nnumeric T = 2 * missing")
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.span is not None
    start, end = diagnostic.span
    assert "% größer\nnumeric T = 2 * missing"[start:end] == "missing"
    assert (diagnostic.line, diagnostic.column, diagnostic.severity, diagnostic.file) == (2, 17, "error", "model")


def test_a_model_of_a_text_reads_no_files() -> None:
    with pytest.raises(pamela.PamelaError):
        pamela.Model('include "/etc/passwd"')


def test_options_that_there_are_not() -> None:
    model = pamela.Model("numeric T = 1")
    with pytest.raises(pamela.PamelaError, match="effort"):
        model.simplify(effort="much")
    with pytest.raises(pamela.PamelaError, match="laws"):
        model.compile(laws="none")
    with pytest.raises(pamela.PamelaError, match="`U`"):
        model.simplify(only=["U"])
    with pytest.raises(pamela.PamelaError, match="unknown language"):
        model.simplify().emit("cobol")
    with pytest.raises(pamela.PamelaError, match="backend"):
        model.simplify()["T"].lambdify("fortran")


def test_what_is_not_whole_is_a_warning() -> None:
    model = pamela.Model("numeric parameter n : integer >= 0\nnumeric T = sum (i = 1, n) { sqrt(i) }")
    with pytest.warns(pamela.Unfinished, match="T"):
        forms = model.simplify()
    assert not forms.is_closed and not forms["T"].is_closed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pamela.Model("numeric T = 1").simplify()


def test_exit_codes(tmp_path: Path) -> None:
    path = tmp_path / "model.pam"
    path.write_text("numeric parameter n : integer >= 0\nnumeric T = sum (i = 1, n) { sqrt(i) }")
    for arguments, code in ((["simplify", path], 3), (["check", path], 0), (["nonsense"], 2), (["--version"], 0)):
        done = subprocess.run([sys.executable, "-m", "pamelaplus", *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr


def test_unknown_options_are_told_with_a_suggestion() -> None:
    model = pamela.Model("numeric parameter n : integer\nprocess main = seq (i = 1, n) delay(1)\nnumeric T = 2 * n")
    fast = model.compile()
    cases = [
        (lambda: fast.sweep(n="1:3", wher="T > 2"), "did you mean the option `where`"),
        (lambda: fast.sweep(nn=3), "did you mean the parameter `n`"),
        (lambda: fast.plot(n="1:9", titel="x"), "did you mean the option `title`"),
        (lambda: fast.optimise(over={"n": "1:9"}, minimise="T", subjectto="n > 1"), "did you mean the option `subject_to`"),
        (lambda: model.simulate(n=2, replicatons=3), "did you mean the option `replications`"),
        (lambda: model.calibrate({"n": [1, 2], "time": [1.0, 2.0]}, flods=2), "did you mean the option `folds`"),
        (lambda: model.evaluate(N=2), "no parameter `N`"),
        (lambda: model.compare(n=2, sed=1), "did you mean the option `seed`"),
        (lambda: model.report(n=2, titel="x"), "did you mean the option `title`"),
        (lambda: model.simplify()["T"].subs(k=1), "no parameter `k`"),
    ]
    for work, message in cases:
        with pytest.raises(pamela.PamelaError, match=message):
            work()
    for call, message in (
        (lambda: model.simplify(efort="low"), "no option `efort`; did you mean `effort`"),  # type: ignore[call-arg]
        (lambda: model.compile(bound=True), "did you mean `bounds`"),  # type: ignore[call-arg]
        (lambda: model.simplify(zzz=1), "its options are all, bounds"),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match=message):
            call()
    with pytest.raises(TypeError, match="positional"):
        model.simplify("T")  # type: ignore[misc]
    # What the wrapped methods say of themselves is kept.
    import inspect

    assert "effort" in inspect.signature(pamela.Model.simplify).parameters and pamela.Model.simplify.__name__ == "simplify"


def test_american_spellings() -> None:
    fast = pamela.Model("numeric parameter n : integer\nnumeric T = n + 16 / n").compile()
    for name in ("optimise", "optimize"):
        for word in ("minimise", "minimize"):
            best = getattr(fast, name)(over={"n": "1:9"}, **{word: "T"})
            assert best.at == {"n": 4.0} and best.neighbours == best.neighbors != []
    assert fast.optimize(over={"n": "1:9"}, maximize="T").value == 17.0
    for wrong in ({}, {"minimise": "T", "maximize": "T"}):
        with pytest.raises(pamela.PamelaError, match="either"):
            fast.optimize(over={"n": "1:9"}, **wrong)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("allow more with `--effort high`", 'allow more with `effort="high"`'),
        ("count them as 0 with `--negative clip`.", 'count them as 0 with `negative="clip"`.'),
        ("omit `--bounds` for its times, or use `pamela simulate`", "omit `bounds` for its times, or use `simulate()`"),
        ("choose a C compiler with --cc", "choose a C compiler with compiler"),
        ("a range, such as `--for n=1:1000`, or a fact", "a range, such as `within=(1, 1000)`, or a fact"),
        ("for example `--over P=1:4096`", 'for example `over={"P": "1:4096"}`'),
        ("`pamela sweep .. --parts DIR` writes them", "`pamela sweep .. --parts DIR` writes them"),
        ("3 | x - --y", "3 | x - --y"),
        ("nothing", "nothing"),
    ],
)
def test_hints_are_in_the_words_of_python(text: str, wanted: str) -> None:
    from pamelaplus._errors import in_python

    assert in_python(text) == wanted


def test_no_error_names_an_option_of_the_command_line() -> None:
    deep = pamela.Model("numeric parameter n : integer\nnumeric T = sum (i = 1, n) { sum (j = 1, n) { (i * j) ^ (i + j) } }")
    with pytest.raises(pamela.PamelaError) as caught:
        deep.solve("T <= 3 * T", "n")
    assert "--" not in str(caught.value).replace("-->", ""), str(caught.value)


def test_a_name_that_is_not_there_is_told_with_the_nearest() -> None:
    model = pamela.Model("numeric parameter P\nnumeric total = 1 / P\nnumeric twice = 2 * P")
    compiled = model.compile()
    for found in (model.simplify(), compiled.at(P=1), compiled(P=1), compiled.at(P=1).method):
        with pytest.raises(KeyError, match="no (equation|value) `totl`; did you mean `total`"):
            found["totl"]
        assert "totl" not in found and found.get("totl") is None
    with pytest.raises(KeyError, match="total has no value here; division by zero"):
        compiled.at(P=0)["total"]


def test_a_table_in_place_of_values_is_told_where_it_belongs() -> None:
    compiled = pamela.Model("numeric parameter P\nnumeric T = 2 * P").compile()
    frame = pandas.DataFrame({"P": [1, 2]})
    for call in (compiled, compiled.at, compiled.formulas["T"]):
        with pytest.raises(TypeError, match=r"of type DataFrame; add_to\(..\)"):
            call(frame)
        with pytest.raises(TypeError, match="a dict or keywords, and this is of type list"):
            call([1, 2])
    assert compiled(pandas.Series({"P": 4}))["T"] == 8
