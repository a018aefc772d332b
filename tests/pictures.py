"""Where things are in the picture of a board."""

from board_view import Area, Picture, Target


def area_of(picture: Picture, target: Target) -> Area:
    """Where a target can be clicked."""
    return next(area for area in picture.areas if area.target == target)
