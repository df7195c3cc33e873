"""Sweeps on many processes and machines.

A compiled model is a few thousand bytes, and a part of a sweep is two numbers. So any engine that calls
Python functions elsewhere can compute parts. It only needs ``submit``, as in ``concurrent.futures.Executor``.
Parts depend on the request alone, so results are the same bytes wherever they were computed.

>>> import pamelaplus as pamela
>>> pamela.clusters.parts(100_000, 4)
[(0, 32768), (32768, 65536), (65536, 98304), (98304, 100000)]
"""

from __future__ import annotations

import hashlib
import os

from . import _pamela
from ._compiled import Compiled
from ._errors import PamelaError
from ._options import Wish
from ._sweep import Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

__all__ = ["Result", "parts", "run_on", "simplify"]

#: Parts are cut at multiples of this many points.
UNIT = 16_384
#: Number of tries of a part.
_TRIES = 3
#: Version of the messages to workers.
_FORMAT = 3


class Result:
    """The result of :meth:`Sweep.run_on`.

    >>> import pamelaplus as pamela
    >>> pamela.clusters.Result([], None, None).missing
    []
    """

    __slots__ = ("missing", "directory", "figures")

    missing: list[int]
    """Numbers of the missing parts: calling ``run_on`` again computes them."""
    directory: str | None
    """Directory of the parts of the table."""
    figures: dict[str, Any] | None
    """Columns of figures by name, with a row for each group."""

    def __init__(self, missing: list[int], directory: str | None, figures: dict[str, Any] | None) -> None:
        self.missing = missing
        self.directory = directory
        self.figures = figures

    def __repr__(self) -> str:
        return f"<Result: {len(self.missing)} parts missing>" if self.missing else "<Result: complete>"


def parts(points: int, count: int | None = None, size: int = 2**24) -> list[tuple[int, int]]:
    """Divide points into parts: at most ``count`` parts, or parts of about ``size`` points.

    Parts are cut at multiples of 16,384.

    >>> import pamelaplus as pamela
    >>> pamela.clusters.parts(40_000, size=16_384)
    [(0, 16384), (16384, 32768), (32768, 40000)]
    """
    if count is not None and count < 1:
        raise PamelaError(f"there are no {count} parts")
    return _pamela.divided(points, count, size)


def run_on(
    sweep: Sweep,
    engine: Any,
    *,
    to: str | os.PathLike[str] | None = None,
    aggregate: Sequence[str] = (),
    by: str | Sequence[str] = (),
    parts: int | None = None,
) -> Result:
    """Implements :meth:`Sweep.run_on`."""
    if bool(aggregate) == (to is not None):
        raise PamelaError("either parts of a table are written, with to=.., or figures are computed, with aggregate=..")
    submit, release = _submitter(engine)
    try:
        if aggregate:
            return _reduced(sweep, submit, list(aggregate), [by] if isinstance(by, str) else list(by), parts)
        assert to is not None
        return _written(sweep, submit, os.fspath(to), parts)
    finally:
        release()


def simplify(paths: Sequence[str | os.PathLike[str]], engine: Any, **options: Any) -> dict[str, str | PamelaError]:
    """Find the closed forms of many models, as texts by file; a wrong model has its error instead.

    >>> import pamelaplus as pamela, pathlib, tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as engine:
    ...     path = pathlib.Path(directory, "one.pam")
    ...     _ = path.write_text("numeric T = 1 + 1")
    ...     list(pamela.clusters.simplify([path], engine).values())
    ['numeric T = 2']
    """
    submit, release = _submitter(engine)
    try:
        names = [os.fspath(path) for path in paths]
        running = [submit(_simplified, name, options) for name in names]
        return {name: future.result() for name, future in zip(names, running, strict=True)}
    finally:
        release()


