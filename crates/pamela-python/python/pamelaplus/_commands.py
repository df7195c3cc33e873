"""Commands that build and run programs, or simulate: `profile`, `machine` and `compare`."""

from __future__ import annotations

import json
import os
import tempfile

from ._engine import _pamela
from ._options import as_whole
from ._same import Same
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ._model import Model

__all__ = ["Comparison", "Machine", "Profile", "machine", "profile"]


class Profile(Same):
    """Measured counts and times of a program, a table for :meth:`Model.calibrate`.

    >>> import pamelaplus as pamela
    >>> pamela.Profile({"points": [{"point": {"n": 5.0}, "time_ns": [3e9, 4e9]}]}).times["time"]
    [3.0, 4.0]
    """

    __slots__ = ("data",)

    data: dict[str, Any]
    """The profile, as ``pamela profile -o`` writes it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def times(self) -> Table:
        """Each timed run as a row: parameters, and ``time`` in seconds."""
        runs = [(own["point"], time) for own in self.data["points"] for time in own["time_ns"]]
        names = dict.fromkeys(name for point, _ in runs for name in point)
        found = {name: [point.get(name) for point, _ in runs] for name in names}
        return Table({**found, "time": [time / 1e9 for _, time in runs]})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the profile to a file, which ``pamela`` reads.

        Parameters
        ----------
        path
            Name of the file.

        >>> import pamelaplus as pamela, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     pamela.Profile({"points": []}).save(pathlib.Path(directory, "profile.json"))
        ...     pathlib.Path(directory, "profile.json").read_text()
        '{"points":[]}'
        """
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.data, file, separators=(",", ":"))

    def _key(self) -> Any:
        return self.data

    def _repr_html_(self) -> str:
        return self.times._repr_html_()

    def __repr__(self) -> str:
        return f"<Profile of {len(self.data['points'])} points>"


class Machine(Same):
    """Costs of parallel operations on this machine.

    >>> import pamelaplus as pamela
    >>> pamela.Machine("# with 2 threads; seconds\\nt_fork = 7.5e-7").values
    {'t_fork': 7.5e-07}
    """

    __slots__ = ("parameters", "values")

    parameters: str
    """Text of a file for ``--params``."""
    values: dict[str, float]
    """Seconds by parameter, as keywords of :meth:`Model.define`."""

    def __init__(self, parameters: str) -> None:
        self.parameters = parameters
        lines = [line.partition("#")[0].partition("=") for line in parameters.splitlines()]
        self.values = {name.strip(): float(value) for name, equals, value in lines if equals}

    def _key(self) -> Any:
        return self.parameters

    def _repr_html_(self) -> str:
        return Table(parameter=list(self.values), seconds=list(self.values.values()))._repr_html_()

    def __repr__(self) -> str:
        return f"<Machine: {', '.join(f'{name} = {value:g}' for name, value in self.values.items())}>"


def _options(**given: Any) -> list[str]:
    """Words of the command line for the options that are given."""
    return [word for name, value in given.items() if value is not None for word in (f"--{name.replace('_', '-')}", str(value))]


def _range(values: Any) -> str:
    return values if isinstance(values, str) else ",".join(map(str, values)) if hasattr(values, "__iter__") else str(values)


def profile(
    *files: str | os.PathLike[str],
    points: Mapping[str, Any],
    arguments: Sequence[str] = (),
    entry: str | None = None,
    names: Mapping[str, int] | None = None,
    runs: int = 5,
    seeds: int = 1,
    compiler: str | None = None,
    link: str | None = None,
    start: str | None = None,
    timeout: float | None = None,
) -> Profile:
    """Measure a C program: branch counts, loop counts and run times, like ``pamela profile``.

    Parameters
    ----------
    *files
        C source files of the program.
    points
        For each parameter its values: numbers, or a text such as ``"100:500:100"``.
    arguments
        Arguments of the program; ``{n}`` stands for a value of n.
    entry
        Function that is timed; ``main`` without it.
    names
        Names of the program's arguments, by number.
    runs, seeds
        Number of timed runs, and of runs with probes, at each point.
    compiler, link
        Compiler command, and options after the files when linking.
    start
        Command that starts the program, such as ``"mpirun -n {P}"``.
    timeout
        Limit of a run in seconds.

    >>> import pamelaplus as pamela, pathlib, tempfile
    >>> text = "#include <stdlib.h>\\nint f(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "loop.c")
    ...     _ = path.write_text(text + " int main(int argc, char **argv) { return f(atoi(argv[1])) < 0; }")
    ...     found = pamela.profile(path, points={"n": 1000}, arguments=["{n}"], entry="f", runs=2)
    >>> found.times["n"], all(time > 0 for time in found.times["time"])
    ([1000.0, 1000.0], True)
    """
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "profile.json")
        words = ["profile", *(os.path.abspath(os.fspath(file)) for file in files), "-o", out]
        words += _options(entry=entry, runs=as_whole("runs", runs, 1, 2**20), seeds=as_whole("seeds", seeds, 1, 2**20))
        words += _options(cc=compiler, link=link, run=start, timeout=timeout)
        for name, values in points.items():
            words += ["--points", f"{name}={_range(values)}"]
        for name, number in (names or {}).items():
            words += ["--param", f"{name}=argv[{number}]"]
        _pamela([*words, "--", *arguments], os.getcwd())
        with open(out, encoding="utf-8") as file:
            return Profile(json.load(file))


