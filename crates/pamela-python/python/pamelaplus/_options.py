"""Options that stand beside the values of parameters."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ._model_parts import Parameter

#: Default of options that were not given.
NONE: tuple[()] = ()


class Wish:
    """Options by name."""

    def __init__(self, **wishes: Any) -> None:
        self.__dict__.update(wishes)


def check_names(given: Iterable[str], own: Sequence[str], options: Sequence[str] = ()) -> None:
    """Reject a name that is neither of the model nor of an option."""
    for name in given:
        if name in own:
            continue
        # Imported for an error only.
        from difflib import get_close_matches

        near = get_close_matches(name, [*own, *options], n=1)
        kind = "option" if near and near[0] in options else "parameter"
        hint = f"; did you mean the {kind} `{near[0]}`?" if near else ""
        known = f"it has {', '.join(own)}" if own else "it has no parameters"
        also = ", and there is no option of this name" if options else ""
        raise PamelaError(f"the model has no parameter `{name}`{also}; {known}{hint}")


class Naming:
    """Turns an error about given names into one that names the parameter or option that was probably meant."""

    def __init__(self, given: Iterable[str], own: Sequence[str], options: Sequence[str]) -> None:
        self._asked = (given, own, options)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, PamelaError):
            check_names(*self._asked)


def suggesting(owner: type, *methods: str) -> None:
    """Make methods name the option that was probably meant when they get an unknown one."""
    for name in methods:
        setattr(owner, name, _suggesting(owner.__dict__[name]))


def _suggesting(method: Any) -> Any:
    if isinstance(method, classmethod):
        return classmethod(_suggesting(method.__func__))

    def called(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except TypeError as error:
            raise (_unknown(method, named) or error) from None

    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        setattr(called, name, getattr(method, name))
    called.__wrapped__ = method  # type: ignore[attr-defined]
    return called


def _unknown(method: Any, named: Mapping[str, Any]) -> TypeError | None:
    """The error for a keyword that the method does not have."""
    # Imported for an error only.
    from difflib import get_close_matches
    from inspect import signature

    own = [name for name, parameter in signature(method).parameters.items() if parameter.kind == parameter.KEYWORD_ONLY]
    for name in named:
        if name not in own:
            near = get_close_matches(name, own, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"its options are {', '.join(own)}"
            return TypeError(f"{method.__name__}() has no option `{name}`; {hint}")
    return None


def check_options(parameters: Sequence[Parameter], given: Mapping[str, Any], **options: bool) -> None:
    """Reject an option with the name of a parameter that has no value; the caller probably meant the parameter."""
    own = {parameter.name for parameter in parameters}
    for option, is_used in options.items():
        if is_used and option in own and option not in given:
            raise PamelaError(
                f"`{option}` is an option here, and a parameter of the model, too: give the parameter in a dict, "
                f'{{"{option}": ..}}, where one is taken, or by Model.define(..)'
            )


def joined(values: Mapping[str, Any] | None, named: Mapping[str, Any]) -> dict[str, Any]:
    """Join the values of a dict and of keywords."""
    if values is None:
        return {**named}
    if not hasattr(values, "keys") or hasattr(values, "columns"):
        kind = type(values).__name__
        hint = "; add_to(..) adds values to a table" if hasattr(values, "columns") else ""
        raise TypeError(f"values of parameters are a dict or keywords, and this is of type {kind}{hint}")
    return {**values, **named}


def no_key(kind: str, name: object, known: Iterable[str]) -> KeyError:
    """The error for a name that a mapping does not have."""
    # Imported for an error only.
    from difflib import get_close_matches

    known = list(known)
    near = get_close_matches(str(name), known, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}" if known else "there is none"
    return KeyError(f"no {kind} `{name}`; {hint}")


def given_of(
    parameters: Sequence[Parameter], values: Mapping[str, Any] | None, named: Mapping[str, Any], **options: bool
) -> dict[str, Any]:
    """Join the values of parameters from a dict and from keywords."""
    given = joined(values, named)
    check_options(parameters, given, **options)
    return given


def as_conditions(given: str | Sequence[str]) -> list[str]:
    """Convert one or several conditions to texts."""
    single = isinstance(given, str) or not hasattr(given, "__iter__")
    conditions: list[Any] = [given] if single else list(given)
    for condition in conditions:
        if not isinstance(condition, str):
            raise TypeError(f'a condition is a text, such as "P > 1", and this is of type {type(condition).__name__}')
    return conditions


def as_quantiles(given: Any) -> list[float]:
    """Convert one or several probabilities."""
    try:
        found = [float(p) for p in given] if hasattr(given, "__iter__") and not isinstance(given, str) else [float(given)]
    except (TypeError, ValueError):
        raise TypeError(f"quantiles are probabilities, such as [0.5, 0.99], and not {given!r}") from None
    for p in found:
        if not 0 <= p <= 1:
            raise PamelaError(f"a quantile of {p} is asked for: a probability from 0 to 1 is expected")
    return found


def as_whole(name: str, value: Any, least: int, most: int) -> int:
    """Convert an option to a whole number."""
    try:
        number = int(value.__index__())
    except AttributeError:
        raise TypeError(f"`{name}` is of type {type(value).__name__}: a whole number is expected") from None
    if not least <= number <= most:
        raise PamelaError(f"`{name}` is {number}: a whole number from {least} to {most} is expected")
    return number


def as_threads(value: int) -> int:
    """Number of threads; 0 means as many as the machine has."""
    return as_whole("threads", value, 0, 255)


def as_share(name: str, value: Any) -> float:
    """Convert an option to a number strictly between 0 and 1."""
    try:
        share = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` is {value!r}: a share above 0 and below 1 is expected, such as 0.01") from None
    if not 0 < share < 1:
        raise PamelaError(f"`{name}` is {share}: a share above 0 and below 1 is expected, such as 0.01")
    return share
