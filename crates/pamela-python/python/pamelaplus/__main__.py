"""The program ``pamela``: ``python -m pamelaplus``, or the command that the wheel installs."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command given on the command line, then exit."""
    from ._pamela import command

    # The command handles signals itself, or is ended by them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    words = sys.argv[1:]
    if words[:1] == ["sweep"] and any(word == "--engine" or word.startswith("--engine=") for word in words):
        from ._engine import sweep_on

        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(sweep_on(words))
    sys.exit(command(["pamela", *words]))


if __name__ == "__main__":
    main()