def machine(
    threads: int | None = None,
    *,
    mpi: bool = False,
    ranks: Sequence[int] = (),
    start: str | None = None,
    compiler: str | None = None,
) -> Machine:
    """Measure the cost of OpenMP or MPI operations on this machine, like ``pamela machine``.

    Parameters
    ----------
    threads
        Number of threads.
    mpi
        Measure MPI instead of OpenMP.
    ranks
        Numbers of ranks.
    start
        Command that starts ``{P}`` ranks.
    compiler
        Compiler command.

    >>> import pamelaplus as pamela
    >>> found = pamela.machine(threads=1)
    >>> all(value >= 0 for value in found.values.values()), "t_fork" in found.values
    (True, True)
    """
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "machine.toml")
        words = ["machine", "-o", out, *(["--mpi"] if mpi else [])]
        words += _options(threads=threads, ranks=_range(ranks) if ranks else None, run=start, cc=compiler)
        _pamela(words, os.getcwd())
        with open(out, encoding="utf-8") as file:
            return Machine(file.read())


def compare(model: Model, values: Mapping[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """Implements :meth:`Model.compare`."""
    own = json.loads(model._model.dumps())
    measured = asked.pop("measured")
    with tempfile.TemporaryDirectory() as directory:
        for name, text in {**own["files"]["texts"], "model.pam": own["text"]}.items():
            # Files elsewhere are found by their own names.
            if os.path.isabs(name) or ".." in name.split("/"):
                continue
            path = os.path.join(directory, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        words = ["compare", "model.pam", "--json", *_options(**asked)]
        for name, value in [*own["definitions"], *((name, _range(value)) for name, value in values.items())]:
            words += ["-D", f"{name}={value}"]
        if measured is not None:
            measured = _saved(measured, directory)
            words += ["--measured", measured]
        found: dict[str, Any] = json.loads(_pamela(words, directory))
        return found


def _saved(measured: Any, directory: str) -> str:
    """A file with measured times."""
    if isinstance(measured, (str, os.PathLike)):
        return os.path.abspath(os.fspath(measured))
    if isinstance(measured, Profile):
        path = os.path.join(directory, "measured.json")
        measured.save(path)
        return path
    from ._fits import table_text

    path = os.path.join(directory, "measured.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(table_text(measured))
    return path


class Comparison(Same):
    """The formula, bounds and estimates of a time beside simulated or measured times.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter P : integer >= 1\\nresource s\\nprocess main = par (p = 1, P) use(s, 2)")
    >>> model.compare(P=[1, 2]).rows["simulated"]
    [2.0, 4.0]
    """

    __slots__ = ("data",)

    data: dict[str, Any]
    """The complete result, as ``pamela compare --json`` prints it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def rows(self) -> Table:
        """A row for each point: parameters, times, and relative errors in per cent as ``T_error``.

        Beside measured times, ``values`` are the parameters in the order of the table.
        """
        flat = []
        for point in self._points():
            errors = {f"{name}_error": value for name, value in point.get("errors", {}).items()}
            rest = {name: value for name, value in point.items() if name not in ("parameters", "errors")}
            flat.append({**point.get("parameters", {}), **rest, **errors})
        names = dict.fromkeys(name for row in flat for name in row)
        return Table({name: [row.get(name) for row in flat] for name in names})

    def _points(self) -> list[dict[str, Any]]:
        return self.data.get("points") or self.data["rows"]  # type: ignore[no-any-return]

    def _key(self) -> Any:
        return self.data

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()

    def __repr__(self) -> str:
        return f"<Comparison of {len(self._points())} points>"


for _class in (Comparison, Machine, Profile):
    _class.__module__ = "pamelaplus"
del _class
