/* Fragment of entropy.c: what two models (CS48) add to the contexts: a second model for every symbol (CS43). */
#ifndef WS_ENTROPY_LOSSLESS
#define WS_ENTROPY_LOSSLESS

#include "signed_rows.inc.h"

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
