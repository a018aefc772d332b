"""Each function that Python calls becomes machine code once, together with all that it calls.

numba itself makes machine code at each level of the call tree: it links and optimises every compiled function with
copies of all that the function calls. The time for that grows with the square of the tree's depth, and most of the
machine code is never run. Here a compiled function keeps its own intermediate code only. When its address is asked for
(`get_pointer_to_function`; numba does so for functions that Python may call), it is linked with all that it calls,
directly or not, optimised as a whole, and turned into machine code. The callees are private to it, so LLVM may
specialise, inline and drop them.

This depends on private parts of numba (`tests/test_whole_program.py` fails if they change). With
UNFORCED_PLAIN_NUMBA=1 numba compiles in its own, slower way.
"""

from typing import Any, Self

from llvmlite import binding
from numba.core import codegen
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.environment import lookup_environment

_ENVIRONMENT = "_ZN08NumbaEnv"  # what the names of numba's environments begin with
_RECURSION = codegen.RuntimeLinker.PREFIX  # begins names of pointers to functions not yet compiled when called
_COUNTS_REFERENCES = "NRT_"  # what the names of functions that count references begin with


class Library(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The result of one compilation: intermediate code, and machine code once somebody asks for an address."""

    is_for_callers = True  # whether its intermediate code is kept on disk, too
    can_be_linked = True  # whether it has intermediate code
    _is_machine_code = False
    _shared_module: Any = None  # its own intermediate code, if `_final_module` has more or (read from disk) less

    def _optimize_functions(self, module: Any) -> None:
        """Run no passes yet: all of them run later, over the whole."""
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Note that nothing more will be added; this links nothing yet."""
        require_global_compiler_lock()
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function, 0 if the library does not define it."""
        self._ensure_finalized()
        if not self._is_machine_code and name in _defined(self._final_module):
            self._make_machine_code()
        address: int = super().get_pointer_to_function(name)
        return address

    def _get_module_for_linking(self) -> Any:
        """A copy of its own intermediate code that can be linked into several callers."""
        self._ensure_finalized()
        return self._shared_module.clone() if self._shared_module else _shareable(self._final_module)

    def _closure(self) -> list["Library"]:
        """All libraries that this one calls, callers before callees: LLVM then links only what is wanted so far."""
        seen: set[Library] = set()
        order: list[Library] = []

        def visit(library: Library) -> None:
            """Add a library to the order, behind all that it calls."""
            seen.add(library)
            for callee in library._linking_libraries:
                if callee not in seen:
                    visit(callee)
            order.append(library)

        visit(self)
        return order[-2::-1]

    def _make_machine_code(self) -> None:
        self._shared_module = self._get_module_for_linking()  # as it is before the callees come in
        module, own = self._final_module, _defined(self._final_module)
        for library in self._closure():
            module.link_in(library._get_module_for_linking())
        _resolve_recursion(module)
        inner = _defined(module) - own
        for name in inner:
            module.get_function(name).linkage = "internal"
        if any(name.startswith(_COUNTS_REFERENCES) for name in inner):
            self._optimize_final_module()  # which first removes counts that cancel out
        else:
            passes, builder = self._codegen._module_pass_manager()
            passes.run(module, builder)
        module.verify()
        self._finalize_final_module()
        for variable in module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)

    def _finalize_final_module(self) -> None:
        self._is_machine_code = True
        super()._finalize_final_module()

    # --- On disk ----------------------------------------------------------------------------------------------------

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """What is kept: machine code, and intermediate code if callers may want it, else the names that it defines."""
        self._ensure_finalized()
        if self.is_for_callers:
            return self.name, "object", (self._get_compiled_object(), _shareable(self._final_module).as_bitcode())
        module = self._final_module
        names = {symbol.name for symbol in (*module.functions, *module.global_variables) if not symbol.is_declaration}
        return self.name, "names", (self._get_compiled_object(), tuple(sorted(names)))

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> Self:
        name, kind, data = state
        if kind != "names":
            with_code: Self = super()._unserialize(codegen, state)
            return with_code
        library: Self = codegen.create_library(name)
        library.can_be_linked = False
        library.enable_object_caching()
        machine_code, names = data
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        return library


def _shareable(module: Any) -> Any:
    """A copy of a module that can be linked into several others."""
    copy = module.clone()
    for function in copy.functions:
        if not function.is_declaration and function.linkage == binding.Linkage.external:
            function.linkage = "linkonce_odr"
    return copy


def _defined(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def _resolve_recursion(module: Any) -> None:
    """Let calls of functions that were not compiled at that time reach them, if the module has them now."""
    defined = _defined(module)
    for name in [variable.name for variable in module.global_variables if variable.name.startswith(_RECURSION)]:
        function = name.removeprefix(_RECURSION)
        if function in defined:
            pointer = f'@"{name}" = linkonce_odr constant ptr @"{function}"\ndeclare void @"{function}"()\n'
            module.link_in(binding.parse_assembly(pointer))
            module.get_global_variable(name).linkage = "internal"


_set_env = codegen.JITCPUCodegen.set_env


def _set_env_if_loaded(self: Any, name: str, environment: Any) -> None:
    """numba's `set_env`, for loaded functions only: numba expects that each compiled function has machine code."""
    if self._engine.is_symbol_defined(name):
        _set_env(self, name, environment)


def install() -> None:
    """Let numba compile like this in this process from now on."""
    codegen.JITCPUCodegen._library_class = Library
    codegen.JITCPUCodegen.set_env = _set_env_if_loaded
