/* Fragment of entropy.c: the encoder's fit of a plane's predictor coefficients (CS42). */
#ifndef WS_ENTROPY_FIT_LOSSLESS
#define WS_ENTROPY_FIT_LOSSLESS

#include "lossless.inc.h"
#include "fit_luma.inc.h"

enum { ROW = WS_HALF + 2 * MARGIN, WIDE = 24 };
typedef float
    normal[WIDE][WIDE]; /* upper triangle of the products; the target of the fit stands in column coefficient_count() */

/* Row y of a plane, or zeros outside it. */
static void rescale_row_at(const int16_t *plane, uint32_t n, int32_t y, scaling r, int16_t *row) {
    if (y >= 0 && y < (int32_t)n)
        rescale_row(plane + (uint32_t)y * n, n, r, row);
    else
        for (uint32_t x = 0; x < n + 2 * MARGIN; x++) row[x] = 0;
}

/* Adds what row y tells, each coefficient by the inverse of the energy around it. Returns how many have any. */
static uint32_t accumulate_row(const plane *p, int32_t y, normal sums) {
    const uint32_t n = p->side, count = coefficient_count(p);
    const scaling now = {(uint16_t)p->shift, 0}, before = {(uint16_t)(p->shift + p->gain), (uint16_t)p->gain};
    int16_t rows[5 + 2 * 3 + 3][ROW];
    for (int i = 0; i < 3; i++) rescale_row_at(p->target, n, y - 2 + i, now, rows[i]);
    for (int i = 0; i < 2; i++) rescale_row_at(p->target, n, y + i, before, rows[3 + i]);
    for (int i = 0; p->luma && i < 3; i++)
        rescale_row_at(p->luma, n, y - 1 + i, scaling_of(p, 1, p->luma_shift), rows[5 + i]);
    for (int i = 0; p->chroma && i < 3; i++)
        rescale_row_at(p->chroma, n, y - 1 + i, scaling_of(p, 1, p->chroma_shift), rows[8 + i]);
    if (p->lh) {
        for (int i = 0; i < 2; i++)
            rescale_row_at(p->hl, n, y - 1 + 2 * i, scaling_of(p, 1, p->hl_shift), rows[11 + i]);
        rescale_row_at(p->lh, n, y, scaling_of(p, 1, p->lh_shift), rows[13]);
    }

    const int16_t *from[MAX_COEFFICIENTS + 1] = {rows[2] + MARGIN - 1, rows[1] + MARGIN,     rows[1] + MARGIN - 1,
                                                 rows[1] + MARGIN + 1, rows[2] + MARGIN - 2, rows[0] + MARGIN};
    uint32_t k = CAUSAL, seen = 0;
    if (!p->first) from[k++] = rows[3] + MARGIN + 1, from[k++] = rows[4] + MARGIN;
    if (p->lh) {
        from[k++] = rows[11] + MARGIN, from[k++] = rows[12] + MARGIN;
        from[k++] = rows[13] + MARGIN - 1, from[k++] = rows[13] + MARGIN + 1;
    }
    for (int other = 5; other < 11; other += 3) {
        if (!(other == 5 ? p->luma : p->chroma)) continue;
        const int16_t *c = rows[other + 1] + MARGIN;
        from[k++] = c, from[k++] = c - 1, from[k++] = c + 1;
        from[k++] = rows[other] + MARGIN, from[k++] = rows[other + 2] + MARGIN;
    }
    from[k] = rows[2] + MARGIN;
    const float soft = p->first ? 0.25f : 0.1f;
    for (uint32_t x = 0; x < n; x++) {
        float v[WIDE] = {0};
        for (uint32_t i = 0; i <= count; i++) v[i] = from[i][x];
        int32_t energy = 0;
        for (uint32_t i = 0; i < (p->first ? CAUSAL : CAUSAL + PREVIOUS_LAYER); i++)
            energy += from[i][x] < 0 ? -from[i][x] : from[i][x];
        seen += energy > 0;
        const float weight = 1.0f / (1.0f + soft * (float)energy * (float)energy);
        for (uint32_t i = 0; i <= count; i++) {
            const float w = weight * v[i];
            for (uint32_t j = 0; j < WIDE; j++) sums[i][j] += w * v[j];
        }
    }
    return seen;
}

/* The energy of what a predictor with these coefficients leaves. */
static float residual_energy(normal sums, const int8_t *coefficients, uint32_t count) {
    float energy = sums[count][count];
    for (uint32_t i = 0; i < count; i++) {
        const float k = (float)coefficients[i] / 64;
        energy -= 2 * k * sums[i][count];
        for (uint32_t j = 0; j < count; j++) energy += k * (float)coefficients[j] / 64 * sums[i][j];
    }
    return energy;
}

/* Least squares over every third row (every fourth would interfere with the blocks of a JPEG); returns whether the
 * coefficients are worth their bytes. */
static uint32_t fit_coefficients(const plane *p, int8_t *fitted) {
    normal sums = {{0}};
    float rows[MAX_COEFFICIENTS * (MAX_COEFFICIENTS + 1)], x[MAX_COEFFICIENTS];
    const uint32_t count = coefficient_count(p), apart = p->side > 128 ? 3 : 1;
    uint32_t seen = 0;
    for (uint32_t y = 0; y < p->side; y += apart) seen += accumulate_row(p, (int32_t)y, sums);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= count; j++) rows[i * (count + 1) + j] = sums[i][j] + (i == j ? 4.0f : 0.0f);
    ws_solve(rows, (int)count, x);
    for (uint32_t i = 0; i < count; i++) fitted[i] = ws_fitted(x[i] * 64);
    const float before = residual_energy(sums, p->coefficients, count), after = residual_energy(sums, fitted, count);
    return (before - after) * 0.1f * (float)(seen * apart) > (float)count * before;
}

#endif
