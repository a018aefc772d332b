"""The options of an agent: how they are declared, and how texts are read as their values.

default_options = {"depth": 3}                                                    # read as a whole number
default_options = declare(DeclaredOption("depth", int, 3, 1, 64, help="Plies."))  # also checked, and explained
"""

from collections.abc import Mapping

from options import SWITCH, DeclaredOption, InputError, OptionError, close_name

Option = int | float | str | bool  # the value of an option, of the type of its default


def declare(*options: DeclaredOption) -> dict[str, DeclaredOption]:
    """The declarations by their names, for `Agent.default_options`."""
    return {option.name: option for option in options}


def default_of(option: Option | DeclaredOption) -> Option:
    """The default of an option, which is given as that value or as a declaration."""
    default: Option = option.default if isinstance(option, DeclaredOption) else option
    return default


def typed_options(agent: str, known: Mapping[str, Option | DeclaredOption], given: dict[str, str]) -> dict[str, Option]:
    """The value of each option: the given text, read as the option is declared, or the default. Raises InputError."""
    defaults = {name: default_of(option) for name, option in known.items()}
    unknown = sorted(set(given) - set(defaults))
    if unknown:
        texts = ", ".join(f"{key}={value}" for key, value in defaults.items()) or "none"
        meant = close_name(unknown[0], defaults)
        hint = f"did you mean {meant}? Its" if meant else "its"
        raise InputError(f"{agent} has no option {unknown[0]!r}; {hint} options and their defaults: {texts}")
    return defaults | {name: _read_option(agent, name, known[name], text) for name, text in given.items()}


def _read_option(agent: str, name: str, option: Option | DeclaredOption, text: str) -> Option:
    """The value that a text means. Raises InputError."""
    if isinstance(option, DeclaredOption):
        try:
            value: Option = option.read(text)
        except OptionError as error:
            raise InputError(f"{agent}: {error}") from error
        return value
    kind = type(option)
    try:
        return SWITCH[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError) as error:
        raise InputError(f"{agent}: {name}={text} is not of the type {kind.__name__}") from error
