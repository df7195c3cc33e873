"""Parts of tables in places that fsspec opens, such as ``s3://bucket/study``."""

from __future__ import annotations

import os
import tempfile

from . import _pamela
from ._engines import Engine
from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ._sweep import Sweep
    from .clusters import Running

#: The files of a directory of parts: what was asked for, what is done, and that all is.
_REQUEST, _DONE, _END = "_pamela.json", "_done", "_SUCCESS"


def place_of(url: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there."""
    try:
        import fsspec
    except ImportError:
        raise PamelaError(f"`{url}` is opened by fsspec: pip install fsspec") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise PamelaError(f"`{url}` cannot be opened: {error}") from None
    return system, path.rstrip("/")


def write(url: str, to_file: Callable[[str], None]) -> None:
    """Write a file on this machine, then where the address says."""
    system, path = place_of(url)
    with tempfile.TemporaryDirectory() as directory:
        own = os.path.join(directory, "table")
        to_file(own)
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        system.put_file(own, path)


def written(sweep: Sweep, engine: Any, url: str, count: int | None) -> Running:
    """Compute the missing parts of a table, and write each to its place from the worker that computed it."""
    from .clusters import _FORMAT, Result, Running, _message

    system, path = place_of(url)
    with tempfile.TemporaryDirectory() as directory:
        parts = _pamela.Parts(sweep._compiled._compiled, sweep._sweep, directory, count)
        with open(os.path.join(directory, _REQUEST), "rb") as file:
            request = file.read()
        number_of_parts = parts.count
    system.makedirs(path, exist_ok=True)
    if not system.exists(f"{path}/{_REQUEST}"):
        system.pipe_file(f"{path}/{_REQUEST}", request)
    elif system.cat_file(f"{path}/{_REQUEST}") != request:
        raise PamelaError(f"`{url}` has parts of another sweep: give this one an empty directory")
    missing = [number for number in range(number_of_parts) if not _is_there(system, path, number)]
    left = set(missing)
    there = Engine(engine, _message(sweep))

    def steps() -> Iterator[int]:
        tasks = [(_FORMAT, sweep._sweep.range, number, url, count) for number in missing]
        for place, _ in there.results(_write, tasks, missing):
            left.discard(missing[place])
            yield missing[place]

    def end() -> Result:
        with there:
            if not left:
                system.pipe_file(f"{path}/{_END}", b"")
        return Result(sorted(left), url, None)

    return Running(len(missing), steps(), end)


def _names(number: int) -> tuple[str, str]:
    """Names of a part, and of its record."""
    return f"part-{number:05}.parquet", f"{_DONE}/part-{number:05}.json"


def _is_there(system: Any, path: str, number: int) -> bool:
    import json

    part, record = _names(number)
    try:
        size = json.loads(system.cat_file(f"{path}/{record}"))["bytes"]
        return bool(system.size(f"{path}/{part}") == size)
    except (FileNotFoundError, ValueError, KeyError):
        return False


def _write(key: str, data: Any, version: int, span: tuple[int, int], number: int, url: str, count: int | None) -> None:
    from .clusters import _there

    sweep = _there(key, data, version, span)
    system, path = place_of(url)
    with tempfile.TemporaryDirectory() as directory:
        _pamela.Parts(sweep._compiled._compiled, sweep._sweep, directory, count).write(number)
        system.makedirs(f"{path}/{_DONE}", exist_ok=True)
        # The record comes last: a part without one is computed again.
        for name in _names(number):
            system.put_file(os.path.join(directory, name), f"{path}/{name}")
