"""Where models come from: files, programs and graphs."""

from __future__ import annotations

import os
import warnings

from . import _pamela
from ._errors import Unfinished
from ._options import suggesting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Self

__all__ = ["Sources"]


class Sources:
    """Constructors of :class:`Model`."""

    __slots__ = ()

    def __init__(self, text: str, *, name: str = "model", files: Mapping[str, str] | None = None) -> None:
        raise NotImplementedError

    @classmethod
    def _of(cls, inner: _pamela.Model) -> Self:
        raise NotImplementedError

    def _warn(self) -> None:
        raise NotImplementedError

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read the model in a file, with the files that it includes.

        Parameters
        ----------
        path
            Name of the file; the files that it names are relative to its directory.

        >>> import pamelaplus as pamela
        >>> pamela.Model.from_file("no/such.pam")
        Traceback (most recent call last):
            ...
        pamelaplus.PamelaError: error: cannot read `no/such.pam`: ...
        """
        model = cls._of(_pamela.Model.from_file(os.fspath(path)))
        model._warn()
        return model

    @classmethod
    def from_c(
        cls,
        *files: str | os.PathLike[str],
        source: str | None = None,
        entry: str | None = None,
        function: str | None = None,
        keep: Sequence[str] = (),
        arguments: Mapping[str, int] | None = None,
        compiler: str = "cc -O2 -fopenmp",
        counts: bool = False,
    ) -> Self:
        """Make a model of a program in C with OpenMP; the program is preprocessed but not run.

        Parts that are not understood become parameters, with a warning of class :class:`Unfinished`.

        Parameters
        ----------
        *files
            Files of the program.
        source
            Text of the program, instead of files or beside them.
        entry
            Function that is modelled; ``main`` without it. ``function`` is another name.
        keep
            Macros that stay parameters.
        arguments
            Names of command-line arguments, by number.
        compiler
            Command of the compiler whose preprocessor reads the program.
        counts
            Count operations instead of times.

        >>> import pamelaplus as pamela
        >>> text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"
        >>> [p.name for p in pamela.Model.from_c(source=text, entry="f").parameters][0]
        'n'
        """
        asked = (entry or function, list(keep), list((arguments or {}).items()), compiler, counts)
        text, opaque = _of_program(files, source, asked)
        if opaque:
            warnings.warn("not understood: " + "; ".join(opaque), Unfinished, stacklevel=2)
        return cls(text, name=os.fspath(files[0]) if files else "the program")

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[Any, Any]],
        *,
        time: Mapping[Any, Any] | float | str = 1.0,
        resource: Mapping[Any, str] | str | None = None,
        servers: Mapping[str, int] | int = 1,
    ) -> Self:
        """Make the model of a graph of tasks, whose process is ``main``.

        Parameters
        ----------
        edges
            Pairs of tasks: the second one waits for the first one. A task may be any object that has a text.
        time
            Times of the tasks: one number, or one for each task; or the name of a parameter that all take.
        resource
            The resource that the tasks use, or that of each task. Tasks without one delay only.
        servers
            Number of servers of each resource.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model.from_edges([("a", "b"), ("a", "c")], time={"a": 1, "b": 2, "c": 3})
        >>> model.evaluate()["time_main"], model.simulate().mean
        (4.0, 4.0)
        >>> pamela.Model.from_edges([("a", "b"), ("a", "c")], time=2, resource="cpu").simulate().mean
        6.0
        """
        from ._graph import of_edges

        text, files = of_edges(list(edges), time, resource, servers)
        return cls(text, name="graph", files=files)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        time: str | Mapping[Any, Any] | float = "time",
        resource: str | Mapping[Any, str] | None = None,
        servers: Mapping[str, int] | int = 1,
    ) -> Self:
        """Make the model of a directed graph of NetworkX, whose process is ``main``.

        Parameters
        ----------
        graph
            A ``DiGraph``: the head of an edge waits for its tail.
        time
            The attribute of the nodes with their times, or times as for :meth:`from_edges`.
        resource
            The attribute of the nodes that names the resource of each, or resources as for :meth:`from_edges`.
        servers
            Number of servers of each resource.

        >>> import pamelaplus as pamela, networkx
        >>> graph = networkx.DiGraph([("a", "b"), ("a", "c")])
        >>> networkx.set_node_attributes(graph, {"a": 1.0, "b": 2.0, "c": 5.0}, "time")
        >>> pamela.Model.from_networkx(graph).evaluate()["time_main"]
        6.0
        """
        from ._graph import of_networkx

        text, files = of_networkx(graph, time, resource, servers)
        return cls(text, name="graph", files=files)


def _of_program(files: Sequence[str | os.PathLike[str]], source: str | None, asked: tuple[Any, ...]) -> tuple[str, list[str]]:
    """Return the text of the model of a program, and the parts that were not understood."""
    paths = [os.fspath(file) for file in files]
    if source is None:
        return _pamela.of_program(paths, *asked)
    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "source.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return _pamela.of_program([*paths, path], *asked)


suggesting(Sources, "from_c", "from_edges", "from_networkx")
