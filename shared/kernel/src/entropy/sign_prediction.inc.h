/* Fragment of entropy.c: sign prediction. What the coefficients that are known, and luma at the same place, say of the
 * signs of eight coefficients. */
#ifndef WS_ENTROPY_SIGN_PREDICTION
#define WS_ENTROPY_SIGN_PREDICTION

#include "context.inc.h"

/* The eight values to the left and to the right of a row's, 0 outside the plane. */
WS_INLINE lanes shifted_west(const int16_t *row, uint32_t x) {
    const lanes here = load_lanes(row), before = (lanes){0, 0, 0, 0, 0, 0, 0, (uint16_t)(x ? row[-1] : 0)};
    return __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
}

WS_INLINE lanes shifted_east(const int16_t *row, uint32_t x, uint32_t side) {
    const lanes here = load_lanes(row), next = (lanes){(uint16_t)(x + GROUP == side ? 0 : row[GROUP])};
    return __builtin_shufflevector(here, next, 1, 2, 3, 4, 5, 6, 7, 8);
}

/* What signed neighbours let expect of eight coefficients, in 1/64: all but W in layer 0. */
WS_INLINE signed_lanes sign_predictions(const plane *p, const int encoding, const int first, uint32_t x, uint32_t y) {
    const int16_t *own = (encoding ? p->target : p->q) + y * p->side + x;
    const int8_t *k = p->sign_weights;
    const scaling now = {(uint16_t)(encoding ? p->shift : 0), 0};
    signed_lanes predictions = {0};
    if (y > 0) predictions = (int16_t)k[1] * rescale_signed(load_lanes(own - p->side), now);
    if (!first) {
        const scaling before = {(uint16_t)(encoding ? p->shift + p->gain : 0), (uint16_t)p->gain};
        predictions += (int16_t)k[0] * rescale_signed(shifted_west(own, x), before) +
                       (int16_t)k[2] * rescale_signed(shifted_east(own, x, p->side), before);
        if (y + 1 < p->side) predictions += (int16_t)k[3] * rescale_signed(load_lanes(own + p->side), before);
    }
    if (p->has_luma_predictor) {
        const uint32_t up = p->luma_shift > p->shift ? p->luma_shift - p->shift : 0;
        const scaling r = {(uint16_t)((encoding ? p->luma_shift : 0) + p->shift + up - p->luma_shift), (uint16_t)up};
        const int16_t *c = p->luma + y * p->side + x;
        const int8_t *g = p->luma_predictor;
        predictions += ((int16_t)g[0] * rescale_signed(load_lanes(c), r) >> 3) +
                       ((int16_t)g[1] * rescale_signed(shifted_west(c, x), r) >> 3) +
                       ((int16_t)g[2] * rescale_signed(shifted_east(c, x, p->side), r) >> 3);
        if (y > 0) predictions += (int16_t)g[3] * rescale_signed(load_lanes(c - p->side), r) >> 3;
        if (y + 1 < p->side) predictions += (int16_t)g[4] * rescale_signed(load_lanes(c + p->side), r) >> 3;
    }
    return predictions;
}

#endif
