"""What pip calls to build the package: setuptools; a wheel also gets compiled code, for the Python that builds it.

The installed package plays at once on that Python with the same numba, on a processor of DEFAULT_PROCESSOR's features
(`simulator/player/kernels.py`); elsewhere it compiles, as it would without. So the wheel's name says which Python and
platform it is for. UNFORCED_NO_KERNELS=1 makes one without, for any; so does a build in which compiling fails.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  (the other functions that pip calls)
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

WITHOUT_KERNELS = os.environ.get("UNFORCED_NO_KERNELS", "0") not in ("", "0")
COMPILERS = re.compile("(numpy|numba|psutil)[<>=]")  # what compiling imports of requirements.txt
MAKE = "import pathlib, sys; from simulator.player.kernels import package; package(pathlib.Path(sys.argv[1]))"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """The packages that building a wheel takes."""
    lines = [] if WITHOUT_KERNELS else Path("requirements.txt").read_text(encoding="utf-8").splitlines()
    return [*build_meta.get_requires_for_build_wheel(config_settings), *filter(COMPILERS.match, lines)]


class BuildWithKernels(build_py):  # type: ignore[misc]
    """Copies the modules, and compiles what they need where they are now: an installed package has the same sources."""

    def run(self) -> None:
        """Do it."""
        super().run()
        if self.editable_mode:
            return
        modules = Path(self.build_lib).absolute()
        kernels = modules / "jit" / "kernels"
        shutil.rmtree(kernels, ignore_errors=True)  # an earlier build's
        if WITHOUT_KERNELS:
            return
        path = os.pathsep.join((str(modules), os.environ.get("PYTHONPATH", "")))
        environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-P", "-c", MAKE, str(kernels)]
        if subprocess.run(command, cwd=modules, env=environment, check=False).returncode:
            shutil.rmtree(kernels, ignore_errors=True)
            self.warn("nothing could be compiled: this wheel compiles when an agent first plays")


class NamedWheel(bdist_wheel):  # type: ignore[misc]
    """Names the Python and the platform for which there is compiled code."""

    def get_tag(self) -> tuple[str, str, str]:
        """The tags in the wheel's name: of Python, its ABI, the platform."""
        tag: tuple[str, str, str] = super().get_tag()
        build = self.get_finalized_command("build_py")
        if not Path(build.build_lib, "jit", "kernels").is_dir():
            return tag
        platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
        return f"cp{sys.version_info.major}{sys.version_info.minor}", "none", platform
