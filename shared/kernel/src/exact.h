/* What the lossless profile adds to the contexts: a lean by numbers of the plane's own, and a second model for every symbol
 * (codestream.md, CS41 to CS43). */
#ifndef WS_EXACT_H
#define WS_EXACT_H

#include "context.h"

/* Where a plane's numbers lie: its own W, N, NW, NE, WW, NN; in later layers E, S; for HH HL's N, S and
 * LH's W, E; for channels 1 and 2 luma's C, W, E, N, S; for channel 2 channel 1's. */
enum { EARLIER = 6, LATER = 2, BESIDE = 4, CROSS = 5 };
static const int8_t LEANING_BESIDE[BESIDE] = {-10, 10, -6, 6};

WS_INLINE uint32_t number_count(const plane *p) {
    return EARLIER + (p->first ? 0 : LATER) + (p->lh ? BESIDE : 0) + (p->luma ? CROSS : 0) + (p->chroma ? CROSS : 0);
}

/* The numbers of a plane that brings none. */
static void start_numbers(plane *p) {
    for (uint32_t i = 0; i < NUMBERS; i++) p->numbers[i] = 0;
    p->numbers[0] = p->leaning[0], p->numbers[1] = p->leaning[1];
    if (!p->first) p->numbers[EARLIER] = p->leaning[2], p->numbers[EARLIER + 1] = p->leaning[3];
    for (uint32_t i = 0; p->lh && i < BESIDE; i++) p->numbers[EARLIER + (p->first ? 0 : LATER) + i] = LEANING_BESIDE[i];
}

/* Another plane's values in units of this one. */
WS_INLINE reading other_reading(const plane *p, const int encoding, uint32_t other_shift) {
    const uint32_t up = other_shift > p->shift ? other_shift - p->shift : 0;
    const reading r = {(uint16_t)((encoding ? other_shift : 0) + p->shift + up - other_shift), (uint16_t)up};
    return r;
}

WS_INLINE lanes to_the_west(const int16_t *row, uint32_t x) {
    const lanes here = load_lanes(row), before = (lanes){0, 0, 0, 0, 0, 0, 0, (uint16_t)(x ? row[-1] : 0)};
    return __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
}

WS_INLINE lanes to_the_east(const int16_t *row, uint32_t x, uint32_t side) {
    const lanes here = load_lanes(row), next = (lanes){(uint16_t)(x + GROUP == side ? 0 : row[GROUP])};
    return __builtin_shufflevector(here, next, 1, 2, 3, 4, 5, 6, 7, 8);
}

WS_INLINE lanes times(int8_t number, lanes values, reading r) { return (uint16_t)(int16_t)number * (lanes)read_signed(values, r); }

/* Of another channel's same band: C, W, E, N, S. */
WS_INLINE lanes lean_across(const plane *p, const int8_t *k, const int16_t *c, reading r, uint32_t x, uint32_t y) {
    lanes leans = times(k[0], load_lanes(c), r) + times(k[1], to_the_west(c, x), r) + times(k[2], to_the_east(c, x, p->side), r);
    if (y > 0) leans += times(k[3], load_lanes(c - p->side), r);
    if (y + 1 < p->side) leans += times(k[4], load_lanes(c + p->side), r);
    return leans;
}

/* The leans of eight coefficients, in 1/64: all but W and WW. */
WS_INLINE signed_lanes exact_leans_of(const plane *p, const int encoding, const int first, uint32_t x, uint32_t y) {
    const uint32_t at = y * p->side + x;
    const int16_t *own = (encoding ? p->target : p->q) + at, *north = own - p->side;
    const int8_t *k = p->numbers;
    const reading now = {(uint16_t)(encoding ? p->shift : 0), 0};
    lanes leans = {0};
    if (y > 0) leans = times(k[1], load_lanes(north), now) + times(k[2], to_the_west(north, x), now) + times(k[3], to_the_east(north, x, p->side), now);
    if (y > 1) leans += times(k[5], load_lanes(north - p->side), now);
    k += EARLIER;
    if (!first) {
        const reading before = {(uint16_t)(encoding ? p->shift + p->gain : 0), (uint16_t)p->gain};
        leans += times(k[0], to_the_east(own, x, p->side), before);
        if (y + 1 < p->side) leans += times(k[1], load_lanes(own + p->side), before);
        k += LATER;
    }
    if (p->lh) {
        const reading hl = other_reading(p, encoding, p->hl_shift), lh = other_reading(p, encoding, p->lh_shift);
        if (y > 0) leans += times(k[0], load_lanes(p->hl + at - p->side), hl);
        if (y + 1 < p->side) leans += times(k[1], load_lanes(p->hl + at + p->side), hl);
        leans += times(k[2], to_the_west(p->lh + at, x), lh) + times(k[3], to_the_east(p->lh + at, x, p->side), lh);
        k += BESIDE;
    }
    if (p->luma) leans += lean_across(p, k, p->luma + at, other_reading(p, encoding, p->luma_shift), x, y), k += CROSS;
    if (p->chroma) leans += lean_across(p, k, p->chroma + at, other_reading(p, encoding, p->chroma_shift), x, y);
    return (signed_lanes)leans;
}

/* What is near eight coefficients, in 1/8: all but W. */
WS_INLINE lanes nears_of(const plane *p, const int first, uint32_t x, uint32_t y) {
    const uint32_t at = y * p->stride + x;
    const uint8_t *m = p->mag + at;
    lanes near = 8 * load_bytes(m - p->stride);
    if (!first) near += 8 * (load_bytes(m + 1) + load_bytes(m + p->stride));
    if (p->luma_mag) near += cross(p->luma_mag + at, p->stride, 4, 2);
    if (p->a) near += cross(p->a + at, p->stride, 4, 2);
    if (p->b) near += cross(p->b + at, p->stride, 4, 2);
    return near;
}

/* The second model of a coefficient that was zero, and of one that was not. */
WS_INLINE uint32_t second_value(const uint8_t *level_of, uint32_t strength, uint32_t near) {
    return level_of[minimum(strength, SUMS - 1)] * NEARS + (level_of[minimum(near, SUMS - 1)] >> 1);
}

WS_INLINE uint32_t second_low(const uint8_t *level_of, uint32_t old, int32_t off) {
    const uint32_t far = minimum(level_of[minimum(magnitude(off) >> 3, SUMS - 1)] >> 1, FAR_OFFS / 2);
    return SECOND_LOW_MODELS + (minimum(old, OLDS) - 1) * FAR_OFFS + (off < 0 ? FAR_OFFS / 2 - far : FAR_OFFS / 2 + far);
}

#endif
