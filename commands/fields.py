"""Options of command lines from the table of settings, `simulator/tournament/fields.py`."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from commands.parameters import Finite, FiniteRange, options
from simulator.tournament.fields import BY_KEY, Field, Kind


def field_options(*keys: str) -> Callable[[Any], Any]:
    """The options for these settings, in this order. They have no defaults: what is not given, a file may say."""
    return options(*(_option(BY_KEY[key]) for key in keys))


def _option(field: Field) -> Callable[[Any], Any]:
    shown = f"{field.help}  [default: {field.default}]" if field.default else field.help
    if field.kind.type is bool:
        return click.option(f"--{field.key}", is_flag=True, default=None, help=shown)
    return click.option(f"--{field.key}", type=_click_type(field.kind), metavar=field.metavar or None, help=shown)


def _click_type(kind: Kind) -> click.ParamType[Any]:
    if kind.choices:
        return click.Choice(kind.choices)
    least = None if kind.least == float("-inf") else kind.least
    if kind.type is int:
        return click.IntRange(min=None if least is None else int(least))
    if kind.type is float:
        return Finite() if least is None else FiniteRange(min=least, min_open=kind.is_open)
    return _Pattern(kind) if kind.pattern is not None else click.STRING


class _Pattern(click.ParamType[Any]):
    """A text that fits the pattern of a kind."""

    name = "text"

    def __init__(self, kind: Kind) -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text."""
        if not self._kind.accepts(value):
            self.fail(f"expected {self._kind}, not {value!r}", param, ctx)
        return value


def given(flags: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on a command line, by the keys of settings."""
    return {name.replace("_", "-"): value for name, value in flags.items() if value is not None}
