"""Models of graphs, of C text, and of texts with files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import pamelaplus as pamela

networkx = pytest.importorskip("networkx")


def longest(graph: Any, times: dict[Any, float]) -> float:
    ends: dict[Any, float] = {}
    for node in networkx.topological_sort(graph):
        ends[node] = times[node] + max((ends[before] for before in graph.predecessors(node)), default=0)
    return max(ends.values(), default=0)


def random_graph(draw: random.Random) -> tuple[Any, dict[Any, float]]:
    count = draw.choice([1, 2, 5, 12])
    nodes: list[Any] = [draw.choice([number, f"task {number}", f"n{number}", (number, 1)]) for number in range(count)]
    graph = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    for second in range(count):
        graph.add_edges_from((nodes[first], nodes[second]) for first in range(second) if draw.random() < 0.4)
    return graph, {node: draw.choice([0, 1, 1, round(draw.random() * 9, 3)]) for node in nodes}


def test_longest_paths_of_random_graphs() -> None:
    draw = random.Random(2)
    for _ in range(25):
        graph, times = random_graph(draw)
        networkx.set_node_attributes(graph, times, "time")
        wanted = pytest.approx(longest(graph, times))
        assert pamela.Model.from_networkx(graph).evaluate()["time_main"] == wanted
        assert pamela.Model.from_networkx(graph, time=times).simulate().mean == wanted
        assert pamela.Model.from_edges(graph.edges, time=times).evaluate()["time_main"] == wanted


def test_resources_of_graphs() -> None:
    graph = networkx.DiGraph([("load", "a"), ("load", "b"), ("load", "c"), ("a", "save"), ("b", "save"), ("c", "save")])
    networkx.set_node_attributes(graph, 2.0, "time")
    for node in "abc":
        graph.nodes[node]["on"] = "cpu"
    assert pamela.Model.from_networkx(graph, resource="on").simulate().mean == 2 + 6 + 2
    assert pamela.Model.from_networkx(graph, resource="on", servers=2).simulate().mean == 2 + 4 + 2
    assert pamela.Model.from_networkx(graph, resource={"a": "x", "b": "y"}, servers={"x": 3}).simulate().mean == 6
    form = pamela.Model.from_edges(graph.edges, time="t").simplify()["time_main"]
    assert form.text == "3 * t"
    law = pamela.law.exponential(1)
    assert pamela.Model.from_edges([("a", "b")], time={"a": law, "b": 1}).evaluate()["time_main"].mean() == pytest.approx(2)


def test_wrong_graphs_are_told() -> None:
    graph = networkx.DiGraph([("a", "b")])
    cases: list[tuple[Any, str]] = [
        (lambda: pamela.Model.from_networkx(graph), "node 'a' has no attribute 'time'"),
        (lambda: pamela.Model.from_networkx(networkx.Graph([(1, 2)]), time=1.0), "no directions"),
        (lambda: pamela.Model.from_networkx(graph, time=1.0, resource="on"), "no node has the attribute 'on'"),
        (lambda: pamela.Model.from_edges([("a", "b", "c")]), "is no edge"),  # type: ignore[list-item]
        (lambda: pamela.Model.from_edges([("a", "b")], time={"a": 1}), "no time for the task 'b'"),
        (lambda: pamela.Model.from_edges([("a", "b")], time=1.0, resource={"z": "cpu"}), "names 'z'"),
        (lambda: pamela.Model.from_edges([("a", "b")], resource="my cpu"), "no name of a resource"),
        (lambda: pamela.Model.from_edges([("a", "b")], resource="cpu", servers={"gpu": 1}), "which no task uses"),
        (lambda: pamela.Model.from_edges([("a", "b"), ("b", "a")]).simplify(), "cycle"),
        (lambda: pamela.Model.from_edges([("a", "b")], time=-1.0), "time of 'a' is -1.0"),
    ]
    for make, message in cases:
        with pytest.raises(pamela.PamelaError, match=message):
            make()
    with pytest.raises(TypeError, match="DiGraph"):
        pamela.Model.from_networkx([("a", "b")])
    assert pamela.Model.from_edges([]).evaluate()["time_main"] == 0


def test_texts_with_files(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.pam").write_text('include "b.pam"\nnumeric a = 2 * b')
    (tmp_path / "parts" / "b.pam").write_text("numeric b = 21")
    (tmp_path / "times.csv").write_text("1\n2\n6\n")
    text = 'include "parts/a.pam"\nprocess main = delay(empirical("times.csv"))'
    model = pamela.Model(text, directory=tmp_path)
    assert model.evaluate()["a"] == 42 and model.evaluate()["time_main"].mean() == 3
    given = {"parts/a.pam": "numeric a = 7", "times.csv": "4\n"}
    assert pamela.Model(text, files=given).evaluate()["a"] == 7
    mixed = pamela.Model(text, files={"parts/a.pam": "numeric a = 7"}, directory=tmp_path)
    assert mixed.evaluate()["time_main"].mean() == 3 and mixed.name == "model"
    for other in ({}, {"files": {}}, {"directory": tmp_path / "parts"}):
        with pytest.raises(pamela.PamelaError, match="a.pam"):
            pamela.Model(text, **other)  # type: ignore[arg-type]


def test_programs_as_text() -> None:
    text = "void g(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; }\nint main(int argc, char **argv) { g(8); return 0; }"
    assert "main" in {name.removeprefix("time_") for name in pamela.Model.from_c(source=text).simplify()}
    assert [p.name for p in pamela.Model.from_c(source=text, entry="g").parameters][0] == "n"
    with pytest.raises(pamela.PamelaError, match="as `entry`: g, main"):
        pamela.Model.from_c(source=text, entry="h")
    with pytest.raises(TypeError, match="did you mean `entry`"):
        pamela.Model.from_c(source=text, entri="g")  # type: ignore[call-arg]
