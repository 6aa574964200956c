/* Fragment of entropy.c: sign prediction. What the coefficients that are known, and luma at the same place, say of the
 * signs of eight coefficients. */
#ifndef WS_ENTROPY_SIGN_PREDICTION
#define WS_ENTROPY_SIGN_PREDICTION

#include "context.inc.h"

/* What signed neighbours let expect of eight coefficients, in 1/64: all but W. */
WS_INLINE signed_lanes sign_predictions(const plane *p, const int encoding, const int first, uint32_t x, uint32_t y) {
    const int16_t *own = (encoding ? p->target : p->q) + y * p->side + x, last = x + GROUP == p->side;
    const scaling now = {(uint16_t)(encoding ? p->shift : 0), 0};
    signed_lanes predictions = {0};
    if (y > 0) predictions = (int16_t)p->sign_weights[1] * rescale_signed(load_lanes(own - p->side), now);
    if (!first) {
        const scaling before = {(uint16_t)(encoding ? p->shift + p->gain : 0), (uint16_t)p->gain};
        const lanes here = load_lanes(own), next = (lanes){(uint16_t)(last ? 0 : own[GROUP])};
        predictions += (int16_t)p->sign_weights[2] *
                       rescale_signed(__builtin_shufflevector(here, next, 1, 2, 3, 4, 5, 6, 7, 8), before);
        if (y + 1 < p->side)
            predictions += (int16_t)p->sign_weights[3] * rescale_signed(load_lanes(own + p->side), before);
    }
    if (p->has_luma_predictor) {
        const uint32_t up = p->luma_shift > p->shift ? p->luma_shift - p->shift : 0;
        const scaling r = {(uint16_t)((encoding ? p->luma_shift : 0) + p->shift + up - p->luma_shift), (uint16_t)up};
        const int16_t *c = p->luma + y * p->side + x;
        const lanes here = load_lanes(c), next = (lanes){(uint16_t)(last ? 0 : c[GROUP])};
        const lanes before = (lanes){0, 0, 0, 0, 0, 0, 0, (uint16_t)(x ? c[-1] : 0)};
        predictions += (int16_t)p->luma_predictor[0] * rescale_signed(here, r) >> 3;
        predictions += (int16_t)p->luma_predictor[1] *
                           rescale_signed(__builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14), r) >>
                       3;
        predictions += (int16_t)p->luma_predictor[2] *
                           rescale_signed(__builtin_shufflevector(here, next, 1, 2, 3, 4, 5, 6, 7, 8), r) >>
                       3;
        if (y > 0) predictions += (int16_t)p->luma_predictor[3] * rescale_signed(load_lanes(c - p->side), r) >> 3;
        if (y + 1 < p->side)
            predictions += (int16_t)p->luma_predictor[4] * rescale_signed(load_lanes(c + p->side), r) >> 3;
    }
    return predictions;
}

#endif
