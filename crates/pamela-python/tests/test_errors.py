"""Errors are those of the command line, with their places."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

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
