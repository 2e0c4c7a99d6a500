"""What the card helpers and seat look-ups compile to; in plain Python and on arrays the functions themselves run.

They are written as machine operations, placed right where they are called: a call that has to be inlined later, or an
array that is passed on, would keep the loop around it from becoming vector code.
"""

from functools import reduce

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import lower_builtin, type_callable

from spadesim import cards
from spadesim.engine.game.lanes import BYTE, LANES, NEEDS_ZERO

INT = ir.IntType(64)


def own(values, seat, lane):
    """Read one seat's value: `values` has shape (seats, lanes); arrays of seats and lanes read many at once."""
    return values[(seat, *lane)] if isinstance(lane, tuple) else values[seat, lane]


def all_seats(values, seat, lane):
    """Read all seats' values, counted from `seat`: 0 is the seat itself, 1 its left neighbour."""
    hands = values.shape[0]
    return tuple(own(values, (seat + i) % hands, lane) for i in range(hands))


def all_seats_within(values, seat, lane, mask):
    """Mask all seats' values, counted from `seat`, each cut down to `mask`."""
    return tuple(value & mask for value in all_seats(values, seat, lane))


def all_taken(bids, seat, lane, needs):
    """Count all seats' tricks in this deal, counted from `seat`: bid less what it still needs."""
    hands = bids.shape[0]
    lacking = [((needs >> BYTE * ((seat + i) % hands)) & 255) - NEEDS_ZERO for i in range(hands)]
    return tuple(bid - need for bid, need in zip(all_seats(bids, seat, lane), lacking, strict=True))


def all_nils(bids, seat, lane, needs, worth):
    """Find whose nil is alive, counted from `seat`: 0 bid, 0 taken, and nil `worth` something."""
    taken = all_taken(bids, seat, lane, needs)
    alive = [(bid == 0) & (tricks == 0) for bid, tricks in zip(all_seats(bids, seat, lane), taken, strict=True)]
    return tuple(nil * (1 if worth else 0) for nil in alive)


def as_answer(value):
    """Pass an integer on; a strategy that answers anything else does not compile."""
    return value


@type_callable(as_answer)
def _type_as_answer(context):
    def typer(value):
        if not isinstance(value, types.Integer):  # said aloud, or an optional integer would be unwrapped
            raise TypingError(f"no integer: {value}")
        return types.int64

    return typer


@lower_builtin(as_answer, types.Integer)
def _lower_as_answer(context, builder, signature, arguments):
    return context.cast(builder, arguments[0], signature.args[0], types.int64)


def as_yes_or_no(value):
    """Turn True and False, or any integer, into 1 and 0; what answers anything else does not compile."""
    return value


@type_callable(as_yes_or_no)
def _type_as_yes_or_no(context):
    def typer(value):
        if not isinstance(value, types.Integer | types.Boolean):
            raise TypingError(f"no integer: {value}")
        return types.int64

    return typer


@lower_builtin(as_yes_or_no, types.Integer)
@lower_builtin(as_yes_or_no, types.Boolean)
def _lower_as_yes_or_no(context, builder, signature, arguments):
    said = context.cast(builder, arguments[0], signature.args[0], types.int64)
    return builder.zext(builder.icmp_signed("!=", said, INT(0)), INT)


def never_inline():
    """Keep the kernel that calls this from being merged into the loop, where it would not become vector code."""


@type_callable(never_inline)
def _type_stay_whole(context):
    return lambda: types.none


@lower_builtin(never_inline)
def _lower_stay_whole(context, builder, signature, arguments):
    builder.function.attributes.add("noinline")
    return context.get_dummy_value()


def _compiles_on_cards(function, n_arguments=1):
    """Let the decorated generator of machine operations stand for a function of int64s to int64."""

    def register(emit):
        type_callable(function)(lambda context: _int_typer(n_arguments))

        @lower_builtin(function, *[types.Integer] * n_arguments)
        def lower(context, builder, signature, arguments):
            wide = [
                context.cast(builder, value, kind, types.int64)
                for value, kind in zip(arguments, signature.args, strict=True)
            ]
            return emit(builder, *wide)

        return emit

    return register


