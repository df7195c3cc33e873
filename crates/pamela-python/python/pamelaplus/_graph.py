"""Graphs of tasks as models."""

from __future__ import annotations

from ._errors import PamelaError
from ._language import language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

#: Name of the file with the tasks of a graph.
_FILE = "tasks.csv"


def of_networkx(graph: Any, time: Any, resource: Any, servers: Any) -> tuple[str, dict[str, str]]:
    """Return the text of a model, and its files."""
    if not (hasattr(graph, "nodes") and hasattr(graph, "edges") and hasattr(graph, "is_directed")):
        raise TypeError(f"a DiGraph of NetworkX is expected, and this is a {type(graph).__name__}")
    if not graph.is_directed():
        raise PamelaError("the graph has no directions: networkx.DiGraph says which task waits for which")
    nodes = dict(graph.nodes(data=True))
    if isinstance(time, str):
        without = [node for node, data in nodes.items() if time not in data]
        if without:
            raise PamelaError(
                f"the node {without[0]!r} has no attribute {time!r} for its time; time=1.0 is the time of every node"
            )
        time = {node: data[time] for node, data in nodes.items()}
    if isinstance(resource, str):
        own = {node: data[resource] for node, data in nodes.items() if resource in data}
        if not own and nodes:
            raise PamelaError(f"no node has the attribute {resource!r} that names its resource")
        resource = own
    # Edges of a multigraph have keys.
    return _written(list(nodes), [edge[:2] for edge in graph.edges()], time, resource, servers)


def of_edges(edges: Iterable[Any], time: Any, resource: Any, servers: Any) -> tuple[str, dict[str, str]]:
    """Return the text of a model, and its files."""
    pairs = [tuple(edge) for edge in edges]
    for pair in pairs:
        if len(pair) != 2:
            raise PamelaError(f"{pair!r} is no edge: a pair of tasks is expected, and the second one waits for the first one")
    tasks = dict.fromkeys(task for pair in pairs for task in pair)
    if isinstance(time, dict):
        # Also tasks without an edge.
        tasks.update(dict.fromkeys(time))
    return _written(list(tasks), pairs, time, resource, servers)


def _written(
    tasks: list[Any], edges: list[tuple[Any, Any]], time: Any, resource: Any, servers: Any
) -> tuple[str, dict[str, str]]:
    if not tasks:
        return "process main = delay(0)", {}
    resources = _by_task("resource", tasks, resource) if resource is not None else {}
    own = list(dict.fromkeys(resources.values()))
    for name in own:
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise PamelaError(f"{name!r} is no name of a resource: letters, digits and `_` are expected")
    head = [f"resource {name} = servers({_servers(name, own, servers)})" for name in own]
    if isinstance(time, str):
        head.append(f"numeric parameter {time} : >= 0")
        times = dict.fromkeys(tasks, time)
    else:
        given = _by_task("time", tasks, time)
        for task, value in given.items():
            if isinstance(value, (int, float)) and not 0 <= value < float("inf"):
                raise PamelaError(f"the time of {task!r} is {value}: a number from 0 on is expected")
        times = {task: language(f"time of {task!r}", value) for task, value in given.items()}
    is_uniform = len({resources.get(task) for task in tasks}) == 1
    is_file = is_uniform and not isinstance(time, str) and all(_is_number(text) for text in times.values())
    # A file may name tasks by any words; in the language they must not be words that it reserves.
    names = _names(tasks) if is_file else dict(zip(tasks, _numbered(tasks), strict=True))
    waits: dict[Any, list[str]] = {task: [] for task in tasks}
    for first, then in edges:
        waits[then].append(names[first])
    if is_file:
        rows = [f"{names[task]},{' '.join(waits[task])},{times[task]}" for task in tasks]
        head.append(f'process main = graph (w in "{_FILE}") {_work(resources.get(tasks[0]), "w")}')
        return "\n".join(head), {_FILE: "\n".join(["task,after,time", *rows, ""])}
    body = []
    for task in tasks:
        after = f" after {', '.join(waits[task])}" if waits[task] else ""
        body.append(f"    {names[task]}: {_work(resources.get(task), times[task])}{after}")
    head.append("process main = graph {\n" + " ;\n".join(body) + "\n}")
    return "\n".join(head), {}


def _work(resource: str | None, time: str) -> str:
    return f"delay({time})" if resource is None else f"use({resource}, {time})"


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def _names(tasks: list[Any]) -> dict[Any, str]:
    """A word for each task: its own if all are words, else ``task_`` and its number."""
    own = [str(task) for task in tasks]
    are_words = all(
        isinstance(task, (str, int)) and word.replace("_", "").isalnum() for task, word in zip(tasks, own, strict=True)
    )
    return dict(zip(tasks, own if are_words and len({*own}) == len(own) else _numbered(tasks), strict=True))


def _numbered(tasks: list[Any]) -> list[str]:
    return [f"task_{number}" for number in range(len(tasks))]


def _by_task(what: str, tasks: list[Any], given: Any) -> dict[Any, Any]:
    """One value for each task."""
    if not hasattr(given, "keys"):
        return dict.fromkeys(tasks, given)
    known = set(tasks)
    for task in given:
        if task not in known:
            raise PamelaError(f"`{what}` names {task!r}, which is no task of the graph")
    if what == "time":
        for task in tasks:
            if task not in given:
                raise PamelaError(f"`time` has no time for the task {task!r}")
    return dict(given)


def _servers(name: str, own: list[str], servers: int | Mapping[str, int]) -> int:
    from ._options import as_whole

    if not hasattr(servers, "keys"):
        return as_whole("servers", servers, 1, 2**31)
    for other in servers:  # type: ignore[union-attr]
        if other not in own:
            raise PamelaError(f"`servers` names {other!r}, which no task uses; its resources are {', '.join(own)}")
    return as_whole(f"servers of {name}", servers.get(name, 1), 1, 2**31)  # type: ignore[union-attr]
