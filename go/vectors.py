"""Sums and products of float32 rows in vector instructions, which LLVM does not make of the same loops in Python.

Arrays are contiguous, and nothing is checked.
"""

from typing import Any

import jit  # noqa: F401  (first: it decides where compiled code is kept)

from llvmlite import ir  # isort: skip
from numba.core import types  # isort: skip
from numba.extending import intrinsic  # isort: skip

LANES = 16  # numbers in a vector
_INDEX = ir.IntType(64)
_VECTOR = ir.VectorType(ir.FloatType(), LANES)


def _data_of(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> Any:
    return context.make_array(signature.args[place])(context, builder, arguments[place]).data


def _vector_at(builder: Any, data: Any, index: Any) -> Any:
    """A pointer to the vector that begins at one of an array's numbers."""
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _rectified(builder: Any, vector: Any) -> Any:
    """A vector with 0 for what is negative."""
    zeros = ir.Constant(_VECTOR, None)
    return builder.select(builder.fcmp_ordered(">", vector, zeros), vector, zeros)


def _sum_of(builder: Any, vectors: list[Any]) -> Any:
    """The sum of vectors, added in pairs so that few additions wait for others."""
    if len(vectors) == 1:
        return vectors[0]
    pairs = [builder.fadd(*vectors[i : i + 2]) for i in range(0, len(vectors) - 1, 2)]
    return _sum_of(builder, pairs + vectors[2 * len(pairs) :])


@intrinsic
def write_rectified_sum(typing_context, sums, table, rows):
    """Write the sum of some rows of `table`, float32[n, LANES], to `sums`, float32[LANES], 0 for what is negative.

    `rows` is a tuple of int64.
    """

    def generate(context, builder, signature, arguments):
        """Write the additions as LLVM instructions, as numba's `intrinsic` asks for them."""
        sums, table = (_data_of(context, builder, signature, arguments, place) for place in (0, 1))
        rows = [builder.extract_value(arguments[2], place) for place in range(len(signature.args[2]))]
        places = [_vector_at(builder, table, builder.mul(row, ir.Constant(_INDEX, LANES))) for row in rows]
        total = _sum_of(builder, [builder.load(place, align=4) for place in places])
        builder.store(_rectified(builder, total), _vector_at(builder, sums, ir.Constant(_INDEX, 0)), align=4)
        return context.get_dummy_value()

    return types.void(sums, table, rows), generate


@intrinsic
def add_products(typing_context, sums, start, table, first, factors):
    """Add factors[i] * table[first + i, start + k] to sums[start + k] for all i and k below LANES.

    `sums` is float32[width], `table` float32[n, width], `factors` float32[LANES]; `start` and `first` are int64, and
    `width` and `start` multiples of LANES. A processor that can multiplies and adds in one instruction, which rounds
    once: the last bit of a sum depends on it.
    """

    def generate(context, builder, signature, arguments):
        """Write the products as LLVM instructions, as numba's `intrinsic` asks for them."""
        sums, factors = (_data_of(context, builder, signature, arguments, place) for place in (0, 4))
        table = context.make_array(signature.args[2])(context, builder, arguments[2])
        width = builder.extract_value(table.shape, 1)
        own = _vector_at(builder, sums, arguments[1])
        # Four sums, since each addition waits for the one before it in the same sum.
        parts = [builder.load(own, align=4), *[ir.Constant(_VECTOR, None)] * 3]
        for i in range(LANES):
            row = builder.add(arguments[3], ir.Constant(_INDEX, i))
            place = _vector_at(builder, table.data, builder.add(builder.mul(row, width), arguments[1]))
            factor = builder.load(builder.gep(factors, [ir.Constant(_INDEX, i)]))
            vector = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), factor, ir.Constant(_INDEX, 0))
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            everywhere = builder.shuffle_vector(vector, ir.Constant(_VECTOR, ir.Undefined), lanes)
            product = builder.fmul(everywhere, builder.load(place, align=4), flags=("contract",))
            parts[i % 4] = builder.fadd(parts[i % 4], product, flags=("contract",))
        builder.store(_sum_of(builder, parts), own, align=4)
        return context.get_dummy_value()

    return types.void(sums, types.int64, table, types.int64, factors), generate


@intrinsic
def rectified_product(typing_context, factors, units):
    """The inner product of two float32[LANES], as float32, with 0 for what is negative in `units`."""

    def generate(context, builder, signature, arguments):
        """Write the product as LLVM instructions, as numba's `intrinsic` asks for them."""
        data = [_data_of(context, builder, signature, arguments, place) for place in (0, 1)]
        factors, units = (builder.load(_vector_at(builder, each, ir.Constant(_INDEX, 0)), align=4) for each in data)
        total, lanes = builder.fmul(factors, _rectified(builder, units)), LANES
        while lanes > 1:  # half of the sums are added to the other half
            lanes //= 2
            places = [ir.Constant(ir.VectorType(ir.IntType(32), lanes), [*range(i, i + lanes)]) for i in (0, lanes)]
            nothing = ir.Constant(total.type, ir.Undefined)
            total = builder.fadd(*(builder.shuffle_vector(total, nothing, half) for half in places))
        return builder.extract_element(total, ir.Constant(_INDEX, 0))

    return types.float32(factors, units), generate
