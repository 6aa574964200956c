/* Quantisation with a dead zone. */
#include "internal.h"

enum { EDGE = 2, ACTIVITIES = 512 };

/* Thresholds, in 1/256 step, below which a lone 1 costs more than it saves, by the weighted magnitudes around it.
 * A 1 instead of a 0 costs about log2(p0 / p1) + 3/2 bits, where p0 / p1 = 1 / E for an expected magnitude E. */
static void thresholds(uint16_t *table, int32_t lambda) {
    for (uint32_t i = 0; i < ACTIVITIES; i++) {
        uint32_t e = 65536u * 32u / (i + 1u), log = 0; /* 1 / E in 1/65536, E = (i + 1) / 32 */
        while (e >> log > 1) log++;
        uint32_t fraction = log >= 8 ? (e >> (log - 8)) & 255 : 0;
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

/* The ones that are not worth their bits become zeros. */
static void drop_ones(const int16_t *in, uint32_t n, int32_t step, int32_t lambda, int16_t *out, uint8_t *plane) {
    const uint32_t stride = n + 2 * EDGE;
    uint16_t table[ACTIVITIES], sums[WS_HALF], ones[WS_HALF];
    uint8_t *m = plane + EDGE * stride + EDGE;
    thresholds(table, lambda);
    for (uint32_t i = 0; i < stride * stride; i++) plane[i] = 0;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            int32_t v = out[y * n + x], a = v < 0 ? -v : v;
            m[y * stride + x] = (uint8_t)(a > 15 ? 15 : a);
        }
    for (uint32_t y = 0; y < n; y++) {
        sum_around(m + y * stride, stride, n, sums);
        const int16_t *from = in + y * n;
        int16_t *to = out + y * n;
        uint32_t count = 0; /* first a list of the ones: what a plane's values are is hard to predict for a processor */
        for (uint32_t x = 0; x < n; x++) ones[count] = (uint16_t)x, count += m[y * stride + x] == 1;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t x = ones[k];
            const int32_t a = from[x] < 0 ? -from[x] : from[x];
            const int32_t keep = a * 256 >= table[sums[x] - 2] * step;
            to[x] = (int16_t)(to[x] * keep);
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
        out[i] = (int16_t)(x < 0 ? -m : m);
    }
    if (step > 1 && tuning->lambda > 0) drop_ones(in, n, step, tuning->lambda, out, scratch);
}
