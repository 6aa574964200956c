/* Fragment of entropy.c: rows with two models in the decoder, CS34, CS35 and CS41 to CS43. The context of eight coefficients
 * is known before they are coded; what W and WW add to it comes one coefficient at a time. */
#ifndef WS_ENTROPY_LOSSLESS_ROW
#define WS_ENTROPY_LOSSLESS_ROW

#include "large_magnitude.inc.h"
#include "lossless.inc.h"

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

WS_INLINE int32_t small_signed(int32_t v) { return with_sign(minimum(magnitude(v), MAX_SIGNED), v < 0); }

WS_INLINE west_context west_of(const plane *p, uint32_t x, uint32_t y) {
    const uint8_t *mag = p->mag + y * p->stride + x;
    const int16_t *own = p->q + y * p->side + x;
    west_context west = {mag[-1], mag[-2], 0, 0};
    if (x) west.signed_w = small_signed(own[-1]), west.signed_ww = small_signed(own[-2]);
    return west;
}

WS_INLINE void move_west(west_context *west, uint32_t m, uint32_t negative) {
    west->ww = west->w, west->signed_ww = west->signed_w;
    west->w = minimum(m, MAX_MAGNITUDE), west->signed_w = with_sign(minimum(m, MAX_SIGNED), negative);
}

/* Coefficient i of a group, `*out` as the layer before left it: CS34 where it was zero, CS35 where it was not. */
WS_INLINE void decode_coefficient(coder *c, const int first, const row_context *row, const group_context *group,
                                  uint32_t i, west_context *west, int16_t *out) {
    model_set *const set = row->set;
    const uint32_t gain = first ? 0 : row->gain, low_bits = minimum(gain, LOW_BITS), rest_bits = gain - low_bits;
    const uint32_t sum = minimum(group->sums[i] + row->w * west->w + row->ww * west->ww, SUM_LIMIT - 1);
    const uint32_t level = row->level_of[sum];
    const int32_t prediction =
        group->predictions[i] + row->weight_w * west->signed_w + row->weight_ww * west->signed_ww;
    const uint32_t predicted_negative = prediction < 0, strength = 16 * magnitude(prediction);
    const uint32_t old = first ? 0 : magnitude(*out);
    uint32_t negative = first ? 0 : *out < 0;
    uint32_t model = STRENGTH_CLASSES * level + (strength >= sum) + (strength >= 3 * sum) + (strength >= 8 * sum);
    const uint32_t known = first ? 0 : 0u - (old != 0); /* a mask, for choices without branches */
    uint32_t second = second_value_model(row->level_of, strength, group->activity[i] + 8 * west->w);
    if (!first) {
        const int32_t offset = 2 * ((negative ? -prediction : prediction) - (int32_t)((2 * old + 1) << (gain + 5))),
                      s = (int32_t)sum;
        const uint32_t offset_class = (uint32_t)(offset < 0) + (offset < -s) + (offset < -2 * s) + (offset < -4 * s);
        model ^= (model ^ (LOW_BIT_MODELS + ((level >> 2) * 3 + minimum(old, 3) - 1) * OFFSET_CLASSES + offset_class)) &
                 known;
        second ^= (second ^ second_low_bit_model(row->level_of, old, offset)) & known;
    }
    const uint32_t symbol = code_symbol_mixed(c, 0, &set->symbol[model], &set->second[second], 0);
    const uint32_t escape = symbol == LAST_SYMBOL && !known;
    uint32_t m = (symbol + 1) >> 1;
    m ^= (m ^ (old << low_bits | symbol)) & known, negative ^= (predicted_negative ^ negative ^ !(symbol & 1)) & ~known;
    if (escape) {
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        const uint32_t large = code_large(&own, 0, set, level, 0, MAX_M >> row->shift);
        *c = own;
        m = large >> 1, negative = predicted_negative ^ (large & 1);
    }
    if (!first && rest_bits && known) m = m << rest_bits | code_plain(c, 0, rest_bits, 0);
    *out = (int16_t)with_sign(m, negative);
    move_west(west, m, negative);
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays
 * in registers. */
WS_INLINE void decode_lossless_row(coder *shared, const int first, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    coder c = *shared;
    const row_context row = {p->set,  w->level_of, p->weights->w,      p->weights->ww,
                             p->gain, p->shift,    p->coefficients[COEFFICIENT_W], p->coefficients[COEFFICIENT_WW]};
    find_signed_rows(p, 0, y, &w->rows);
    predict_row(p, y, &w->rows);
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        if (!flag[x / GROUP]) continue;
        const lanes sums = context_sums(p, first, x, y, w->columns), activity = activity_of(p, first, x, y);
        int16_t *out = p->q + y * p->side + x;
        uint8_t *mag = p->mag + y * p->stride + x;
        west_context west = west_of(p, x, y);
        group_context group;
        __builtin_memcpy(group.sums, &sums, sizeof sums);
        __builtin_memcpy(group.predictions, w->rows.predictions + x, sizeof group.predictions);
        __builtin_memcpy(group.activity, &activity, sizeof activity);
        for (uint32_t i = 0; i < GROUP; i++) {
            decode_coefficient(&c, first, &row, &group, i, &west, out + i);
            mag[i] = (uint8_t)west.w;
        }
    }
    decay_columns(p, first, y, w);
    *shared = c;
}

#endif
