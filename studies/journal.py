"""Finished units of work in a file of JSON lines, so that a stopped study can go on and its table can be made again."""

import json
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from learning.files import add_json_line
from options import InputError
from simulator.records.file_errors import replacing
from simulator.records.json_lines import remove_half_a_line
from simulator.records.provenance import describe_machine
from studies.study import Result, Unit

FIELDS = ("unit", "result", "seconds", "commit", "machine")  # of a finished unit


def where() -> dict[str, str]:
    """The version of this project, and the machine with the versions of what is installed."""
    here = describe_machine()
    versions = ", ".join(f"{package} {here[package]}" for package in ("python", "numpy", "numba"))
    return {"commit": here["commit"], "machine": f"{here['processor']}, {here['cores']} cores; {versions}"}


def key_of(unit: Unit) -> str:
    """A text that is the same for equal units, and only for these."""
    return json.dumps(unit, sort_keys=True)


class Journal:
    """Finished units, in memory and in a file.

    Attributes:
        path: the file; None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._where = where()
        self._entries: dict[str, dict[str, Any]] = {}
        self._has_added = False
        lines = path.read_bytes().split(b"\n") if path is not None and path.exists() else []
        for number, line in enumerate(lines[:-1], 1):  # the last one may be half written, perhaps by a running study
            try:
                if line.strip():
                    self._note(json.loads(line))
            except (ValueError, TypeError, KeyError):
                print(f"{path}, line {number}, is not a finished unit and is left out", file=sys.stderr)

    def _note(self, entry: dict[str, Any]) -> None:
        self._entries[key_of(entry["unit"])] = {name: entry[name] for name in FIELDS}

    def result_of(self, unit: Unit) -> Result | None:
        """The result of a unit; None if it was not done."""
        entry = self._entries.get(key_of(unit))
        return None if entry is None else entry["result"]

    def entries(self, units: Iterable[Unit]) -> list[dict[str, Any]]:
        """What was kept of those of these units that were done: "unit", "result", "seconds", "commit", "machine"."""
        return [entry for unit in units if (entry := self._entries.get(key_of(unit))) is not None]

    def add(self, unit: Unit, result: Result, seconds: float) -> None:
        """Keep a result and its processor seconds."""
        new = {"unit": unit, "result": result, "seconds": round(seconds, 2)}
        entry = json.loads(json.dumps(new | self._where))
        self._note(entry)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._has_added and self.path.exists():
                remove_half_a_line(self.path)
            self._has_added = True
            add_json_line(self.path, entry)

    def compress(self, path: Path) -> None:
        """Write all finished units to a file that `unpack` unpacks."""
        lines = "".join(json.dumps(entry) + "\n" for entry in self._entries.values())
        with replacing(path) as file:
            file.buffer.write(lzma.compress(lines.encode(), preset=lzma.PRESET_EXTREME))


def unpack(compressed: Path, path: Path) -> None:
    """Write the file of a journal from what `Journal.compress` wrote. Raises InputError, OSError."""
    try:
        lines = lzma.decompress(compressed.read_bytes())
    except lzma.LZMAError as error:
        raise InputError(f"{compressed} is damaged ({error}): --fresh does without it") from error
    with replacing(path) as file:
        file.buffer.write(lines)
