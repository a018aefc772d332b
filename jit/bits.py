"""Instructions for which numba has no function: on the bits of words, and for fetching memory ahead."""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from jit.compiled import jit
from jit.processors import has_feature

U64 = np.uint64
HAS_BIT_DEPOSIT = has_feature("bmi2")


@intrinsic
def popcount(typing_context, word):
    """Number of bits set in a uint64, as a uint64."""

    def generate(context, builder, signature, arguments):
        """The LLVM instructions of a call, as numba's `intrinsic` asks for them."""
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest_bit(typing_context, word):
    """Index of the lowest bit set in a uint64, as a uint64; 64 when none is."""

    def generate(context, builder, signature, arguments):
        """The LLVM instructions of a call, as numba's `intrinsic` asks for them."""
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def _bit_deposit_x86(typing_context, bits, mask):
    """The instruction PDEP: the low bits of `bits`, spread over the places that `mask` has set."""

    def generate(context, builder, signature, arguments):
        """The LLVM instructions of a call, as numba's `intrinsic` asks for them."""
        word = ir.IntType(64)
        function_type = ir.FunctionType(word, [word, word])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.bmi.pdep.64")
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def rotate_right(typing_context, word, places):
    """A uint32 rotated right by so many places, one instruction: numba's own shifts work on 64 bits and take nine."""

    def generate(context, builder, signature, arguments):
        """The LLVM instructions of a call, as numba's `intrinsic` asks for them."""
        half = ir.IntType(32)
        function_type = ir.FunctionType(half, [half, half, half])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.fshr.i32")
        return builder.call(function, [arguments[0], *arguments])

    return types.uint32(types.uint32, types.uint32), generate


@jit(inline="always")
def select_bit_portable(mask, k):
    """As `select_bit`, for processors without PDEP: clear the k lowest bits one by one."""
    while k > U64(0):
        mask &= mask - U64(1)
        k -= U64(1)
    return mask & (~mask + U64(1))


if HAS_BIT_DEPOSIT:

    @jit(inline="always")
    def select_bit(mask, k):
        """The k-th lowest set bit of `mask` (k from 0), as a word with that one bit set; k < popcount(mask)."""
        return _bit_deposit_x86(U64(1) << k, mask)

else:
    select_bit = select_bit_portable


# --- Memory ---------------------------------------------------------------------------------------------------------


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for array[index] (of one dimension, contiguous) to be brought into the cache, and do not wait for it."""

    def generate(context, builder, signature, arguments):
        """The LLVM instructions of a call, as numba's `intrinsic` asks for them."""
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        to_read, to_all_levels, data_not_code = (ir.Constant(number, n) for n in (0, 3, 1))
        builder.call(function, [place, to_read, to_all_levels, data_not_code])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate
