"""Sweeps on many processes and machines.

A compiled model is a few thousand bytes and a part of a sweep is two numbers, so that any engine that calls a Python
function elsewhere can compute it: all that is asked of one is ``submit``, as of ``concurrent.futures.Executor``. Parts
depend on the question alone, and results are the same bytes however they were computed.

>>> import pamela
>>> pamela.clusters.parts(100_000, 4)
[(0, 32768), (32768, 65536), (65536, 98304), (98304, 100000)]
"""

from __future__ import annotations

import hashlib
import json
import os

from ._compiled import Compiled
from ._errors import PamelaError
from ._pamela import __version__
from ._sweep import Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

__all__ = ["Result", "parts", "run_on", "simplify"]

#: Points are cut at multiples of so many.
UNIT = 16_384
#: Points of a part: of figures, of tables, and where laws or definitions take long.
_REDUCED, _TABLE, _SLOW = 2**26, 2**24, 2**12
#: A part that fails is tried so often.
_TRIES = 3
#: Of the format of parts and manifests.
_FORMAT = 1
_MANIFEST = "_pamela.json"


class Result:
    """What :meth:`Sweep.run_on` gives.

    >>> import pamela
    >>> pamela.clusters.Result([], None, None).missing
    []
    """

    __slots__ = ("missing", "directory", "figures")

    missing: list[int]
    """The numbers of parts that are not there: ``run_on`` again computes these."""
    directory: str | None
    """Where the parts of the table are."""
    figures: dict[str, Any] | None
    """Figures by name, a row for each group."""

    def __init__(self, missing: list[int], directory: str | None, figures: dict[str, Any] | None) -> None:
        self.missing = missing
        self.directory = directory
        self.figures = figures

    def __repr__(self) -> str:
        return f"<Result: {len(self.missing)} parts missing>" if self.missing else "<Result: complete>"


