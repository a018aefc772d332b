"""A Python file of somebody else's: executed as a module, and its errors shown without the frames of ours."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType


def execute(path: Path, name: str, folder: Path | None = None) -> ModuleType:
    """Execute a file as a module of this name; with a folder, as a package whose modules are there.

    Raises ImportError for what is not a Python file, and what the file raises.
    """
    places = None if folder is None else [str(folder)]
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_traceback(error: BaseException, path: Path) -> str:
    """The traceback from the first line on of a file, or of any file in a folder, without the frames above."""
    if isinstance(error, SyntaxError):
        return "".join(traceback.format_exception_only(error))
    trace = error.__traceback__
    while trace is not None and not Path(trace.tb_frame.f_code.co_filename).is_relative_to(path):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))
