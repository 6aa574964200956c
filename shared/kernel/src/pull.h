/* The encoder's fit of what luma says of a chroma plane. */
#ifndef WS_PULL_H
#define WS_PULL_H

#include "context.h"

static void read_row(const int16_t *from, uint32_t n, reading r, int16_t *row) {
    row[MARGIN - 1] = row[MARGIN + n] = 0;
    for (uint32_t x = 0; x < n; x += GROUP) {
        const signed_lanes v = read_signed(load_lanes(from + x), r);
        __builtin_memcpy(row + MARGIN + x, &v, sizeof v);
    }
}

enum { PULLS = 5 };

/* Adds what row y of a plane tells to the normal equations. Returns how many of its coefficients are not zero. */
static uint32_t add_row_of(const plane *p, uint32_t y, float sums[PULLS][PULLS + 1], float *energy) {
    const uint32_t n = p->side, up = p->luma_shift > p->shift ? p->luma_shift - p->shift : 0;
    const reading own = {(uint16_t)p->shift, 0}, luma = {(uint16_t)(p->shift + up), (uint16_t)up};
    int16_t rows[3][WS_HALF + 2 * MARGIN], rest[WS_HALF];
    const int16_t *a = rows[0] + MARGIN, *b = rows[1] + MARGIN, *c = rows[2] + MARGIN;
    int32_t row[PULLS][PULLS + 1] = {{0}};
    uint32_t count = 0, squares = 0; /* 256 squares of up to 3048: more than an int32 holds */
    read_row(p->target + (y - 1) * n, n, own, rows[0]);
    read_row(p->target + y * n, n, own, rows[1]);
    for (uint32_t x = 0; x < n; x++) {
        count += b[x] != 0;
        rest[x] = (int16_t)((64 * b[x] - p->leaning[0] * b[(int)x - 1] - p->leaning[1] * a[x]) >> 2);
    }
    for (uint32_t i = 0; i < 3; i++) read_row(p->luma + (y - 1 + i) * n, n, luma, rows[i]);
    for (uint32_t x = 0; x < n; x++) {
        const int32_t v[PULLS + 1] = {b[x], b[(int)x - 1], b[x + 1], a[x], c[x], rest[x]};
        for (int i = 0; i < PULLS; i++)
            for (int j = i; j <= PULLS; j++) row[i][j] += v[i] * v[j];
        squares += (uint32_t)(v[PULLS] * v[PULLS]);
    }
    for (int i = 0; i < PULLS; i++)
        for (int j = i; j <= PULLS; j++) sums[i][j] += (float)row[i][j];
    *energy += (float)squares;
    return count;
}

/* Least squares over every fourth row: the pull of luma's five on what W and N leave of a chroma plane. */
static void fit_pull(plane *p) {
    float sums[PULLS][PULLS + 1] = {{0}}, rows[PULLS * (PULLS + 1)], x[PULLS], energy = 0, explained = 0;
    uint32_t count = 0;
    for (uint32_t y = 1; y + 1 < p->side; y += 4) count += add_row_of(p, y, sums, &energy);
    for (int i = 0; i < PULLS; i++)
        for (int j = 0; j <= PULLS; j++) rows[i * (PULLS + 1) + j] = (j < i ? sums[j][i] : sums[i][j]) + (i == j ? 1.0f : 0.0f);
    ws_solve(rows, PULLS, x);
    for (int i = 0; i < PULLS; i++) {
        explained += sums[i][PULLS] * x[i];
        p->pull[i] = ws_fitted(x[i] * 32.0f); /* rest is in 1/16, the pull in 1/512 */
    }
    p->pulled = count >= 64 && explained * (float)count > 60.0f * energy;
}

#endif
