"""Texts from anywhere, made fit to be shown and kept: an agent's output, the names of its files."""

LONGEST_LINE = 300  # characters


def printable(text: str, longest: int = LONGEST_LINE) -> str:
    """A line of at most so many characters that can all be printed; its spaces stay, so that columns do.

    Tabs become spaces. So do control characters, surrogates, and marks that turn the direction of writing.

    >>> printable("  File x.py\\x1b[2J\\n\\t^ here  ")
    '  File x.py [2J         ^ here'
    """
    spaced = text[: longest + 1].expandtabs()
    line = "".join(character if character.isprintable() else " " for character in spaced).rstrip()
    return line if len(line) <= longest else line[: longest - 3] + "..."
