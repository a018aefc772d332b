"""Agents that are named by the zip file of their submission, for a match or tournament."""

import re
from collections.abc import Sequence
from pathlib import Path

from options import InputError
from simulator.submission.archive import unpack_beside
from simulator.submission.files import SubmissionError
from simulator.tournament.toml_file import NamedAgent

_ZIP = re.compile(r"([^:@]*\.zip)([:@].*)?", re.DOTALL)


def without_zips(agents: Sequence[NamedAgent]) -> list[NamedAgent]:
    """The same agents, with the unpacked file in the place of each zip file, which gives its name.

    Raises InputError with a line for each zip file that is refused.
    """
    found, refused = list[NamedAgent](), list[str]()
    for agent in agents:
        match = _ZIP.fullmatch(agent.text)
        if match is None or agent.text.startswith("gtp:"):
            found.append(agent)
            continue
        try:
            path = Path(match[1])
            submission = unpack_beside(path)
            # As relative as the zip file's path: on other machines of a cluster the same folder may be elsewhere.
            folder = path.parent / submission.folder.relative_to(path.parent.resolve())
            found.append(
                agent._replace(text=f"{folder / submission.agent}{match[2] or ''}", name=agent.name or path.stem)
            )
        except SubmissionError as error:
            refused.append(f"{match[1]}: {error}; {error.advice}")
    if refused:
        raise InputError("\n".join(["submissions that cannot play:", *refused]))
    return found