def simulated(model: _pamela.Model, wish: Any, engine: Any) -> str:
    """Implements :meth:`Model.simulate` with an engine; returns the report as JSON."""
    submit, release = _submitter(engine)
    data, words = model.dumps(), {**vars(wish), "threads": 1}

    def ask(known: str, first: int, end: int) -> list[str]:
        # Several parts for each slot of an engine, but at most one for each replication.
        size = max(1, -(-(end - first) // 64))
        spans = [(at, min(end, at + size)) for at in range(first, end, size)]
        found = dict(_tried(lambda number: submit(_replications, _FORMAT, data, words, known, spans[number]), len(spans)))
        return [found[number] for number in range(len(spans))]

    try:
        return _pamela.simulated_elsewhere(model, wish, ask)
    finally:
        release()


def _replications(version: int, data: bytes, words: dict[str, Any], known: str, span: tuple[int, int]) -> str:
    _check(version)
    return _pamela.replications(_pamela.Model.loads(data), Wish(**words), known, *span)


def _simplified(path: str, options: dict[str, Any]) -> str | PamelaError:
    from ._model import Model

    try:
        return Model.from_file(path).simplify(**options).text
    except PamelaError as error:
        return error


def _submitter(engine: Any) -> tuple[Callable[..., Future[Any]], Callable[[], None]]:
    """Return the function that starts a task on the engine, and the final clean-up."""

    def nothing() -> None:
        pass

    if isinstance(engine, str):
        scheme, _, address = engine.partition("://")
        if scheme != "dask" or not address:
            raise PamelaError(f'the engine {engine!r} is not known; there is "dask://host:8786"')
        from distributed import Client

        client: Any = Client(f"tcp://{address}")  # type: ignore[no-untyped-call, unused-ignore]
        return client.get_executor(pure=False).submit, client.close
    if hasattr(engine, "get_executor"):
        return engine.get_executor(pure=False).submit, nothing
    if hasattr(engine, "submit"):
        return engine.submit, nothing
    raise TypeError(f"an engine has submit(), as of concurrent.futures.Executor, and {type(engine).__name__} has none")


def _reduced(sweep: Sweep, submit: Callable[..., Future[Any]], figures: list[str], by: list[str], count: int | None) -> Result:
    # Report unknown aggregates and groups before anything is computed.
    sweep._part(sweep._sweep.range[0], sweep._sweep.range[0])._figures([], figures)
    jobs = [(number, span) for number, span in enumerate(sweep._sweep.parts(count))]
    found = dict(_all(submit, _summarised, sweep, jobs, by))
    return Result([], None, sweep._figures([found[number] for number, _ in jobs], figures))


def _written(sweep: Sweep, submit: Callable[..., Future[Any]], directory: str, count: int | None) -> Result:
    parts = _pamela.Parts(sweep._compiled._compiled, sweep._sweep, directory, count)
    jobs = [(number, sweep._sweep.range) for number in parts.missing()]
    left = {number for number, _ in jobs}
    for number, _ in _all(submit, _write_part, sweep, jobs, (directory, count)):
        left.discard(number)
    parts.finish()
    return Result(sorted(left), directory, None)


def _all(
    submit: Callable[..., Future[Any]], work: Any, sweep: Sweep, jobs: list[tuple[int, tuple[int, int]]], more: Any
) -> Iterator[tuple[int, Any]]:
    """Yield the results of all parts as they finish, each with its number.

    A job is a number and a range of points.
    """
    data, spec = sweep._compiled.dumps(), sweep._spec
    # Workers use one thread each; the engine has a slot for each worker.
    spec = {**spec, "threads": 1}

    def start(place: int) -> Future[Any]:
        number, span = jobs[place]
        return submit(work, _FORMAT, data, spec, span, number, more)

    for place, result in _tried(start, len(jobs), [number for number, _ in jobs]):
        yield jobs[place][0], result


def _tried(start: Callable[[int], Future[Any]], count: int, names: Sequence[int] | None = None) -> Iterator[tuple[int, Any]]:
    """Yield the results of ``count`` tasks as they finish, each with its index.

    A failed task is tried again. Errors use the numbers in ``names``.
    """
    from concurrent.futures import FIRST_COMPLETED, CancelledError, wait

    tries = [1] * count
    running = {start(place): place for place in range(count)}
    finished = 0
    try:
        while running:
            # Futures of other classes are waited for by callbacks.
            done, _ = wait(list(running), return_when=FIRST_COMPLETED)
            for future in done:
                place = running.pop(future)
                try:
                    result = future.result()
                except CancelledError:
                    raise
                except Exception as error:
                    reason = error
                    if tries[place] < _TRIES:
                        tries[place] += 1
                        try:
                            running[start(place)] = place
                            continue
                        except Exception as refused:
                            # The engine refuses tasks, for example because one of its processes has died.
                            reason = refused
                    name = names[place] if names else place
                    message = f"part {name} failed {tries[place]} times, {finished} of {count} are done: {reason}"
                    raise PamelaError(message) from error
                finished += 1
                yield place, result
    finally:
        # Cancel tasks that have not started.
        for future in running:
            future.cancel()


_known: dict[str, Compiled] = {}


def _check(version: int) -> None:
    if version != _FORMAT:
        raise PamelaError(f"the part is of format {version}, and pamela {_pamela.__version__} here computes format {_FORMAT}")


def _there(version: int, data: bytes, spec: dict[str, Any], span: tuple[int, int]) -> Sweep:
    """Compute one part of a sweep in a worker process, which reads the model once."""
    _check(version)
    key = _checksum(data)
    if key not in _known:
        _known.clear()
        _known[key] = Compiled.loads(data)
    return Sweep._made(_known[key], spec)._part(*span)


def _summarised(version: int, data: bytes, spec: dict[str, Any], span: tuple[int, int], number: int, by: list[str]) -> bytes:
    return _there(version, data, spec, span)._sweep.summarised(by)


def _write_part(
    version: int,
    data: bytes,
    spec: dict[str, Any],
    span: tuple[int, int],
    number: int,
    more: tuple[str, int | None],
) -> None:
    sweep = _there(version, data, spec, span)
    _pamela.Parts(sweep._compiled._compiled, sweep._sweep, *more).write(number)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


Result.__module__ = "pamelaplus.clusters"
