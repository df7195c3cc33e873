"""Performance models of parallel programs as closed-form formulas that state their domain.

>>> import pamelaplus as pamela
>>> model = pamela.Model('''
...     numeric parameter P : integer >= 1   % clients
...     numeric parameter N : integer >= 1   % requests of each
...     numeric parameter tl : >= 0          % local processing
...     numeric parameter ts : >= 0          % service
...     resource s = fcfs(0, 1)
...     process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
... ''')
>>> model.simplify()["time_main"]
time_main = max(N * P * ts + tl, N * tl + ts * (N + P - 1))
>>> fast = model.compile()
>>> fast.at(P=100, N=1000, tl=10, ts=0.1)["time_main"]
10109.9
>>> fast(P=[1, 10, 1000], N=1000, tl=10, ts=0.1)["time_main"]
array([ 10100. ,  10100.9, 100010. ])
"""

from __future__ import annotations

from ._errors import Diagnostic, PamelaError, Unfinished
from ._model import Model
from ._model_parts import Parameter
from ._pamela import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import clusters, law
    from ._commands import Comparison, Machine, Profile, machine, profile
    from ._compiled import Compiled
    from ._fits import Calibration, Fit, Prediction, fit
    from ._formula import Formula, Simplified
    from ._formula_parts import Crossing, Premise, Regime, Step
    from ._law import Law
    from ._page import Page
    from ._picture import Picture
    from ._results import Optimum, Report, Solution
    from ._stream import Stream
    from ._sweep import Sweep
    from ._table import Table
    from ._values import Evaluated, Values

__all__ = [
    "Calibration",
    "Comparison",
    "Compiled",
    "Crossing",
    "Diagnostic",
    "Evaluated",
    "Fit",
    "Formula",
    "Law",
    "Machine",
    "Model",
    "PamelaError",
    "Parameter",
    "Premise",
    "Regime",
    "Simplified",
    "Solution",
    "Step",
    "Stream",
    "Sweep",
    "Table",
    "Optimum",
    "Page",
    "Picture",
    "Prediction",
    "Profile",
    "Report",
    "Unfinished",
    "Values",
    "__version__",
    "clusters",
    "fit",
    "law",
    "machine",
    "profile",
]


if not TYPE_CHECKING:
    # Imported on first use.
    _LATER = {
        "Calibration": "_fits",
        "Comparison": "_commands",
        "Compiled": "_compiled",
        "Crossing": "_formula_parts",
        "Evaluated": "_values",
        "Formula": "_formula",
        "Machine": "_commands",
        "Profile": "_commands",
        "machine": "_commands",
        "profile": "_commands",
        "Premise": "_formula_parts",
        "Prediction": "_fits",
        "Regime": "_formula_parts",
        "Simplified": "_formula",
        "Step": "_formula_parts",
        "Values": "_values",
        "Fit": "_fits",
        "Law": "_law",
        "Optimum": "_results",
        "Page": "_page",
        "Picture": "_picture",
        "Report": "_results",
        "Solution": "_results",
        "Stream": "_stream",
        "Sweep": "_sweep",
        "Table": "_table",
        "fit": "_fits",
    }

    def __getattr__(name: str) -> object:
        import importlib

        if name in ("clusters", "law"):
            return importlib.import_module(f"pamelaplus.{name}")
        if name not in _LATER:
            raise AttributeError(f"module 'pamelaplus' has no attribute {name!r}")
        found = getattr(importlib.import_module(f"pamelaplus.{_LATER[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return __all__


def load_ipython_extension(shell: object) -> None:
    """Register ``%%pamela name`` for notebooks, after ``%load_ext pamelaplus``."""
    from .notebook import load_ipython_extension as load

    load(shell)
