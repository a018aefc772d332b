"""Sums over int16 rows in vector instructions.

LLVM makes such instructions of loops in Python only if the loops are in functions of their own, and a call costs as
much as the work on 64 numbers. The length of the rows is known when a caller is compiled, so there are no loops here:
that saves a seventh of the time of the values of all children of a position.

Arrays are contiguous and of one dimension, starts are int64. Nothing is checked; what overflows wraps. `vectors` is a
tuple of any integers, as many as there are vectors in a row.
"""

from typing import Any

from jit import has_feature  # first: it decides where compiled code is kept

from llvmlite import ir  # isort: skip
from numba.core import cgutils, types  # isort: skip
from numba.extending import intrinsic  # isort: skip

LANES = 32  # numbers in a vector: one register of AVX-512, two of AVX2
# The instruction that multiplies and adds neighbours: its name, and how many numbers it takes.
_MULTIPLY_ADD = (
    ("llvm.x86.avx512.pmaddw.d.512", 32)
    if has_feature("avx512bw")
    else ("llvm.x86.avx2.pmadd.wd", 16)
    if has_feature("avx2")
    else None
)
_INDEX = ir.IntType(32)
_SHORTS, _INTS = ir.VectorType(ir.IntType(16), LANES), ir.VectorType(_INDEX, LANES // 2)


def _data_of(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> Any:
    return context.make_array(signature.args[place])(context, builder, arguments[place]).data


def _vectors_at(builder: Any, data: Any, start: Any = None) -> Any:
    """A pointer to the vectors that begin at an array's data, or at one of its numbers."""
    return builder.bitcast(data if start is None else builder.gep(data, [start]), _SHORTS.as_pointer())


def _load(builder: Any, vectors: Any, number: int) -> Any:
    return builder.load(builder.gep(vectors, [ir.Constant(_INDEX, number)]), align=2)


def _call(builder: Any, name: str, result: Any, *operands: Any) -> Any:
    function_type = ir.FunctionType(result, [operand.type for operand in operands])
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), operands)


@intrinsic
def add_four(typing_context, vectors, sums, table, start0, start1, start2, start3):
    """Make each sums[k] the sum of table[start0 + k] to table[start3 + k]; int16 arrays."""

    def generate(context, builder, signature, arguments):
        """Write the additions as LLVM instructions, as numba's `intrinsic` asks for them."""
        sums, table = (_data_of(context, builder, signature, arguments, place) for place in (1, 2))
        sources = [_vectors_at(builder, table, start) for start in arguments[3:]]
        for number in range(len(vectors)):
            total, *others = (_load(builder, source, number) for source in sources)
            for other in others:
                total = builder.add(total, other)
            place = builder.gep(_vectors_at(builder, sums), [ir.Constant(_INDEX, number)])
            builder.store(total, place, align=2)
        return context.get_dummy_value()

    return types.void(vectors, sums, table, types.int64, types.int64, types.int64, types.int64), generate


def _some_of(builder: Any, vector: Any, places: range) -> Any:
    """A vector of some of the numbers of another."""
    indices = ir.Constant(ir.VectorType(_INDEX, len(places)), list(places))
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), indices)


def _sums_of_products(builder: Any, first: Any, second: Any) -> Any:
    """The products of two vectors, added in pairs of neighbours.

    LLVM finds the instruction for that in plain code only sometimes, and without it 128 numbers take a fifth longer.
    """
    if _MULTIPLY_ADD is None:
        places = range(0, LANES, 2), range(1, LANES, 2)
        pairs = [[builder.sext(_some_of(builder, v, p), _INTS) for v in (first, second)] for p in places]
        return builder.add(*(builder.mul(*pair) for pair in pairs))
    name, lanes = _MULTIPLY_ADD
    sums = []
    for start in range(0, LANES, lanes):
        parts = [_some_of(builder, vector, range(start, start + lanes)) for vector in (first, second)]
        sums.append(_call(builder, name, ir.VectorType(ir.IntType(32), lanes // 2), *parts))
    if len(sums) == 1:
        return sums[0]
    places = ir.Constant(ir.VectorType(_INDEX, LANES // 2), list(range(LANES // 2)))
    return builder.shuffle_vector(*sums, places)


@intrinsic
def clipped_dot(typing_context, vectors, sums, table, start, top, weights, weights_start):
    """The sum of min(max(sums[k] + table[start + k], 0), top) * weights[weights_start + k] over all k, as an int32.

    `sums`, `table` and `weights` are int16 arrays, `top` is an int16.
    """

    def generate(context, builder, signature, arguments):
        """Write the sum of products as LLVM instructions, as numba's `intrinsic` asks for them."""
        sums, table, weights = (_data_of(context, builder, signature, arguments, place) for place in (1, 2, 5))
        rows = (
            _vectors_at(builder, sums),
            _vectors_at(builder, table, arguments[3]),
            _vectors_at(builder, weights, arguments[6]),
        )
        tops = ir.Constant(_SHORTS, ir.Undefined)
        for lane in range(LANES):
            tops = builder.insert_element(tops, arguments[4], ir.Constant(_INDEX, lane))
        total = ir.Constant(_INTS, None)
        for number in range(len(vectors)):
            here, there, weight = (_load(builder, row, number) for row in rows)
            above = _call(
                builder, f"llvm.smax.v{LANES}i16", _SHORTS, builder.add(here, there), ir.Constant(_SHORTS, None)
            )
            clipped = _call(builder, f"llvm.smin.v{LANES}i16", _SHORTS, above, tops)
            total = builder.add(total, _sums_of_products(builder, clipped, weight))
        return _call(builder, f"llvm.vector.reduce.add.v{LANES // 2}i32", ir.IntType(32), total)

    return types.int32(vectors, sums, table, types.int64, types.int16, weights, types.int64), generate
