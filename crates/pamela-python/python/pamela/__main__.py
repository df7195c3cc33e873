"""The program ``pamela``: ``python -m pamela``, or the command that the wheel installs."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Runs the command that the process was started with, and ends the process."""
    from ._pamela import command

    # The command waits for signals itself, or ends by them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.exit(command(["pamela", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
