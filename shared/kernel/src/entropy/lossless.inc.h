/* Fragment of entropy.c: what two models (CS48) add to the contexts: predictor coefficients per plane, and a second
 * model for every symbol (codestream.md, CS41 to CS43). */
#ifndef WS_ENTROPY_LOSSLESS
#define WS_ENTROPY_LOSSLESS

#include "sign_prediction.inc.h"

/* The order of a plane's coefficients: its own W, N, NW, NE, WW, NN; in later layers E, S; for HH HL's N, S and
 * LH's W, E; for channels 1 and 2 luma's C, W, E, N, S; for channel 2 channel 1's. */
enum { CAUSAL = 6, PREVIOUS_LAYER = 2, CROSS_BAND = 4, CROSS_CHANNEL = 5 };
static const int8_t CROSS_BAND_WEIGHTS[CROSS_BAND] = {-10, 10, -6, 6};

WS_INLINE uint32_t coefficient_count(const plane *p) {
    return CAUSAL + (p->first ? 0 : PREVIOUS_LAYER) + (p->lh ? CROSS_BAND : 0) + (p->luma ? CROSS_CHANNEL : 0) +
           (p->chroma ? CROSS_CHANNEL : 0);
}

/* The coefficients of a plane that brings none of its own. */
static void set_default_coefficients(plane *p) {
    for (uint32_t i = 0; i < MAX_COEFFICIENTS; i++) p->coefficients[i] = 0;
    p->coefficients[0] = p->sign_weights[0], p->coefficients[1] = p->sign_weights[1];
    if (!p->first) p->coefficients[CAUSAL] = p->sign_weights[2], p->coefficients[CAUSAL + 1] = p->sign_weights[3];
    for (uint32_t i = 0; p->lh && i < CROSS_BAND; i++)
        p->coefficients[CAUSAL + (p->first ? 0 : PREVIOUS_LAYER) + i] = CROSS_BAND_WEIGHTS[i];
}

/* Another plane's values in units of this one. */
WS_INLINE scaling scaling_of(const plane *p, const int encoding, uint32_t other_shift) {
    const uint32_t up = other_shift > p->shift ? other_shift - p->shift : 0;
    const scaling r = {(uint16_t)((encoding ? other_shift : 0) + p->shift + up - other_shift), (uint16_t)up};
    return r;
}

WS_INLINE lanes weighted(int8_t weight, lanes values, scaling r) {
    return (uint16_t)(int16_t)weight * (lanes)rescale_signed(values, r);
}

/* Of another channel's same band: C, W, E, N, S. */
WS_INLINE lanes cross_channel_prediction(const plane *p, const int8_t *k, const int16_t *c, scaling r, uint32_t x,
                                         uint32_t y) {
    lanes predictions = weighted(k[0], load_lanes(c), r) + weighted(k[1], shifted_west(c, x), r) +
                        weighted(k[2], shifted_east(c, x, p->side), r);
    if (y > 0) predictions += weighted(k[3], load_lanes(c - p->side), r);
    if (y + 1 < p->side) predictions += weighted(k[4], load_lanes(c + p->side), r);
    return predictions;
}

/* The predictions of eight coefficients, in 1/64, without W and WW. */
WS_INLINE signed_lanes lossless_predictions(const plane *p, const int encoding, const int first, uint32_t x,
                                            uint32_t y) {
    const uint32_t at = y * p->side + x;
    const int16_t *own = (encoding ? p->target : p->q) + at, *north = own - p->side;
    const int8_t *k = p->coefficients;
    const scaling now = {(uint16_t)(encoding ? p->shift : 0), 0};
    lanes predictions = {0};
    if (y > 0)
        predictions = weighted(k[1], load_lanes(north), now) + weighted(k[2], shifted_west(north, x), now) +
                      weighted(k[3], shifted_east(north, x, p->side), now);
    if (y > 1) predictions += weighted(k[5], load_lanes(north - p->side), now);
    k += CAUSAL;
    if (!first) {
        const scaling before = {(uint16_t)(encoding ? p->shift + p->gain : 0), (uint16_t)p->gain};
        predictions += weighted(k[0], shifted_east(own, x, p->side), before);
        if (y + 1 < p->side) predictions += weighted(k[1], load_lanes(own + p->side), before);
        k += PREVIOUS_LAYER;
    }
    if (p->lh) {
        const scaling hl = scaling_of(p, encoding, p->hl_shift), lh = scaling_of(p, encoding, p->lh_shift);
        if (y > 0) predictions += weighted(k[0], load_lanes(p->hl + at - p->side), hl);
        if (y + 1 < p->side) predictions += weighted(k[1], load_lanes(p->hl + at + p->side), hl);
        predictions +=
            weighted(k[2], shifted_west(p->lh + at, x), lh) + weighted(k[3], shifted_east(p->lh + at, x, p->side), lh);
        k += CROSS_BAND;
    }
    if (p->luma)
        predictions += cross_channel_prediction(p, k, p->luma + at, scaling_of(p, encoding, p->luma_shift), x, y),
            k += CROSS_CHANNEL;
    if (p->chroma)
        predictions += cross_channel_prediction(p, k, p->chroma + at, scaling_of(p, encoding, p->chroma_shift), x, y);
    return (signed_lanes)predictions;
}

/* What is near eight coefficients, in 1/8: all but W. */
WS_INLINE lanes activity_of(const plane *p, const int first, uint32_t x, uint32_t y) {
    const uint32_t at = y * p->stride + x;
    const uint8_t *m = p->mag + at;
    lanes activity = 8 * load_bytes(m - p->stride);
    if (!first) activity += 8 * (load_bytes(m + 1) + load_bytes(m + p->stride));
    if (p->luma_mag) activity += cross(p->luma_mag + at, p->stride, 4, 2);
    if (p->a) activity += cross(p->a + at, p->stride, 4, 2);
    if (p->b) activity += cross(p->b + at, p->stride, 4, 2);
    return activity;
}

/* The second model of a coefficient that was zero, and of one that was not. */
WS_INLINE uint32_t second_value_model(const uint8_t *level_of, uint32_t strength, uint32_t activity) {
    return level_of[minimum(strength, SUM_LIMIT - 1)] * ACTIVITY_CLASSES +
           (level_of[minimum(activity, SUM_LIMIT - 1)] >> 1);
}

WS_INLINE uint32_t second_low_bit_model(const uint8_t *level_of, uint32_t old, int32_t off) {
    const uint32_t far = minimum(level_of[minimum(magnitude(off) >> 3, SUM_LIMIT - 1)] >> 1, SECOND_OFFSET_CLASSES / 2);
    return SECOND_LOW_BIT_MODELS + (minimum(old, MAX_OLD) - 1) * SECOND_OFFSET_CLASSES +
           (off < 0 ? SECOND_OFFSET_CLASSES / 2 - far : SECOND_OFFSET_CLASSES / 2 + far);
}

#endif
