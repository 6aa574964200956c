/* Fragment of entropy.c: the encoder's fit of a plane's predictor coefficients (CS42). */
#ifndef WS_ENTROPY_FIT_LOSSLESS
#define WS_ENTROPY_FIT_LOSSLESS

#include "signed_rows.inc.h"
#include "fit_luma.inc.h"

enum { WIDE = 24 };
typedef eight_floats normal[WIDE][WIDE / GROUP]; /* the target of the fit is tap coefficient_count() */

WS_INLINE float sum_at(normal sums, uint32_t i, uint32_t j) { return sums[i][j / GROUP][j % GROUP]; }

/* What eight coefficients tell: their taps, and these by the inverse of the energy around them, [tap]. */
typedef struct {
    eight_floats values[WIDE], weighted[WIDE];
    uint32_t seen; /* how many have any energy */
} fit_group;

/* Of the coefficients from x on; whether a tap is not 0. */
WS_INLINE uint32_t read_group(const plane *p, const int16_t *const *taps, uint32_t count, uint32_t x,
                              fit_group *group) {
    const uint32_t near = CAUSAL + (p->first ? 0 : PREVIOUS_LAYER);
    lanes energy = {0}, any = {0};
    uint64_t halves[2];
    for (uint32_t i = 0; i <= count; i++) {
        const lanes v = load_lanes(taps[i] + x);
        any |= v;
        if (i < near) energy += sizes_of((signed_lanes)v);
    }
    __builtin_memcpy(halves, &any, sizeof halves);
    if (!(halves[0] | halves[1])) return 0;
    const lanes seen = (lanes)(energy != 0);
    group->seen = 0;
    for (uint32_t i = 0; i < GROUP; i++) group->seen += seen[i] & 1u;
    const eight_floats e = __builtin_convertvector(energy, eight_floats),
                       weight = 1.0f / (1.0f + (p->first ? 0.25f : 0.1f) * e * e);
    for (uint32_t i = 0; i <= count; i++) {
        const signed_lanes v = (signed_lanes)load_lanes(taps[i] + x);
        group->values[i] = __builtin_convertvector(__builtin_convertvector(v, eight_ints), eight_floats);
        group->weighted[i] = weight * group->values[i];
    }
    return 1;
}

/* Adds the products of one coefficient after the other, each sum in the order of the coefficients. */
WS_INLINE void add_products(const fit_group *group, uint32_t count, normal sums) {
    eight_floats values[GROUP][WIDE / GROUP] = {{{0}}};
    for (uint32_t i = 0; i <= count; i++)
        for (uint32_t k = 0; k < GROUP; k++) values[k][i / GROUP][i % GROUP] = group->values[i][k];
    for (uint32_t i = 0; i <= count; i++)
        for (uint32_t j = 0; j <= count / GROUP; j++) {
            eight_floats sum = sums[i][j];
            for (uint32_t k = 0; k < GROUP; k++) sum += group->weighted[i][k] * values[k][j];
            sums[i][j] = sum;
        }
}

/* Adds what row y tells. Returns how many of its coefficients have energy around them. */
static uint32_t accumulate_row(const plane *p, uint32_t y, signed_rows *rows, normal sums) {
    const uint32_t count = coefficient_count(p);
    const int16_t *taps[MAX_COEFFICIENTS + 1];
    uint32_t seen = 0;
    find_signed_rows(p, 1, y, rows);
    find_taps(p, rows, y, taps);
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        fit_group group;
        if (!read_group(p, taps, count, x, &group)) continue;
        add_products(&group, count, sums);
        seen += group.seen;
    }
    return seen;
}

/* The energy of what a predictor with these coefficients leaves. */
static float residual_energy(normal sums, const int8_t *coefficients, uint32_t count) {
    float energy = sum_at(sums, count, count);
    for (uint32_t i = 0; i < count; i++) {
        const float k = (float)coefficients[i] / 64;
        energy -= 2 * k * sum_at(sums, i, count);
        for (uint32_t j = 0; j < count; j++) energy += k * (float)coefficients[j] / 64 * sum_at(sums, i, j);
    }
    return energy;
}

/* Least squares, in the visual profile over every fifth row (every fourth would interfere with the blocks of a JPEG);
 * returns whether the coefficients are worth their bytes. */
static uint32_t fit_coefficients(const plane *p, int8_t *fitted, signed_rows *rows) {
    rows->next = -1;
    normal sums = {{{0}}};
    float equations[MAX_COEFFICIENTS * (MAX_COEFFICIENTS + 1)], x[MAX_COEFFICIENTS];
    const uint32_t count = coefficient_count(p), apart = p->side > 32 ? p->fitted_rows : 1;
    uint32_t seen = 0;
    for (uint32_t y = 0; y < p->side; y += apart) seen += accumulate_row(p, y, rows, sums);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= count; j++)
            equations[i * (count + 1) + j] = sum_at(sums, i, j) + (i == j ? 4.0f : 0.0f);
    ws_solve(equations, (int)count, x);
    for (uint32_t i = 0; i < count; i++) fitted[i] = ws_fitted(x[i] * 64);
    const float before = residual_energy(sums, p->coefficients, count), after = residual_energy(sums, fitted, count);
    return (before - after) * 0.1f * (float)(seen * apart) > (float)count * before;
}

#endif
