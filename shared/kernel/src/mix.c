/* Sums of what the channels of a slide add to the pixels of a picture (channels.md, CM5). A pixel has four lanes of 16
 * bits: one addition adds to two pixels, and one instruction clips four. */
#include "vector.h"

#define LANES 4

typedef uint64_t two_pixels __attribute__((vector_size(16)));

/* What sample i adds. */
WS_INLINE uint64_t entry(const uint8_t *samples, const uint32_t bytes, uint32_t least, const int16_t *table,
                         uint32_t i) {
    const uint32_t sample = bytes == 1 ? samples[i] : (uint32_t)(samples[2 * i] | samples[2 * i + 1] << 8);
    uint64_t pixel;
    __builtin_memcpy(&pixel, table + LANES * ((sample - least) & (bytes == 1 ? 0xff : 0xffff)), sizeof pixel);
    return pixel;
}

WS_INLINE void add_samples(int16_t *sums, const uint8_t *samples, const uint32_t bytes, uint32_t least,
                           const int16_t *table, uint32_t count) {
    for (uint32_t i = 0; i + 2 <= count; i += 2, sums += 2 * LANES) {
        const two_pixels added = {entry(samples, bytes, least, table, i), entry(samples, bytes, least, table, i + 1)};
        store_lanes(sums, load_lanes(sums) + (lanes)added);
    }
    if (count % 2 == 0) return;
    const two_pixels last = {entry(samples, bytes, least, table, count - 1)};
    const lanes added = (lanes)last;
    for (int lane = 0; lane < LANES; lane++) sums[lane] = (int16_t)(sums[lane] + (int16_t)added[lane]);
}

int ws_mix_add(int16_t *sums, const uint8_t *samples, uint32_t bytes, int32_t least, const int16_t *table,
               uint32_t count) {
    if (bytes == 1)
        add_samples(sums, samples, 1, (uint32_t)least, table, count);
    else if (bytes == 2)
        add_samples(sums, samples, 2, (uint32_t)least, table, count);
    else
        return WS_ARGUMENT;
    return WS_OK;
}

int ws_mix_clip(const int16_t *sums, uint32_t count, uint8_t *pixels) {
    const uint32_t lanes_of_all = LANES * count;
    uint32_t i = 0;
    for (; i + 16 <= lanes_of_all; i += 16) {
        const many_bytes four = clipped_lanes(load_lanes(sums + i), load_lanes(sums + i + 8));
        __builtin_memcpy(pixels + i, &four, sizeof four);
    }
    for (; i < lanes_of_all; i++) pixels[i] = (uint8_t)(sums[i] < 0 ? 0 : sums[i] > 255 ? 255 : sums[i]);
    return WS_OK;
}
