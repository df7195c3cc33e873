"""Engines: what computes calls of Python functions elsewhere."""

from __future__ import annotations

import hashlib
import pickle

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

__all__ = ["Engine"]

#: Number of tries of a task.
_TRIES = 3
#: Most tasks that are at the engine at a time.
_AHEAD = 4096
#: More tasks than these go to the engine in groups: an engine takes about a millisecond of its caller for each.
_GROUPS = 4000


class Engine:
    """An engine, with a value that all its tasks need.

    The value is pickled once, and tasks get it by a checksum: a worker reads it once.
    """

    def __init__(self, engine: Any, shared: Any = None) -> None:
        self._close: Callable[[], None] | None = None
        if isinstance(engine, str):
            engine = self._connected(engine)
        data = pickle.dumps(shared)
        self._shared: tuple[str, Any] = (hashlib.sha256(data).hexdigest(), data)
        if hasattr(engine, "get_executor") and hasattr(engine, "scatter"):
            # One copy goes to a worker, and from there to the others that need it.
            self._scattered = engine.scatter(data, hash=False)
            self._submit = self._to_dask(engine)
        elif hasattr(engine, "submit"):
            self._submit = lambda work, *given: engine.submit(work, *self._shared, *given)
        else:
            raise TypeError(f"an engine has submit(), as of concurrent.futures.Executor, and {type(engine).__name__} has none")

    def _connected(self, address: str) -> Any:
        scheme, separator, rest = address.partition("://")
        if not separator or not rest:
            raise PamelaError(
                f'the engine {address!r} is no address; an address is "dask://host:8786", or any of a Dask scheduler'
            )
        from distributed import Client

        # Schemes of Dask itself, such as tls, ucx and inproc, are its own.
        try:
            client: Any = Client(f"tcp://{rest}" if scheme == "dask" else address)  # type: ignore[no-untyped-call, unused-ignore]
        except (OSError, ValueError) as error:
            raise PamelaError(f"no scheduler answers at {address!r}: {error}") from None
        self._close = client.close
        return client

    def _to_dask(self, client: Any) -> Callable[..., Future[Any]]:
        submit = client.get_executor(pure=False).submit
        key = self._shared[0]
        return lambda work, *given: submit(work, key, self._scattered, *given)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *reason: object) -> None:
        if self._close is not None:
            self._close()

    def results(self, work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], names: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the results of ``work(key, shared, *task)`` as they finish, each with the index of its task.

        The time of the caller is linear in the number of tasks, and many tasks go to the engine in groups. A failed task
        is tried again, alone; errors use ``names``.
        """
        from queue import SimpleQueue

        done: SimpleQueue[Future[Any]] = SimpleQueue()
        running: dict[Future[Any], range | list[int]] = {}
        tries: dict[int, int] = {}
        finished = 0

        def start(places: range | list[int]) -> None:
            future = self._submit(_several, work, [tasks[place] for place in places])
            running[future] = places
            future.add_done_callback(done.put)

        size = -(-len(tasks) // _GROUPS) or 1
        waiting = iter([range(first, min(len(tasks), first + size)) for first in range(0, len(tasks), size)])
        try:
            for places in waiting:
                start(places)
                if len(running) >= _AHEAD:
                    break
            while running:
                future = done.get()
                ended = running.pop(future)
                for place, (result, error) in zip(ended, _outcomes(future, len(ended)), strict=True):
                    if error is None:
                        finished += 1
                        yield place, result
                        continue
                    reason = error
                    tries[place] = tries.get(place, 0) + 1
                    if tries[place] < _TRIES:
                        try:
                            start([place])
                            continue
                        except Exception as refused:
                            # The engine refuses tasks, for example because one of its processes has died.
                            reason = refused
                    name = names[place] if names else place
                    message = f"part {name} failed {tries[place]} times, {finished} of {len(tasks)} are done: {reason}"
                    raise PamelaError(message) from error
                following = next(waiting, None)
                if following is not None:
                    start(following)
        finally:
            # Cancel tasks that have not started.
            for future in running:
                future.cancel()


def _several(
    key: str, data: Any, work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, Exception | None]]:
    """Compute some tasks in a worker; one that fails leaves the others their results."""
    found: list[tuple[Any, Exception | None]] = []
    for task in tasks:
        try:
            found.append((work(key, data, *task), None))
        except Exception as error:
            found.append((None, error))
    return found


def _outcomes(future: Future[Any], count: int) -> list[tuple[Any, Exception | None]]:
    """The results or errors of the tasks of a future; a cancelled one is an error of the caller."""
    from concurrent.futures import CancelledError

    try:
        return future.result()  # type: ignore[no-any-return]
    except CancelledError:
        raise
    except Exception as error:
        return [(None, error)] * count


_known: dict[str, Any] = {}


def shared(key: str, data: Any) -> Any:
    """Return the shared value in a worker, which reads it once."""
    if key not in _known:
        _known.clear()
        _known[key] = pickle.loads(data)
    return _known[key]