def parts(points: int, count: int | None = None, size: int = _TABLE) -> list[tuple[int, int]]:
    """The ranges of points of the parts of a sweep: so many, or of about so many points, cut at multiples of 16,384.

    >>> import pamela
    >>> pamela.clusters.parts(40_000, size=16_384)
    [(0, 16384), (16384, 32768), (32768, 40000)]
    """
    if count is not None:
        if count < 1:
            raise PamelaError(f"there are no {count} parts")
        size = -(-points // count)
    unit = UNIT if size >= UNIT // 2 else min(size, UNIT)
    size = max(1, -(-size // unit) * unit)
    return [(start, min(points, start + size)) for start in range(0, points, size)]


def run_on(
    sweep: Sweep,
    engine: Any,
    *,
    to: str | os.PathLike[str] | None = None,
    aggregate: Sequence[str] = (),
    by: str | Sequence[str] = (),
    parts: int | None = None,
) -> Result:
    """What :meth:`Sweep.run_on` does."""
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
    """The closed forms of many models, as texts by their files; a model that is wrong has its error there.

    >>> import pamela, pathlib, tempfile
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


def _simplified(path: str, options: dict[str, Any]) -> str | PamelaError:
    from ._model import Model

    try:
        return Model.from_file(path).simplify(**options).text
    except PamelaError as error:
        return error


def _submitter(engine: Any) -> tuple[Callable[..., Future[Any]], Callable[[], None]]:
    """The function that starts another one somewhere, and what is done in the end."""

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


def _ranges(sweep: Sweep, count: int | None, size: int) -> list[tuple[int, int]]:
    start, _ = sweep._sweep.range
    if not sweep._sweep.is_fast:
        size = _SLOW
    return [(start + first, start + last) for first, last in parts(len(sweep), count, size)]


def _reduced(sweep: Sweep, submit: Callable[..., Future[Any]], figures: list[str], by: list[str], count: int | None) -> Result:
    # A figure or a group that there is not is told before anything is computed.
    sweep._part(sweep._sweep.range[0], sweep._sweep.range[0])._figures([], figures)
    ranges = _ranges(sweep, count, _REDUCED)
    found: dict[int, bytes] = {}
    for number, part in _all(submit, _summarised, sweep, ranges, by):
        found[number] = part
    return Result([], None, sweep._figures([found[number] for number in range(len(ranges))], figures))


def _written(sweep: Sweep, submit: Callable[..., Future[Any]], directory: str, count: int | None) -> Result:
    os.makedirs(directory, exist_ok=True)
    ranges = _ranges(sweep, count, _TABLE)
    question = {
        "format": _FORMAT,
        "version": __version__,
        "question": _checksum(json.dumps([_digest(sweep), ranges]).encode()),
        "parts": len(ranges),
        "points": len(sweep),
    }
    path = os.path.join(directory, _MANIFEST)
    manifest = _read_manifest(path, question)
    done: dict[str, dict[str, Any]] = manifest["done"]
    wanted = []
    for number in range(len(ranges)):
        known = done.get(str(number))
        if known is None or not _is_whole(os.path.join(directory, _name(number)), known):
            done.pop(str(number), None)
            wanted.append(number)
    try:
        for place, part in _all(submit, _write_part, sweep, [ranges[n] for n in wanted], (directory, wanted)):
            done[str(wanted[place])] = part
            _write_manifest(path, manifest)
    finally:
        _write_manifest(path, manifest)
    missing = [number for number in range(len(ranges)) if str(number) not in done]
    if not missing:
        open(os.path.join(directory, "_SUCCESS"), "w").close()
    return Result(missing, directory, None)


def _all(
    submit: Callable[..., Future[Any]], work: Any, sweep: Sweep, ranges: list[tuple[int, int]], more: Any
) -> Iterator[tuple[int, Any]]:
    """The results of all parts as they come, each with its number; a part that fails is tried again."""
    from concurrent.futures import FIRST_COMPLETED, CancelledError, wait

    data, spec = sweep._compiled.dumps(), sweep._spec
    # Nothing is computed by several threads there: engines have slots for that.
    spec = {**spec, "threads": 1}
    tries = [0] * len(ranges)

    def start(number: int) -> Future[Any]:
        tries[number] += 1
        return submit(work, _FORMAT, data, spec, ranges[number], number, more)

    running = {start(number): number for number in range(len(ranges))}
    finished = 0
    try:
        while running:
            # Futures of engines of their own kind are asked by callbacks.
            done, _ = wait(list(running), return_when=FIRST_COMPLETED)
            for future in done:
                number = running.pop(future)
                try:
                    result = future.result()
                except CancelledError:
                    raise
                except Exception as error:
                    if tries[number] < _TRIES:
                        running[start(number)] = number
                        continue
                    message = f"part {number} failed {_TRIES} times, {finished} of {len(ranges)} are done: {error}"
                    raise PamelaError(message) from error
                finished += 1
                yield number, result
    finally:
        # What has not begun is not begun any more.
        for future in running:
            future.cancel()


_known: dict[str, Compiled] = {}


def _there(version: int, data: bytes, spec: dict[str, Any], span: tuple[int, int]) -> Sweep:
    """The part of a sweep in the process that computes it, which reads the model once."""
    if version != _FORMAT:
        raise PamelaError(f"the part is of format {version}, and pamela {__version__} here computes format {_FORMAT}")
    key = _checksum(data)
    if key not in _known:
        _known.clear()
        _known[key] = Compiled.loads(data)
    return Sweep._made(_known[key], spec)._part(*span)


def _summarised(version: int, data: bytes, spec: dict[str, Any], span: tuple[int, int], number: int, by: list[str]) -> bytes:
    return _there(version, data, spec, span)._sweep.summarised(by)


def _write_part(
    version: int, data: bytes, spec: dict[str, Any], span: tuple[int, int], place: int, more: tuple[str, list[int]]
) -> dict[str, Any]:
    directory, numbers = more
    path = os.path.join(directory, _name(numbers[place]))
    # Whole under its name, or not there: two that compute it write the same bytes.
    own = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        _there(version, data, spec, span).write(own, format="parquet")
        with open(own, "rb") as file:
            content = file.read()
        os.replace(own, path)
    finally:
        if os.path.exists(own):
            os.remove(own)
    return {"points": span[1] - span[0], "bytes": len(content), "checksum": _checksum(content)}


def _name(number: int) -> str:
    return f"part-{number:05}.parquet"


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest(sweep: Sweep) -> list[Any]:
    spec = {name: value for name, value in sweep._spec.items() if name != "threads"}
    return [_checksum(sweep._compiled.dumps()), json.loads(json.dumps(spec, default=str)), list(sweep._sweep.range)]


def _is_whole(path: str, known: dict[str, Any]) -> bool:
    try:
        with open(path, "rb") as file:
            return bool(_checksum(file.read()) == known["checksum"])
    except OSError:
        return False


def _read_manifest(path: str, question: dict[str, Any]) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            manifest: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        return {**question, "done": {}}
    except (OSError, ValueError) as error:
        raise PamelaError(f"`{path}` cannot be read: {error}; remove it to begin anew") from None
    for name, value in question.items():
        if manifest.get(name) != value:
            raise PamelaError(f"`{os.path.dirname(path)}` holds parts of another question ({name}); choose another directory")
    return manifest


def _write_manifest(path: str, manifest: dict[str, Any]) -> None:
    own = f"{path}.{os.getpid()}"
    with open(own, "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1, sort_keys=True)
    os.replace(own, path)


Result.__module__ = "pamela.clusters"
