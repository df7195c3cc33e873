"""``pamela sweep .. --engine dask://host:8786 --parts DIR``: computes the parts on an engine."""

from __future__ import annotations

import os
import subprocess
import sys

from ._errors import PamelaError, in_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["sweep_on"]


def _without(words: Sequence[str], *options: str) -> tuple[list[str], str | None]:
    """Remove some options with their values; also return the last value."""
    kept: list[str] = []
    value = None
    left = iter(words)
    for word in left:
        short = [option for option in options if len(option) == 2 and word.startswith(option)]
        name, equals, rest = word.partition("=")
        if word == "--":
            kept += [word, *left]
        elif word in options:
            value = next(left, None)
        elif equals and name in options:
            value = rest
        elif short:
            value = word[2:]
        else:
            kept.append(word)
    return kept, value


def _pamela(words: Sequence[str], directory: str) -> str:
    """Run the command and return its output; raise its message if it fails."""
    command = [sys.executable, "-m", "pamelaplus", *words]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PamelaError(in_python(done.stderr.strip()) or f"pamela ended with {done.returncode}")
    return done.stdout


def _part(key: str, data: Any, words: Sequence[str]) -> None:
    from ._engines import shared

    _pamela(words, shared(key, data))


def sweep_on(words: Sequence[str]) -> int:
    """Run a ``sweep`` command with an engine; return its exit code."""
    from ._engines import Engine

    words, address = _without(words, "--engine")
    here = os.getcwd()
    try:
        if not any(word == "--parts" or word.startswith("--parts=") for word in words):
            raise PamelaError("`--engine` computes parts: `--parts DIR` says where they are written")
        sweep, _ = _without(words, "-o", "--output")
        missing = [int(number) for number in _pamela([*sweep, "--missing"], here).split()]
        # The engine provides the parallelism, so each part uses one thread.
        alone = [] if any(word.startswith("--threads") for word in sweep) else ["--threads", "1"]
        with Engine(address or "", here) as engine:
            tasks = [([*sweep, *alone, "--part", str(number)],) for number in missing]
            for _ in engine.results(_part, tasks, missing):
                pass
    except PamelaError as error:
        print(f"{error}" if str(error).startswith("error") else f"error: {error}", file=sys.stderr)
        return 1
    from ._pamela import command

    return command(["pamela", *words])
