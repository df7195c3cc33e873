"""Models beside measured times."""

from __future__ import annotations

import os

from . import _pamela
from ._language import language
from ._options import Naming, Wish, as_whole
from ._units import plain_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ._commands import Comparison
    from ._fits import Calibration, Prediction
    from ._model import Model

__all__ = ["Measuring"]

#: Options that are suggested for misspelt names.
_CALIBRATE = ("fit", "by", "share", "folds", "hold_out", "loss", "process", "equation", "keep", "region", "names")


def _names(given: str | Sequence[str] | None) -> list[str]:
    """One name, or several."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


class Measuring:
    """Methods of :class:`Model` that take measured times."""

    __slots__ = ()

    _model: _pamela.Model

    def _own(self) -> Model:
        raise NotImplementedError

    def _naming(self, given: Iterable[str], options: Sequence[str] = ()) -> Naming:
        return Naming(given, [*(parts[0] for parts in self._model.parameters), *self._model.equations], options)

    def compare(
        self,
        *,
        process: str | None = None,
        replications: int | None = None,
        confidence: float | None = None,
        seed: int | None = None,
        max_events: int | None = None,
        measured: Any = None,
        region: str | None = None,
        **values: Any,
    ) -> Comparison:
        """Compare the formula, bounds and estimates of a time with simulation or measurements, like ``pamela compare``.

        Parameters
        ----------
        process
            The process; ``main`` without it.
        replications, confidence, seed, max_events
            As for :meth:`simulate`.
        measured
            Measured times: a file, a frame, a dict of columns, or a :class:`Profile`.
        region
            Region of a profile.
        **values
            For each parameter a number, a list, or a text such as ``"1:8"``.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric parameter P : integer >= 1\\nresource s\\nprocess main = par (p = 1, P) use(s, 2)")
        >>> model.compare(P="1:3").rows["time"]
        [2.0, 4.0, 6.0]
        """
        from ._commands import Comparison, compare

        asked = {"process": process, "replications": replications, "confidence": confidence, "seed": seed}
        asked |= {"max_events": max_events, "region": region, "measured": measured}
        with self._naming(values, ("process", "replications", "confidence", "seed", "measured", "region")):
            return Comparison(compare(self._own(), plain_all(self._model, values), asked))

    def calibrate(
        self,
        table: str | os.PathLike[str] | Mapping[str, Any],
        *,
        fit: Sequence[str] = (),
        by: str | Sequence[str] | None = None,
        share: str | Sequence[str] = (),
        folds: int | None = None,
        hold_out: str | Sequence[str] = (),
        loss: str = "squares",
        process: str | None = None,
        equation: str | None = None,
        keep: bool = False,
        region: str | None = None,
        names: Mapping[str, str] | None = None,
        **values: Any,
    ) -> Calibration:
        """Estimate the times of a model's parts from measured times of the whole, like ``pamela calibrate``.

        The table is a file, a frame or a dict. It has columns for the parameters and ``time`` in seconds.
        Each group of rows, with equal values in the columns ``by``, has constants of its own, except those in
        ``share``. With ``folds`` or ``hold_out``, parts of the table are predicted from the others; rows with equal values
        in the columns ``hold_out`` are left out together. ``loss`` is ``squares`` or ``relative``, of relative errors, or
        ``absolute``. Raises an error if the measurements do not determine the times.

        Parameters
        ----------
        table
            The measured times; also a :class:`Profile`.
        fit
            Parameters to estimate; all without a value if it is empty.
        by, share
            Columns that make groups, and constants that the groups share.
        folds, hold_out
            How parts of the table are left out.
        loss
            What is minimised.
        process, equation
            What was measured.
        keep
            Keep runs that took far longer than others at their point.
        region, names
            Rows of a profile, and new names of columns.
        **values
            Values of other parameters.

        >>> import pamelaplus as pamela
        >>> text = "numeric parameter n : integer\\nnumeric parameter t : >= 0\\nprocess main = seq (i = 1, n) delay(t)"
        >>> found = pamela.Model(text).calibrate({"n": [1, 2, 4, 8, 16], "time": [0.5, 1.0, 2.0, 4.0, 8.0]})
        >>> round(found.values["t"], 9)
        0.5
        """
        import json

        from ._commands import Profile
        from ._fits import Calibration, table_text

        if isinstance(table, Profile):
            name, text = "profile.json", json.dumps(table.data, separators=(",", ":"))
        elif isinstance(table, (str, os.PathLike)):
            name = os.fspath(table)
            with open(name, encoding="utf-8") as file:
                text = file.read()
        else:
            name, text = "the table", table_text(table)
        given = [(own, language(own, value)) for own, value in plain_all(self._model, values).items()]
        renamed = list((names or {}).items())
        wish = Wish(
            values=given,
            fit=_names(fit),
            by=_names(by),
            share=_names(share),
            folds=folds,
            hold_out=_names(hold_out),
            loss=loss,
            process=process,
            equation=equation,
            keep=keep,
            region=region,
            names=renamed,
        )
        with self._naming(values, _CALIBRATE):
            data, parameters, left, found, notes = _pamela.calibrated(self._model, name, text, wish)
        return Calibration(json.loads(data), parameters, left, dict(found), notes, self._own())

    def predict(self, result: str, /, *, fit: str = "", draws: int = 16384, seed: int = 1, **values: Any) -> Prediction:
        """Predict a result where some numbers are not known, like ``pamela eval``.

        These are declared as ``numeric unknown``, or come from ``fit``, the text of a file of ``pamela calibrate``;
        ``values`` give the other parameters one value each, and choose the group of a fit.

        Parameters
        ----------
        result
            Name of the equation.
        fit
            Text of a file of fitted constants.
        draws, seed
            Number of draws of the unknown numbers, and their seed.
        **values
            Values of the other parameters.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("numeric unknown t = uniform(1, 3)\\nnumeric parameter n\\nnumeric f = n * t")
        >>> low, high = model.predict("f", n=10).interval(0.9)
        >>> round(low), round(high)
        (11, 29)
        """
        from ._fits import Prediction

        known = {parts[0] for parts in self._model.parameters}
        own = plain_all(self._model, {name: value for name, value in values.items() if name in known})
        given = [(name, language(name, value)) for name, value in own.items()]
        given += [(name, str(value)) for name, value in values.items() if name not in known]
        draws, seed = as_whole("draws", draws, 64, 2**21), as_whole("seed", seed, 0, 2**64 - 1)
        return Prediction(self._own(), fit, given, result, draws, seed)