def _int_typer(n_arguments):
    def typer(mask, index=types.int64):
        return types.int64 if isinstance(mask, types.Integer) and isinstance(index, types.Integer) else None

    def typer_of_one(mask):
        return typer(mask)

    return typer_of_one if n_arguments == 1 else lambda mask, index: typer(mask, index)


@_compiles_on_cards(cards.count)
def _count(builder, mask):
    return builder.ctpop(mask)


@_compiles_on_cards(cards.lowest)
def _lowest(builder, mask):
    return builder.and_(mask, builder.neg(mask))


@_compiles_on_cards(cards.highest)
def _highest(builder, mask):
    zeros = builder.ctlz(mask, ir.Constant(ir.IntType(1), 0))  # 1 … 64, as bit 63 is empty
    return builder.lshr(INT(1 << 62), builder.sub(zeros, INT(1)))


@_compiles_on_cards(cards.suit_of)
def _suit_of(builder, mask):
    suits = INT(0)
    for suit in cards.SUITS:
        inside = builder.icmp_signed("!=", builder.and_(mask, INT(suit)), INT(0))
        suits = builder.or_(suits, builder.select(inside, INT(suit), INT(0)))
    return suits


@_compiles_on_cards(cards.above)
def _above(builder, card):
    up_to = builder.or_(card, builder.sub(card, INT(1)))
    return builder.and_(_suit_of(builder, card), builder.not_(up_to))


@_compiles_on_cards(cards.below)
def _below(builder, card):
    return builder.and_(_suit_of(builder, card), builder.sub(card, INT(1)))


@_compiles_on_cards(cards.nth, n_arguments=2)
def _nth(builder, mask, index):
    """Find the bit by halves: skip the lower half wherever it holds too few cards."""
    place = INT(0)
    mask = builder.select(builder.icmp_signed("<", index, INT(0)), INT(0), mask)
    for width in (32, 16, 8, 4, 2, 1):
        half = builder.and_(builder.lshr(mask, place), INT((1 << width) - 1))
        below = builder.ctpop(half)
        skip = builder.icmp_signed(">=", index, below)
        index = builder.sub(index, builder.select(skip, below, INT(0)))
        place = builder.add(place, builder.select(skip, INT(width), INT(0)))
    return builder.and_(mask, builder.shl(INT(1), place))


@type_callable(cards.union)
def _type_union(context):
    def typer(masks):
        several = isinstance(masks, types.UniTuple) and isinstance(masks.dtype, types.Integer)
        return types.int64 if several else None

    return typer


@lower_builtin(cards.union, types.UniTuple)
def _lower_union(context, builder, signature, arguments):
    masks = cgutils.unpack_tuple(builder, arguments[0])
    return reduce(builder.or_, [context.cast(builder, mask, signature.args[0].dtype, types.int64) for mask in masks])


@type_callable(cards.total)
def _type_total(context):
    return _type_union(context)


@lower_builtin(cards.total, types.UniTuple)
def _lower_total(context, builder, signature, arguments):
    values = cgutils.unpack_tuple(builder, arguments[0])
    return reduce(builder.add, [context.cast(builder, value, signature.args[0].dtype, types.int64) for value in values])


@type_callable(cards.at)
def _type_at(context):
    def typer(values, seat):
        several = isinstance(values, types.UniTuple) and isinstance(values.dtype, types.Integer)
        return types.int64 if several and isinstance(seat, types.Integer) else None

    return typer


@lower_builtin(cards.at, types.UniTuple, types.Integer)
def _lower_at(context, builder, signature, arguments):
    values = cgutils.unpack_tuple(builder, arguments[0])
    wide = [context.cast(builder, value, signature.args[0].dtype, types.int64) for value in values]
    seat = context.cast(builder, arguments[1], signature.args[1], types.int64)
    return _chosen(builder, wide, seat, 0)


def _load(context, builder, kind, array, seat, lane):
    data = context.make_array(kind)(context, builder, value=array).data
    return builder.load(builder.gep(data, [builder.add(INT(seat * LANES), lane)]))


