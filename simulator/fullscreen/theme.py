"""Colours: a wooden board, which is readable on any terminal with 256 colours, and the terminal's own colours.

With 16 colours or none (`NO_COLOR`), only the terminal's own foreground and background are used, with bold, dim,
underlined and reversed text: that is readable in a light palette and in a dark one.
"""

import os
from collections.abc import Mapping
from functools import cache
from typing import Literal

from rich.style import Style
from textual.widget import Widget

from board_view import Mark, Role
from options import InputError

ThemeName = Literal["auto", "dark", "light", "ansi"]
TEXTUAL_THEMES: Mapping[ThemeName, str] = {"dark": "textual-dark", "light": "textual-light", "ansi": "ansi-dark"}

# Contrast of white and of black text with each of these backgrounds is 4:1 or more.
_WOOD = {
    "plain": "#2a1a08 on #9a6c3c",
    "grid": "#3a2409 on #9a6c3c",
    "label": "bold #fff4e0 on #9a6c3c",
    "empty": "#2a1a08 on #9a6c3c",
    "white": "bold #ffffff on #9a6c3c",
    "black": "bold #000000 on #9a6c3c",
    "white ghost": "italic #f7e3c0 on #85592b",
    "black ghost": "italic #1c0f02 on #b08250",
    "button": "bold #ffffff on #5a3712",
}
_WOOD_MARKS: Mapping[Mark, str] = {  # backgrounds; if a span has several marks, the first one here counts
    "cursor": "on #6b7f2a",
    "win": "on #c8402f",
    "last": "on #587a9c",
    "turned": "on #587a9c",
    "changed": "on #85592b",
}
_OWN = {
    "plain": "default on default",
    "grid": "dim default on default",
    "label": "default on default",
    "empty": "dim default on default",
    "white": "bold default on default",
    "black": "magenta on default",
    "white ghost": "dim default on default",
    "black ghost": "dim magenta on default",
    "button": "underline default on default",
}
_OWN_MARKS: Mapping[Mark, str] = {
    "cursor": "reverse not dim",
    "win": "reverse bold",
    "last": "underline bold not dim",
    "turned": "bold not dim",
    "changed": "not dim",
}


def wants_no_colour() -> bool:
    """Whether the person wants no colours at all."""
    return bool(os.environ.get("NO_COLOR"))


def next_theme(name: ThemeName) -> ThemeName:
    """The theme after this one, in the order of TEXTUAL_THEMES. Raises InputError if no colours are wanted."""
    if wants_no_colour():
        raise InputError("NO_COLOR is set: there are no colours to choose")
    names = list(TEXTUAL_THEMES)
    return names[(names.index(name) + 1) % len(names)]


def wanted_theme(name: ThemeName, color_system: str | None) -> ThemeName:
    """Which of `dark`, `light` and `ansi` is used; `auto` decides by what the terminal says of itself.

    By `auto`, a terminal of 16 colours or fewer (rich's "color system") is drawn in its own colours. Some terminals set
    `COLORFGBG`: its last number is the background, and 7 and 15 are light.
    """
    if wants_no_colour():
        return "ansi"
    if name != "auto":
        return name
    if color_system not in ("256", "truecolor"):
        return "ansi"
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"


def is_ascii(widget: Widget) -> bool:
    """Whether only ASCII characters are wanted: the class of this name of the application says so."""
    return widget.app.has_class("ascii")


@cache
def board_style(role: Role, marks: frozenset[Mark], first: str, is_own: bool) -> Style:
    """The style of a span of a board; `first` moves first, "w" or "b"; `is_own` means the terminal's own colours."""
    styles, backgrounds = (_OWN, _OWN_MARKS) if is_own else (_WOOD, _WOOD_MARKS)
    colours = ("white", "black") if first == "w" else ("black", "white")
    name = role.replace("first", colours[0]).replace("second", colours[1])
    style = Style.parse(styles[name])
    mark = next((mark for mark in backgrounds if mark in marks), None)
    if mark is None:
        return style
    marked = style + Style.parse(backgrounds[mark])
    return marked + Style(color="#ffffff", bold=True) if name in ("label", "button") and not is_own else marked
