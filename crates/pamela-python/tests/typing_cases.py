"""Only type-checked: what a user writes has the types that he expects."""

from __future__ import annotations

from typing import Any

import numpy as np

import pamelaplus as pamela


def cases(model: pamela.Model) -> None:
    forms: pamela.Simplified = model.simplify(explain=True)
    form: pamela.Formula = forms["T"]
    text: str = form.text
    steps: list[pamela.Step] = form.steps
    fast: pamela.Compiled = model.compile()
    found: pamela.Evaluated = fast.at(n=1, x="1/3")
    conditions: list[tuple[str, bool | None]] = found.conditions
    values: pamela.Values = fast(n=np.arange(3), x=1)
    column: np.ndarray[Any, Any] = values["T"]
    grid: pamela.Sweep = fast.sweep(n="1:3", x=[1, 2])
    shards: list[pamela.Sweep] = [grid.shard(k, 2) for k in (1, 2)]
    best: float = fast.optimise(over={"n": "1:9"}, minimise="T").value
    error: pamela.PamelaError = found.failures[0]
    places: list[tuple[int, int] | None] = [diagnostic.span for diagnostic in error.diagnostics]
    print(text, steps, conditions, column, shards, best, places)


def travellers(model: pamela.Model, law: pamela.Law) -> None:
    form: pamela.Formula = model.simplify()["T"].subs(n="m + 1").diff("m")
    later: pamela.Law = 2 * law + 1
    table: pamela.Table = model.compile().sweep(n="1:9").summary("std", "median")
    graph: pamela.Model = pamela.Model.from_edges([("a", "b")], time=2.0)
    fitted: pamela.Law = pamela.fit([1.0, 2.0, 4.0, 3.0]).law
    print(form(m=2), later.median(), table.rows, graph.name, fitted.text)
