/* Fragment of entropy.c: rows with two models, CS34, CS35 and CS41 to CS43. The context of eight coefficients
 * is known before they are coded; what W and WW add to it comes one coefficient at a time. */
#ifndef WS_ENTROPY_LOSSLESS_ROW
#define WS_ENTROPY_LOSSLESS_ROW

#include "large_magnitude.inc.h"
#include "lossless.inc.h"

/* How a row is coded. Both are compile-time constants in every caller: one source, four specialised functions. */
typedef struct {
    int encoding, first; /* first: layer 0, where nothing is known of any coefficient */
} coding_mode;

/* What is the same for all coefficients of a row; small, so that it stays in registers. */
typedef struct {
    model_set *set;
    const uint8_t *level_of;
    uint32_t w, ww, gain,
        shift; /* magnitude weights of W and WW; bits this layer adds; bits it leaves to later layers */
    int32_t weight_w, weight_ww; /* sign weights of W and WW */
} row_context;

/* What is known of eight coefficients before their row is coded; what W and WW add comes coefficient by coefficient. */
typedef struct {
    uint16_t sums[GROUP];
    int16_t predictions[GROUP];
    uint16_t activity[GROUP];
} group_context;

/* The two coefficients to the left: magnitudes, and the same with their signs. */
typedef struct {
    uint32_t w, ww;
    int32_t signed_w, signed_ww;
} west_context;

/* One coefficient on its way: `given` whole (encoding), `*out` as the layer before left it (decoding), `*mag` its
 * magnitude. */
typedef struct {
    int32_t given;
    int16_t *out;
    uint8_t *mag;
} coefficient;

WS_INLINE int32_t small_signed(int32_t v, uint32_t shift) {
    return with_sign(minimum(magnitude(v) >> shift, MAX_SIGNED), v < 0);
}

WS_INLINE west_context west_of(const int encoding, const plane *p, uint32_t x, uint32_t y) {
    const uint8_t *mag = p->mag + y * p->stride + x;
    west_context west = {mag[-1], mag[-2], 0, 0};
    if (!x) return west;
    const int16_t *own = (encoding ? p->target : p->q) + y * p->side + x;
    const uint32_t shift = encoding ? p->shift : 0;
    west.signed_w = small_signed(own[-1], shift), west.signed_ww = small_signed(own[-2], shift);
    return west;
}

WS_INLINE void move_west(west_context *west, uint32_t m, uint32_t negative) {
    west->ww = west->w, west->signed_ww = west->signed_w;
    west->w = minimum(m, MAX_MAGNITUDE), west->signed_w = with_sign(minimum(m, MAX_SIGNED), negative);
}

/* One coefficient: CS34 where it was zero before, CS35 where it was not. */
WS_INLINE void code_coefficient(coder *c, const coding_mode mode, const row_context *row, const group_context *group,
                                uint32_t i, west_context *west, coefficient one) {
    model_set *const set = row->set;
    const uint32_t gain = mode.first ? 0 : row->gain, low_bits = minimum(gain, LOW_BITS), rest_bits = gain - low_bits;
    const uint32_t sum = minimum(group->sums[i] + row->w * west->w + row->ww * west->ww, SUM_LIMIT - 1);
    const uint32_t level = row->level_of[sum];
    const int32_t prediction =
        group->predictions[i] + row->weight_w * west->signed_w + row->weight_ww * west->signed_ww;
    const uint32_t predicted_negative = prediction < 0, strength = 16 * magnitude(prediction);
    uint32_t value = 0, old = 0, negative = 0, m = 0, symbol = 0;
    if (mode.encoding) {
        value = magnitude(one.given) >> row->shift, negative = one.given < 0;
        old = mode.first ? 0 : value >> gain;
    } else if (!mode.first) {
        old = magnitude(*one.out), negative = *one.out < 0;
    }
    uint32_t model = STRENGTH_CLASSES * level + (strength >= sum) + (strength >= 3 * sum) + (strength >= 8 * sum);
    const uint32_t known = mode.first ? 0 : 0u - (old != 0); /* a mask, for choices without branches */
    uint32_t second = second_value_model(row->level_of, strength, group->activity[i] + 8 * west->w);
    if (!mode.first) {
        const int32_t offset = 2 * ((negative ? -prediction : prediction) - (int32_t)((2 * old + 1) << (gain + 5))),
                      s = (int32_t)sum;
        const uint32_t offset_class = (uint32_t)(offset < 0) + (offset < -s) + (offset < -2 * s) + (offset < -4 * s);
        model ^= (model ^ (LOW_BIT_MODELS + ((level >> 2) * 3 + minimum(old, 3) - 1) * OFFSET_CLASSES + offset_class)) &
                 known;
        second ^= (second ^ second_low_bit_model(row->level_of, old, offset)) & known;
    }
    if (mode.encoding)
        symbol = known ? value >> rest_bits & ((1u << low_bits) - 1) : symbol_of(value, negative ^ predicted_negative);
    symbol = code_symbol_mixed(c, mode.encoding, &set->symbol[model], &set->second[second], symbol);
    m = (symbol + 1) >> 1;
    const uint32_t escape = symbol == LAST_SYMBOL && !known, differs = predicted_negative ^ negative;
    m ^= (m ^ (old << low_bits | symbol)) & known, negative ^= (differs ^ !(symbol & 1)) & ~known;
    if (escape) {
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        const uint32_t large = code_large(&own, mode.encoding, set, level, 2 * value + differs, MAX_M >> row->shift);
        *c = own;
        m = large >> 1, negative = predicted_negative ^ (large & 1);
    }
    if (!mode.first && rest_bits && known)
        m = m << rest_bits | code_plain(c, mode.encoding, rest_bits, value & ((1u << rest_bits) - 1));
    if (!mode.encoding) *one.out = (int16_t)with_sign(m, negative);
    move_west(west, m, negative);
    *one.mag = (uint8_t)west->w;
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays
 * in registers. */
WS_INLINE void code_lossless_row(coder *shared, const coding_mode mode, const plane *p, uint32_t y, workspace *w) {
    const int encoding = mode.encoding, first = mode.first;
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    coder c = *shared;
    const row_context row = {p->set,  w->level_of, p->weights->w,      p->weights->ww,
                             p->gain, p->shift,    p->coefficients[0], p->coefficients[4]};
    for (uint32_t g = 0; g < p->side / GROUP; g++) {
        if (!flag[g]) continue;
        const uint32_t x = g * GROUP, at = y * p->side + x;
        const lanes sums = context_sums(p, first, x, y, w->columns), activity = activity_of(p, first, x, y);
        const signed_lanes predictions = lossless_predictions(p, encoding, first, x, y);
        const int16_t *given = encoding ? p->target + at : 0;
        int16_t *out = encoding ? 0 : p->q + at;
        uint8_t *mag = p->mag + y * p->stride + x;
        west_context west = west_of(encoding, p, x, y);
        group_context group;
        __builtin_memcpy(group.sums, &sums, sizeof sums);
        __builtin_memcpy(group.predictions, &predictions, sizeof predictions);
        __builtin_memcpy(group.activity, &activity, sizeof activity);
        for (uint32_t i = 0; i < GROUP; i++) {
            const coefficient one = {encoding ? given[i] : 0, encoding ? 0 : out + i, mag + i};
            code_coefficient(&c, mode, &row, &group, i, &west, one);
        }
    }
    decay_columns(p, first, y, w);
    *shared = c;
}

#endif
