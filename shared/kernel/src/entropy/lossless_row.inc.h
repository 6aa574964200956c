/* Fragment of entropy.c: rows with two models in the decoder, CS34, CS35 and CS41 to CS43. The context of eight
 * coefficients is known before they are coded; what W and WW add to it comes one coefficient at a time. */
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

/* The places of two models in their set. */
typedef struct {
    uint32_t model, second;
} model_pair;

/* Of a coefficient that was zero (CS34, CS43). */
WS_INLINE model_pair value_models(const uint8_t *level_of, uint32_t sum, int32_t prediction, uint32_t activity) {
    const uint32_t strength = 16 * magnitude(prediction);
    const model_pair pair = {STRENGTH_CLASSES * level_of[sum] + (strength >= sum) + (strength >= 3 * sum) +
                                 (strength >= 8 * sum),
                             second_value_model(level_of, strength, activity)};
    return pair;
}

/* Of one that was `old`; `offset`: how far its prediction is above the middle of what that leaves open (CS35). */
WS_INLINE model_pair low_bit_models(const uint8_t *level_of, uint32_t sum, int32_t offset, uint32_t old) {
    const int32_t s = (int32_t)sum;
    const uint32_t offset_class = (uint32_t)(offset < 0) + (offset < -s) + (offset < -2 * s) + (offset < -4 * s);
    const model_pair pair = {LOW_BIT_MODELS + ((level_of[sum] >> 2) * 3 + minimum(old, 3) - 1) * OFFSET_CLASSES +
                                 offset_class,
                             second_low_bit_model(level_of, old, offset)};
    return pair;
}

/* Coefficient i of a group, `*out` as the layer before left it. */
WS_INLINE void decode_coefficient(coder *c, const int first, const row_context *row, const group_context *group,
                                  uint32_t i, west_context *west, int16_t *out) {
    model_set *const set = row->set;
    const uint32_t sum = minimum(group->sums[i] + row->ww * west->ww + row->w * west->w, SUM_LIMIT - 1);
    const int32_t prediction =
        group->predictions[i] + row->weight_ww * west->signed_ww + row->weight_w * west->signed_w;
    if (!first && *out) {
        const uint32_t old = magnitude(*out), negative = *out < 0, low_bits = minimum(row->gain, LOW_BITS),
                       rest_bits = row->gain - low_bits;
        const int32_t offset =
            2 * ((negative ? -prediction : prediction) - (int32_t)((2 * old + 1) << (row->gain + 5)));
        const model_pair at = low_bit_models(row->level_of, sum, offset, old);
        uint32_t m = old << low_bits | code_symbol_mixed(c, 0, &set->symbol[at.model], &set->second[at.second], 0);
        if (rest_bits) m = m << rest_bits | code_plain(c, 0, rest_bits, 0);
        *out = (int16_t)with_sign(m, negative);
        move_west(west, m, negative);
        return;
    }
    const model_pair at = value_models(row->level_of, sum, prediction, group->activity[i] + 8 * west->w);
    const uint32_t symbol = code_symbol_mixed(c, 0, &set->symbol[at.model], &set->second[at.second], 0);
    uint32_t m = (symbol + 1) >> 1, negative = (prediction < 0) ^ !(symbol & 1);
    if (symbol == LAST_SYMBOL) {
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        const uint32_t large = code_large(&own, 0, set, row->level_of[sum], 0, MAX_M >> row->shift);
        *c = own;
        m = large >> 1, negative = (prediction < 0) ^ (large & 1);
    }
    *out = (int16_t)with_sign(m, negative);
    move_west(west, m, negative);
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays
 * in registers. */
WS_INLINE void decode_lossless_row(coder *shared, const int first, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    coder c = *shared;
    const row_context row = {p->set,
                             w->level_of,
                             p->weights->w,
                             p->weights->ww,
                             p->gain,
                             p->shift,
                             p->coefficients[COEFFICIENT_W],
                             p->coefficients[COEFFICIENT_WW]};
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
