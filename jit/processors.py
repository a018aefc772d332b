"""For which processor numba compiles: this machine's own, or a portable one, whose code other machines run, too."""

from typing import NamedTuple

import numba as nb
from llvmlite import binding
from numba.core import codegen, registry


class Processor(NamedTuple):
    """A processor: LLVM's name for it, and its features by LLVM's names, as in `+avx2,-sha`."""

    name: str
    features: str

    def has(self, feature: str) -> bool:
        """Whether it has a feature."""
        return f"+{feature}" in self.features.split(",")

    def lacks(self, other: "Processor") -> list[str]:
        """The features of another processor that this one does not have; empty if it runs code for the other."""
        wanted = [feature[1:] for feature in other.features.split(",") if feature.startswith("+")]
        return [feature for feature in wanted if not self.has(feature)]


# The levels of the x86-64 psABI. LLVM gives a processor of such a name all features of its level, so all are listed.
_V2 = "+64bit,+cmov,+crc32,+cx16,+cx8,+fxsr,+mmx,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3"
_V3 = f"{_V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
_V4 = f"{_V3},+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl"
PORTABLE = {  # the fastest first
    name: Processor(name, features) for name, features in (("x86-64-v4", _V4), ("x86-64-v3", _V3), ("x86-64-v2", _V2))
}


def own_processor() -> Processor:
    """This machine's processor."""
    return Processor(binding.get_host_cpu_name(), codegen.get_host_cpu_features())


def processor() -> Processor:
    """The processor for which numba compiles: the one that its variables or `compile_for` name, else this machine's."""
    name, features = nb.config.CPU_NAME, nb.config.CPU_FEATURES
    own = own_processor()
    return Processor(name or own.name, own.features if features is None else features)


def can_be_chosen() -> bool:
    """Whether nobody has said for which processor to compile, and nothing has been compiled yet in this process."""
    is_named = nb.config.CPU_NAME is not None or nb.config.CPU_FEATURES is not None
    return not is_named and "_toplevel_target_context" not in vars(registry.cpu_target)


def compile_for(chosen: Processor) -> None:
    """Let numba compile for another processor from now on; all code of a process has to be for the same processor."""
    nb.config.CPU_NAME, nb.config.CPU_FEATURES = chosen


def has_feature(name: str) -> bool:
    """Whether the processor for which numba compiles has a feature, by LLVM's name for it."""
    return processor().has(name)
