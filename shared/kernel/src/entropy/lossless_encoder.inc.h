/* Fragment of entropy.c: rows with two models in the encoder, CS34, CS35 and CS41 to CS43. It knows every coefficient
 * before it codes the first: both models and the symbols are found for eight coefficients at a time. */
#ifndef WS_ENTROPY_LOSSLESS_ENCODER
#define WS_ENTROPY_LOSSLESS_ENCODER

#include "lossless.inc.h"
#include "visual_encoder.inc.h"

/* Where in the workspace's row the second models lie, in bytes from the first one; the rest as with one model. */
enum { SECOND_OF_ROW = 3 * WS_HALF, MAX_HALF_OFFSET = 8200 };
_Static_assert(SECOND_MODELS << REFERENCE_SHIFT <= UINT16_MAX, "the place of a second model fits a lane");

/* What is to the left of eight coefficients, and what the sign weights make of it. */
typedef struct {
    lanes w, ww;
    signed_lanes prediction;
} west_lanes;

WS_INLINE west_lanes west_of_lanes(const plane *p, const int16_t *own) {
    const signed_lanes w = (signed_lanes)load_lanes(own - 1), ww = (signed_lanes)load_lanes(own - 2);
    const west_lanes west = {sizes_of(w), sizes_of(ww),
                             (int16_t)p->coefficients[COEFFICIENT_W] * w +
                                 (int16_t)p->coefficients[COEFFICIENT_WW] * ww};
    return west;
}

/* Second models of coefficients that were zero. */
WS_INLINE lanes second_value_references(lanes sizes, lanes activity) {
    const lanes most = splat(SUM_LIMIT - 1), strength = minimum_lanes(16 * minimum_lanes(sizes, splat(128)), most);
    return (levels_of(strength) * ACTIVITY_CLASSES + (levels_of(minimum_lanes(activity, most)) >> 1))
           << REFERENCE_SHIFT;
}

/* Half of how far a prediction, the sum of two, is above the middle of what `old` leaves open, at most MAX_HALF_OFFSET.
 */
WS_INLINE signed_lanes half_offsets(signed_lanes one, signed_lanes two, lanes old, lanes sign, uint32_t gain) {
    const eight_ints most = (eight_ints){0} + MAX_HALF_OFFSET,
                     negative = __builtin_convertvector((signed_lanes)sign, eight_ints),
                     prediction = __builtin_convertvector(one, eight_ints) + __builtin_convertvector(two, eight_ints),
                     half = ((prediction ^ negative) - negative) -
                            ((2 * __builtin_convertvector(old, eight_ints) + 1) << (int32_t)(gain + 5));
    return __builtin_convertvector(__builtin_elementwise_max(__builtin_elementwise_min(half, most), -most),
                                   signed_lanes);
}

/* Second models of coefficients that were not zero. */
WS_INLINE lanes second_low_bit_references(lanes old, signed_lanes half) {
    const lanes middle = splat(SECOND_OFFSET_CLASSES / 2), below = (lanes)(half < 0),
                far = minimum_lanes(levels_of(sizes_of(half) >> 2) >> 1, middle);
    return ((minimum_lanes(old, splat(MAX_OLD)) - 1) * SECOND_OFFSET_CLASSES + SECOND_LOW_BIT_MODELS + middle +
            ((far ^ below) - below))
           << REFERENCE_SHIFT;
}

WS_INLINE void put_lossless_group(const plane *p, const int first, uint32_t x, uint32_t y, workspace *w, uint16_t *to) {
    const uint32_t rest_bits = p->gain - minimum(p->gain, LOW_BITS), at = y * p->side + x;
    const west_lanes west = west_of_lanes(p, signed_row(&w->rows, OWN, y) + x);
    const lanes sums = minimum_lanes(context_sums(p, first, x, y, w->columns) + (uint16_t)p->weights->w * west.w +
                                         (uint16_t)p->weights->ww * west.ww,
                                     splat(SUM_LIMIT - 1));
    const lanes rest = load_lanes(w->rows.predictions + x), clamped = sum_lanes(rest, (lanes)west.prediction, 1);
    const signed_lanes predictions = __builtin_elementwise_max((signed_lanes)clamped, splat_signed(-INT16_MAX));
    const class_limits limits = limits_of(sums);
    const known_values wanted = wanted_of(p, at);
    lanes references = value_references(&limits, predictions), values;
    lanes offsets = value_offsets(wanted, references, &values);
    lanes seconds = second_value_references(sizes_of(predictions), activity_of(p, first, x, y) + 8 * west.w);
    if (!first) {
        const uint16_t low_mask = (uint16_t)((1u << (p->gain - rest_bits)) - 1);
        const lanes old = wanted.size >> (uint16_t)p->gain, zero = (lanes)(old == 0);
        const signed_lanes half = half_offsets((signed_lanes)rest, west.prediction, old, wanted.sign, p->gain);
        const lanes low_bits =
            2 * (wanted.size >> (uint16_t)rest_bits & low_mask) | (uint16_t)(rest_bits ? SPECIAL : 0);
        references = (references & zero) | (low_bit_references(sums, half, old) & ~zero);
        seconds = (seconds & zero) | (second_low_bit_references(old, half) & ~zero);
        offsets = (offsets & zero) | (low_bits & ~zero);
        values = (values & zero) | (wanted.size & ~zero);
    }
    put_row(to, references, offsets, values), store_lanes(to + SECOND_OF_ROW, seconds);
}

static __attribute__((noinline)) void encode_mixed_symbols(coder *shared, const plane *p, const uint16_t *at,
                                                           uint32_t count) {
    const uint32_t rest_bits = p->gain - minimum(p->gain, LOW_BITS);
    uint8_t *const models = (uint8_t *)p->set->symbol, *const seconds = (uint8_t *)p->set->second;
    coder c = *shared;
    for (const uint16_t *const end = at + count; at < end; at++) {
        const uint32_t symbol = (at[OFFSETS_OF_ROW] & (SPECIAL - 1)) >> 1;
        code_symbol_mixed(&c, 1, model_of(models, *at), model_of(seconds, at[SECOND_OF_ROW]), symbol);
        if (at[OFFSETS_OF_ROW] & SPECIAL) {
            coder own = c; /* so that nothing else asks for the address of the one in registers */
            encode_special(&own, p, *at, at[VALUES_OF_ROW], rest_bits);
            c = own;
        }
    }
    *shared = c;
}

WS_INLINE void encode_lossless_row(coder *c, const int first, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    uint32_t count = 0;
    find_signed_rows(p, 1, y, &w->rows);
    predict_row(p, y, &w->rows);
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        if (!flag[x / GROUP]) continue;
        put_lossless_group(p, first, x, y, w, w->row + count);
        count += GROUP;
    }
    for (uint32_t x = 0; x < p->side; x += GROUP)
        if (flag[x / GROUP]) store_magnitudes(p, x, y, wanted_of(p, y * p->side + x).size);
    encode_mixed_symbols(c, p, w->row, count);
    decay_columns(p, first, y, w);
}

#endif
