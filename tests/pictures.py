"""Where things are in the picture of a board, and how keys lead to them."""

from typing import Any

from board_view import DIRECTIONS, Area, Picture, Target


def area_of(picture: Picture, target: Target) -> Area:
    """The area where a target can be clicked."""
    return next(area for area in picture.areas if area.target == target)


def ways_from(start: Target, view: Any, position: Any, chosen: tuple[Target, ...] = ()) -> dict[Target, list[str]]:
    """By each target that arrow keys reach from `start`, the keys that lead there."""
    ways: dict[Target, list[str]] = {start: []}
    waiting = [start]
    for here in waiting:
        for key in DIRECTIONS:
            there = view.beside(position, chosen, here, key)
            if there not in ways:
                ways[there] = [*ways[here], key]
                waiting.append(there)
    return ways
