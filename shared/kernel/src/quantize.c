/* Quantisation with a dead zone. */
#include "internal.h"

enum { EDGE = 2, ACTIVITIES = 512 };

/* Thresholds, in 1/256 step, below which a lone 1 costs more than it saves, by the weighted magnitudes around it.
 * A 1 instead of a 0 costs about log2(p0 / p1) + 3/2 bits, where p0 / p1 = 1 / E for an expected magnitude E. */
static void thresholds(uint16_t *table, int32_t lambda) {
    for (uint32_t i = 0; i < ACTIVITIES; i++) {
        const uint32_t e = 65536u * 32u / (i + 1u); /* 1 / E in 1/65536, E = (i + 1) / 32 */
        const uint32_t log = 31 - (uint32_t)__builtin_clz(e);
        const uint32_t fraction = log >= 8 ? (e >> (log - 8)) & 255 : 0;
        int32_t bits = (int32_t)(log * 256 + fraction) - 16 * 256 + 384; /* in 1/256 bit */
        int32_t threshold = 128 + lambda * bits / 512;
        table[i] = (uint16_t)(threshold < 128 ? 128 : threshold);
    }
}

/* Magnitudes around (x, y) of a plane with a margin of two: eight neighbours and the own one twice, the sixteen around
 * those once. A magnitude is at most 15, so that a column of five fits a byte twice over. */
static void sum_around(const uint8_t *m, uint32_t stride, uint32_t n, uint16_t *sums) {
    uint8_t five[WS_HALF + 2 * EDGE], both[WS_HALF + 2 * EDGE]; /* rows; these and the middle three once more */
    const uint8_t *row = m - 2 * stride - EDGE;
    for (uint32_t x = 0; x < n + 2 * EDGE; x++) {
        const uint8_t *v = row + x, three = (uint8_t)(v[stride] + v[2 * stride] + v[3 * stride]);
        five[x] = (uint8_t)(three + v[0] + v[4 * stride]);
        both[x] = (uint8_t)(five[x] + three);
    }
    for (uint32_t x = 0; x < n; x++)
        sums[x] = (uint16_t)(five[x] + five[x + 4] + both[x + 1] + both[x + 2] + both[x + 3]);
}

/* The least sum of magnitudes around a 1 from which on no 1 of the quantiser is below its threshold. */
static uint32_t first_safe_sum(const uint16_t *table, int32_t dead_zone) {
    uint32_t sum = ACTIVITIES;
    while (sum > 0 && table[sum - 1] < 256 - dead_zone) sum--;
    return sum;
}

/* The ones that are not worth their bits become zeros. */
static void drop_ones(const int16_t *in, uint32_t n, int32_t step, const ws_tuning *tuning, int16_t *out,
                      uint8_t *plane) {
    const uint32_t stride = n + 2 * EDGE;
    uint16_t table[ACTIVITIES], sums[WS_HALF];
    uint8_t *m = plane + EDGE * stride + EDGE, doubtful[WS_HALF];
    thresholds(table, tuning->lambda);
    const uint16_t safe = (uint16_t)(first_safe_sum(table, tuning->dead_zone) + 2); /* with the 1 itself */
    for (uint32_t i = 0; i < stride * stride; i++) plane[i] = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            int32_t v = out[y * n + x], a = v < 0 ? -v : v;
            m[y * stride + x] = (uint8_t)(a > 15 ? 15 : a);
        }
    for (uint32_t y = 0; y < n; y++) {
        const uint8_t *row = m + y * stride;
        sum_around(row, stride, n, sums);
        for (uint32_t x = 0; x < n; x++) doubtful[x] = (row[x] == 1) & (sums[x] < safe);
        for (uint32_t x = 0; x < n; x += 8) {
            uint64_t eight;
            __builtin_memcpy(&eight, doubtful + x, sizeof eight);
            for (; eight; eight &= eight - 1) {
                const uint32_t at = x + (uint32_t)__builtin_ctzll(eight) / 8, i = y * n + at;
                const int32_t a = in[i] < 0 ? -in[i] : in[i];
                if (a * 256 < table[sums[at] - 2] * step) out[i] = 0;
            }
        }
    }
}

void ws_quantize_plane(const int16_t *in, uint32_t n, int32_t step, const ws_tuning *tuning, int16_t *out,
                       uint8_t *scratch) {
    const float scale = 1.0f / (float)step;
    const float offset = step == 1 ? 0.0f : (float)tuning->dead_zone * (float)step / 256.0f;
    for (uint32_t i = 0; i < n * n; i++) {
        int32_t x = in[i], a = x < 0 ? -x : x;
        int32_t m = (int32_t)(((float)a + offset) * scale);
        m = m < INT16_MAX ? m : INT16_MAX;
        out[i] = (int16_t)(x < 0 ? -m : m);
    }
    if (step > 1 && tuning->lambda > 0) drop_ones(in, n, step, tuning, out, scratch);
}