def _chosen(builder, values, seat, shift):
    """Choose values[(seat + shift) % seats] as a sum over the seats, where a chain of ifs would not be vector code."""
    hands = len(values)
    terms = [
        builder.select(builder.icmp_signed("==", seat, INT(s)), values[(s + shift) % hands], INT(0))
        for s in range(hands)
    ]
    return reduce(builder.or_, terms)


def _row(context, builder, kind, array, lane):
    return [_load(context, builder, kind, array, seat, lane) for seat in range(kind.shape[0])]


@type_callable(own)
def _type_own(context):
    return lambda values, seat, lane: values.dtype


@lower_builtin(own, types.Array, types.Integer, types.Integer)
def _lower_own(context, builder, signature, arguments):
    array, seat, lane = _wide(context, builder, signature, arguments)
    return _chosen(builder, _row(context, builder, signature.args[0], array, lane), seat, 0)


@type_callable(all_seats)
def _type_all_seats(context):
    return lambda values, seat, lane: types.UniTuple(types.int64, values.shape[0])


@lower_builtin(all_seats, types.Array, types.Integer, types.Integer)
def _lower_all_seats(context, builder, signature, arguments):
    array, seat, lane = _wide(context, builder, signature, arguments)
    row = _row(context, builder, signature.args[0], array, lane)
    turned = [_chosen(builder, row, seat, i) for i in range(len(row))]
    return context.make_tuple(builder, signature.return_type, turned)


@type_callable(all_seats_within)
def _type_all_seats_within(context):
    return lambda values, seat, lane, mask: types.UniTuple(types.int64, values.shape[0])


@lower_builtin(all_seats_within, types.Array, types.Integer, types.Integer, types.Integer)
def _lower_all_seats_within(context, builder, signature, arguments):
    array, seat, lane, mask = _wide(context, builder, signature, arguments)
    row = [builder.and_(value, mask) for value in _row(context, builder, signature.args[0], array, lane)]
    turned = [_chosen(builder, row, seat, i) for i in range(len(row))]
    return context.make_tuple(builder, signature.return_type, turned)


@type_callable(all_taken)
def _type_all_taken(context):
    return lambda bids, seat, lane, needs: types.UniTuple(types.int64, bids.shape[0])


@lower_builtin(all_taken, types.Array, types.Integer, types.Integer, types.Integer)
def _lower_all_taken(context, builder, signature, arguments):
    array, seat, lane, needs = _wide(context, builder, signature, arguments)
    row = _row(context, builder, signature.args[0], array, lane)
    lacking = [builder.and_(builder.lshr(needs, INT(BYTE * s)), INT(255)) for s in range(len(row))]
    taken = [builder.sub(builder.add(bid, INT(NEEDS_ZERO)), need) for bid, need in zip(row, lacking, strict=True)]
    turned = [_chosen(builder, taken, seat, i) for i in range(len(taken))]
    return context.make_tuple(builder, signature.return_type, turned)


@type_callable(all_nils)
def _type_all_nils(context):
    return lambda values, seat, lane, needs, worth: types.UniTuple(types.int64, values.shape[0])


@lower_builtin(all_nils, types.Array, types.Integer, types.Integer, types.Integer, types.Integer)
def _lower_all_nils(context, builder, signature, arguments):
    array, seat, lane, needs, worth = _wide(context, builder, signature, arguments)
    row = _row(context, builder, signature.args[0], array, lane)
    counts = builder.icmp_signed("!=", worth, INT(0))
    none_needed = [
        builder.icmp_signed("==", builder.and_(builder.lshr(needs, INT(BYTE * s)), INT(255)), INT(NEEDS_ZERO))
        for s in range(len(row))
    ]
    no_bid = [builder.icmp_signed("==", bid, INT(0)) for bid in row]
    alive = [
        builder.zext(builder.and_(counts, builder.and_(bid, need)), INT)
        for bid, need in zip(no_bid, none_needed, strict=True)
    ]
    turned = [_chosen(builder, alive, seat, i) for i in range(len(alive))]
    return context.make_tuple(builder, signature.return_type, turned)


def _wide(context, builder, signature, arguments):
    """Widen the integers among the arguments to 64 bits."""
    return [
        context.cast(builder, value, kind, types.int64) if isinstance(kind, types.Integer) else value
        for value, kind in zip(arguments, signature.args, strict=True)
    ]
