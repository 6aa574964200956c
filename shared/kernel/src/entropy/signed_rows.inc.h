/* Fragment of entropy.c: the predictor coefficients of a plane with two models (CS41, CS42), and what they predict.
 * Rows of signed values are rescaled once: the encoder fits and predicts with them, the decoder predicts. */
#ifndef WS_ENTROPY_SIGNED_ROWS
#define WS_ENTROPY_SIGNED_ROWS

#include "sign_prediction.inc.h"

/* The order of a plane's coefficients: its own W, N, NW, NE, WW, NN; in later layers E, S; for HH HL's N, S and
 * LH's W, E; for channels 1 and 2 luma's C, W, E, N, S; for channel 2 channel 1's. */
enum { COEFFICIENT_W = 0, COEFFICIENT_WW = 4, CAUSAL = 6, PREVIOUS_LAYER = 2, CROSS_BAND = 4, CROSS_CHANNEL = 5 };
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

/* Row y of a plane, rescaled; zeros outside it. */
static void rescale_row_at(const int16_t *plane, uint32_t n, int32_t y, scaling r, int16_t *row) {
    if (y >= 0 && y < (int32_t)n)
        rescale_row(plane + (uint32_t)y * n, n, r, row);
    else
        __builtin_memset(row, 0, (n + 2 * MARGIN) * sizeof *row);
}

/* Finds rows y + from to y + to of a plane; all but the last are there if the row before was the last one found. */
static void find_rows(signed_rows *rows, const plane *p, uint32_t kind, const int16_t *plane, scaling r, int32_t from,
                      int32_t to, int32_t y) {
    for (int32_t i = rows->next == y ? to : from; i <= to; i++)
        rescale_row_at(plane, p->side, y + i, r, rows->values[kind][(y + i) & (RING - 1)]);
}

/* All that the predictor looks at in row y; encoding, what it predicts as well. */
static __attribute__((noinline)) void find_signed_rows(const plane *p, int encoding, uint32_t row, signed_rows *rows) {
    const int32_t y = (int32_t)row;
    const int16_t *own = encoding ? p->target : p->q;
    const scaling now = {(uint16_t)(encoding ? p->shift : 0), 0},
                  before = {(uint16_t)(encoding ? p->shift + p->gain : 0), (uint16_t)p->gain};
    find_rows(rows, p, OWN, own, now, -2, encoding ? 0 : -1, y);
    if (!p->first) find_rows(rows, p, BEFORE, own, before, 0, 1, y);
    if (p->lh) find_rows(rows, p, HL, p->hl, scaling_of(p, encoding, p->hl_shift), -1, 1, y);
    if (p->lh) find_rows(rows, p, LH, p->lh, scaling_of(p, encoding, p->lh_shift), 0, 0, y);
    if (p->luma) find_rows(rows, p, LUMA_CHANNEL, p->luma, scaling_of(p, encoding, p->luma_shift), -1, 1, y);
    if (p->chroma) find_rows(rows, p, CHROMA_CHANNEL, p->chroma, scaling_of(p, encoding, p->chroma_shift), -1, 1, y);
    rows->next = y + 1;
}

WS_INLINE const int16_t *signed_row(const signed_rows *rows, uint32_t kind, uint32_t y) {
    return rows->values[kind][y & (RING - 1)] + MARGIN;
}

/* Where the value for each coefficient of (0, y) lies, and after them that of (0, y) itself. */
static void find_taps(const plane *p, const signed_rows *rows, uint32_t y, const int16_t *taps[MAX_COEFFICIENTS + 1]) {
    const int16_t *here = signed_row(rows, OWN, y), *north = signed_row(rows, OWN, y - 1);
    uint32_t k = 0;
    taps[k++] = here - 1, taps[k++] = north, taps[k++] = north - 1, taps[k++] = north + 1, taps[k++] = here - 2;
    taps[k++] = signed_row(rows, OWN, y - 2);
    if (!p->first) taps[k++] = signed_row(rows, BEFORE, y) + 1, taps[k++] = signed_row(rows, BEFORE, y + 1);
    if (p->lh) {
        taps[k++] = signed_row(rows, HL, y - 1), taps[k++] = signed_row(rows, HL, y + 1);
        taps[k++] = signed_row(rows, LH, y) - 1, taps[k++] = signed_row(rows, LH, y) + 1;
    }
    for (uint32_t kind = LUMA_CHANNEL; kind <= CHROMA_CHANNEL; kind++) {
        if (!(kind == LUMA_CHANNEL ? p->luma : p->chroma)) continue;
        const int16_t *centre = signed_row(rows, kind, y);
        taps[k++] = centre, taps[k++] = centre - 1, taps[k++] = centre + 1;
        taps[k++] = signed_row(rows, kind, y - 1), taps[k++] = signed_row(rows, kind, y + 1);
    }
    taps[k] = here;
}

/* The predictions of a row, in 1/64, without W and WW. */
static __attribute__((noinline)) void predict_row(const plane *p, uint32_t y, signed_rows *rows) {
    const int16_t *taps[MAX_COEFFICIENTS + 1];
    const uint32_t count = coefficient_count(p);
    find_taps(p, rows, y, taps);
    __builtin_memset(rows->predictions, 0, p->side * sizeof *rows->predictions);
    for (uint32_t i = 0; i < count; i++) {
        const lanes weight = splat(p->coefficients[i]);
        if (i == COEFFICIENT_W || i == COEFFICIENT_WW || !p->coefficients[i]) continue;
        for (uint32_t x = 0; x < p->side; x += GROUP)
            store_lanes(rows->predictions + x, load_lanes(rows->predictions + x) + weight * load_lanes(taps[i] + x));
    }
}

#endif
