/* Fragment of entropy.c: the encoder fits the cross-channel predictor from luma (CS33). */
#ifndef WS_ENTROPY_FIT_LUMA
#define WS_ENTROPY_FIT_LUMA

#include "context.inc.h"

enum { LUMA_TAPS = 5 };

/* What W and N leave of row y of a chroma plane, in 1/16. Returns how many of its coefficients are not zero. */
static uint32_t rest_of_row(const plane *p, uint32_t y, int16_t *rest) {
    const uint32_t n = p->side;
    const scaling own = {(uint16_t)p->shift, 0};
    const int16_t west = p->sign_weights[0], north = p->sign_weights[1];
    int16_t row[WS_HALF + 2 * MARGIN], above[WS_HALF + 2 * MARGIN];
    lanes count = {0};
    rescale_row(p->target + (y - 1) * n, n, own, above);
    rescale_row(p->target + y * n, n, own, row);
    for (uint32_t x = 0; x < n; x += GROUP) {
        const signed_lanes here = (signed_lanes)load_lanes(row + MARGIN + x),
                           left = (signed_lanes)load_lanes(row + MARGIN + x - 1),
                           over = (signed_lanes)load_lanes(above + MARGIN + x);
        count -= (lanes)(here != 0);
        store_lanes(rest + x, (lanes)((64 * here - west * left - north * over) >> 2));
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < GROUP; i++) sum += count[i];
    return sum;
}

WS_INLINE uint32_t sum_of(four_words v) { return v[0] + v[1] + v[2] + v[3]; }

/* Adds what row y of a plane tells to the normal equations. Returns how many of its coefficients are not zero. */
static uint32_t accumulate_luma_row(const plane *p, uint32_t y, float sums[LUMA_TAPS][LUMA_TAPS + 1], float *energy) {
    const uint32_t n = p->side, up = p->luma_shift > p->shift ? p->luma_shift - p->shift : 0;
    const scaling luma = {(uint16_t)(p->shift + up), (uint16_t)up};
    int16_t rows[3][WS_HALF + 2 * MARGIN], rest[WS_HALF];
    four_words row[LUMA_TAPS + 1][LUMA_TAPS + 1] = {{{0}}};
    const uint32_t count = rest_of_row(p, y, rest);
    for (uint32_t i = 0; i < 3; i++) rescale_row(p->luma + (y - 1 + i) * n, n, luma, rows[i]);
    for (uint32_t x = 0; x < n; x += GROUP) {
        const int16_t *a = rows[0] + MARGIN + x, *b = rows[1] + MARGIN + x, *c = rows[2] + MARGIN + x;
        const lanes v[LUMA_TAPS + 1] = {load_lanes(b), load_lanes(b - 1), load_lanes(b + 1),
                                        load_lanes(a), load_lanes(c),     load_lanes(rest + x)};
        for (int i = 0; i <= LUMA_TAPS; i++)
            for (int j = i; j <= LUMA_TAPS; j++) row[i][j] += sums_of_pairs(v[i], v[j]);
    }
    for (int i = 0; i < LUMA_TAPS; i++)
        for (int j = i; j <= LUMA_TAPS; j++) sums[i][j] += (float)(int32_t)sum_of(row[i][j]);
    *energy += (float)sum_of(row[LUMA_TAPS][LUMA_TAPS]);
    return count;
}

/* Least squares over every fourth row: luma's five neighbours predict what W and N leave of a chroma plane. */
static void fit_luma_predictor(plane *p) {
    float sums[LUMA_TAPS][LUMA_TAPS + 1] = {{0}}, rows[LUMA_TAPS * (LUMA_TAPS + 1)], x[LUMA_TAPS], energy = 0,
                                      explained = 0;
    uint32_t count = 0;
    for (uint32_t y = 1; y + 1 < p->side; y += 4) count += accumulate_luma_row(p, y, sums, &energy);
    for (int i = 0; i < LUMA_TAPS; i++)
        for (int j = 0; j <= LUMA_TAPS; j++)
            rows[i * (LUMA_TAPS + 1) + j] = (j < i ? sums[j][i] : sums[i][j]) + (i == j ? 1.0f : 0.0f);
    ws_solve(rows, LUMA_TAPS, x);
    for (int i = 0; i < LUMA_TAPS; i++) {
        explained += sums[i][LUMA_TAPS] * x[i];
        p->luma_predictor[i] = ws_fitted(x[i] * 32.0f); /* rest is in 1/16, the predictor in 1/512 */
    }
    p->has_luma_predictor = count >= 64 && explained * (float)count > 60.0f * energy;
}

#endif
