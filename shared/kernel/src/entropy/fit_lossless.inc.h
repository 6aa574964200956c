/* Fragment of entropy.c: the encoder's fit of a plane's predictor coefficients (CS42). */
#ifndef WS_ENTROPY_FIT_LOSSLESS
#define WS_ENTROPY_FIT_LOSSLESS

#include "signed_rows.inc.h"
#include "fit_luma.inc.h"

enum { WIDE = 24 };
typedef float
    normal[WIDE][WIDE]; /* upper triangle of the products; the target of the fit stands in column coefficient_count() */

/* Adds what row y tells, each coefficient by the inverse of the energy around it. Returns how many have any. */
static uint32_t accumulate_row(const plane *p, uint32_t y, signed_rows *rows, normal sums) {
    const uint32_t n = p->side, count = coefficient_count(p);
    const int16_t *from[MAX_COEFFICIENTS + 1];
    uint32_t seen = 0;
    find_signed_rows(p, 1, y, rows);
    find_taps(p, rows, y, from);
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

/* Least squares, in the visual profile over every fifth row (every fourth would interfere with the blocks of a JPEG);
 * returns whether the coefficients are worth their bytes. */
static uint32_t fit_coefficients(const plane *p, int8_t *fitted, signed_rows *rows) {
    rows->next = -1;
    normal sums = {{0}};
    float equations[MAX_COEFFICIENTS * (MAX_COEFFICIENTS + 1)], x[MAX_COEFFICIENTS];
    const uint32_t count = coefficient_count(p), apart = p->side > 32 ? p->fitted_rows : 1;
    uint32_t seen = 0;
    for (uint32_t y = 0; y < p->side; y += apart) seen += accumulate_row(p, y, rows, sums);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= count; j++) equations[i * (count + 1) + j] = sums[i][j] + (i == j ? 4.0f : 0.0f);
    ws_solve(equations, (int)count, x);
    for (uint32_t i = 0; i < count; i++) fitted[i] = ws_fitted(x[i] * 64);
    const float before = residual_energy(sums, p->coefficients, count), after = residual_energy(sums, fitted, count);
    return (before - after) * 0.1f * (float)(seen * apart) > (float)count * before;
}

#endif
