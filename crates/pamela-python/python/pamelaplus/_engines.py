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

        The time of the caller is linear in the number of tasks. A failed task is tried again; errors use ``names``.
        """
        from concurrent.futures import CancelledError
        from queue import SimpleQueue

        done: SimpleQueue[Future[Any]] = SimpleQueue()
        running: dict[Future[Any], int] = {}
        tries: dict[int, int] = {}
        finished = 0

        def start(place: int) -> None:
            future = self._submit(work, *tasks[place])
            running[future] = place
            future.add_done_callback(done.put)

        waiting = iter(range(len(tasks)))
        try:
            for place in waiting:
                start(place)
                if len(running) >= _AHEAD:
                    break
            while running:
                future = done.get()
                place = running.pop(future)
                try:
                    result = future.result()
                except CancelledError:
                    raise
                except Exception as error:
                    reason = error
                    tries[place] = tries.get(place, 1) + 1
                    if tries[place] <= _TRIES:
                        try:
                            start(place)
                            continue
                        except Exception as refused:
                            # The engine refuses tasks, for example because one of its processes has died.
                            reason = refused
                    name = names[place] if names else place
                    count = min(tries[place], _TRIES)
                    message = f"part {name} failed {count} times, {finished} of {len(tasks)} are done: {reason}"
                    raise PamelaError(message) from error
                finished += 1
                following = next(waiting, None)
                if following is not None:
                    start(following)
                yield place, result
        finally:
            # Cancel tasks that have not started.
            for future in running:
                future.cancel()


_known: dict[str, Any] = {}


def shared(key: str, data: Any) -> Any:
    """Return the shared value in a worker, which reads it once."""
    if key not in _known:
        _known.clear()
        _known[key] = pickle.loads(data)
    return _known[key]
