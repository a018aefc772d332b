"""Compiled code that is carried to other machines: made for a portable processor, packed, and read from a zip file.

A zip file has the files of a folder of compiled code (see `jit/folder.py`) and a manifest: for which Python, numba,
system, processor and sources it was made, and the SHA-256 of each file. A reader reads a bounded number of bytes, and
only files whose names the manifest has and that can lead nowhere else. A correct SHA-256 says that a file is what its
maker packed, not that it is harmless: compiled code is executed as it is found.

    python -m simulator.player.kernels pentago,go uct_agent    compiles for the processor that numba's variables name
"""

import functools
import hashlib
import io
import itertools
import json
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

from agents.agent import parse_agent
from game import game_names, load_game
from jit import CACHE_FOLDER, PROJECT, jitted_sources, project_environment
from jit.folder import MANIFEST, MARK, folder_names, put
from jit.processors import PORTABLE, Processor, own_processor
from options import InputError
from simulator.gtp.syntax import printable
from simulator.player.compile_ahead import compile_ahead

DEFAULT_PROCESSOR = "x86-64-v3"  # of 2013 and later
PACKAGED_AGENTS = ("uct_agent", "level_agent", "greedy_agent", "random_agent")  # the README's first games need these
FORMAT = 1
MB = 1 << 20
MOST_BYTES = 256 * MB  # of a zip file, and of all that is in it
MOST_MANIFEST_BYTES = 4 * MB
SHOWN_SOURCES = 3
_KEPT = (".nbc", MARK)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NAME = re.compile(r"([A-Za-z_][\w.-]*/)?[A-Za-z_][\w=,.-]*", re.ASCII)  # a file, or a file in a folder
_SHA256 = re.compile("[0-9a-f]{64}")


def compile_for_processor(processor: Processor, parent: Path, games: Iterable[str], agents: Iterable[str]) -> Path:
    """Compile what agents need for games, in another process, which prints what it does. Returns the folder.

    Raises ChildProcessError if that process fails or compiles nothing.
    """
    environment = {
        "NUMBA_CPU_NAME": processor.name,
        "NUMBA_CPU_FEATURES": processor.features,
        "UNFORCED_CACHE": str(parent),
    }
    if processor != own_processor():
        environment["NUMBA_DISABLE_INTEL_SVML"] = "1"  # a library that other machines may lack
    command = [sys.executable, "-P", "-m", "simulator.player.kernels", ",".join(games), ",".join(agents)]
    folder = parent / folder_names(processor)[0]
    if subprocess.run(command, env=project_environment() | environment, check=False).returncode or not any(
        folder.glob(f"*{MARK}")
    ):
        raise ChildProcessError("nothing could be compiled")
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder of compiled code, by their paths in it."""
    files = (file for file in sorted(folder.rglob("*")) if file.suffix in _KEPT and file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def manifest_of(files: Mapping[str, bytes], processor: str) -> dict[str, Any]:
    """The manifest of files that were compiled here for a portable processor; `files` has their contents by path."""
    return {
        "format": FORMAT,
        **_here(),
        "processor": processor,
        "sources": _sources(),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }


def package(parent: Path) -> None:
    """Compile PACKAGED_AGENTS for all games into a folder of `parent`, where an installed package looks for it."""
    with tempfile.TemporaryDirectory() as place:
        folder = compile_for_processor(PORTABLE[DEFAULT_PROCESSOR], Path(place), game_names(), PACKAGED_AGENTS)
        files = files_of(folder)
    manifest = json.dumps(manifest_of(files, DEFAULT_PROCESSOR)).encode()
    put(parent / folder.name, {**files, MANIFEST: manifest}.items())


def _here() -> dict[str, str]:
    """What compiled code depends on apart from its sources and the processor."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "numba": numba.__version__, "system": binding.get_process_triple()}


def _sources() -> dict[str, str]:
    return {str(path.relative_to(PROJECT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in jitted_sources()}


def read_kernels(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest of a zip file, and the contents of its files by path.

    Raises InputError for a file that is no such zip file or was changed, OSError if it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InputError(f"{path} has more than {MOST_BYTES // MB} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            manifest = _checked(json.loads(_member(archive, MANIFEST, MOST_MANIFEST_BYTES)))
            files, left = {}, MOST_BYTES
            for name, sha256 in manifest["files"].items():
                files[name] = _member(archive, name, left)
                left -= len(files[name])
                if hashlib.sha256(files[name]).hexdigest() != sha256:
                    raise InputError(f"{name} in it was changed after it was packed")
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{path} is not a file of compiled code: {printable(str(error))}") from error
    except ValueError as error:  # an InputError is one
        raise InputError(f"{path}: {printable(str(error))}") from error
    return manifest, files


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """The content of a file of an archive. Raises ValueError above `most` bytes, whatever size the archive claims."""
    entry = archive.getinfo(name)
    if entry.compress_type not in _METHODS:
        raise ValueError(f"{name} is compressed by a method other than deflate")
    with archive.open(entry) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError("it is too large when it is unpacked")
    return data


def _checked(manifest: Any) -> dict[str, Any]:
    """The same manifest, checked. Raises ValueError if an entry is missing, or a file has a forbidden name."""
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ValueError("it was made by another version of this program")
    texts = [manifest.get(key) for key in (*_here(), "processor")]
    tables = [manifest.get(key) for key in ("sources", "files")]
    for table in tables:
        texts += table.values() if isinstance(table, dict) else [table]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("its manifest is incomplete")
    for name, sha256 in manifest["files"].items():
        if not (_NAME.fullmatch(name) and name.endswith(_KEPT) and _SHA256.fullmatch(sha256)):
            raise ValueError(f"a file of compiled code cannot be called {name}")
    return manifest


def objections(manifest: Mapping[str, Any]) -> list[str]:
    """Why the code of a manifest cannot be used on this machine, in words; empty if it can."""
    words = {"python": "Python", "numba": "numba", "system": "the system"}
    found = [
        f"it was made for {words[key]} {printable(manifest[key])}, and this is {here}"
        for key, here in _here().items()
        if manifest[key] != here
    ]
    name = manifest["processor"]
    if name not in PORTABLE:
        found.append(f"it was made for the processor {printable(name)}, which is not one of {', '.join(PORTABLE)}")
    elif lacking := own_processor().lacks(PORTABLE[name]):
        found.append(f"it was made for {name} processors, and this one lacks {', '.join(lacking)}")
    there, here_too = manifest["sources"], _sources()
    if names := sorted(name for name in {*there, *here_too} if there.get(name) != here_too.get(name)):
        more = f" and {len(names) - SHOWN_SOURCES} more" if len(names) > SHOWN_SOURCES else ""
        shown = ", ".join(printable(name, 80) for name in names[:SHOWN_SOURCES])
        found.append(f"it was made from other sources, which differ in {shown}{more}")
    return found


def _compile(games: Iterable[str], agents: Iterable[str]) -> None:
    """Compile for the processor that numba's variables name, and print which agents needed nothing or failed."""
    assert CACHE_FOLDER is not None
    for game, agent in itertools.product(games, agents):
        marks = set(CACHE_FOLDER.glob(f"*{MARK}"))
        say = functools.partial(print, f"{game}:", flush=True)
        compile_ahead(load_game(game), [parse_agent(agent)], say)
        if marks == set(CACHE_FOLDER.glob(f"*{MARK}")):
            say(f"{agent} needs nothing more, or could not be set up")


if __name__ == "__main__":
    _compile(*(text.split(",") for text in sys.argv[1:3]))
