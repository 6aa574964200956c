/* A test harness in a page: counted checks, seeded numbers, buffers whose ends a sanitizer can see. */
#ifndef WS_HARNESS_H
#define WS_HARNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wavescope_kernel.h"

static int passed, failed;

#define TEST(title) static void title(void)
#define RUN(title)                                                                                                     \
    do {                                                                                                               \
        int before = failed;                                                                                           \
        title();                                                                                                       \
        if (failed == before) passed++;                                                                                \
        printf("%s %s\n", failed == before ? "ok  " : "FAIL", #title);                                                 \
    } while (0)
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failed++;                                                                                                  \
            printf("     %s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                        \
        }                                                                                                              \
    } while (0)

static uint64_t seed = 1;

static inline uint32_t random32(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

/* Memory of exactly this size (contents undefined), aligned to 16 bytes. */
static inline void *exactly(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p) abort();
    return p;
}

static inline uint8_t *copy_of(const uint8_t *bytes, size_t size) {
    uint8_t *p = exactly(size);
    if (size) memcpy(p, bytes, size);
    return p;
}

static inline void put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Continues a CRC-32C, bit by bit. */
static inline uint32_t crc_from(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    crc = ~crc;
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
    }
    return ~crc;
}

/* Where the address of layer 0, or the payload of a later layer begins. */
static inline uint32_t after_length(const uint8_t *layer) {
    uint32_t at = 0;
    while (layer[at++] & 128) {}
    return at;
}

/* Makes the checksum of one layer of `size` bytes fit its bytes again (CS6), for the address (0, 0, 0). */
static inline void sign_layer(uint8_t *layer, uint32_t size, const ws_parameters *h, uint32_t index) {
    uint8_t place[8] = {(uint8_t)index};
    put32(layer + size - 4, crc_from(crc_from((uint32_t)h->seed, place, 8), layer, size - 4));
}

/* Writes the length of a layer of `size` bytes with as many bytes as it has now, which only this harness does; a layer
 * whose length no longer needs them is refused. Returns whether it needs them. */
static inline int put_length(uint8_t *layer, uint32_t size) {
    const uint32_t n = after_length(layer), rest = size - n;
    for (uint32_t i = 0; i < n; i++) layer[i] = (uint8_t)((rest >> 7 * i & 127) | (i + 1 < n ? 128 : 0));
    return n == 1 || layer[n - 1] != 0;
}

/* The oldest version that has what these parameters say (CS13). */
static inline int32_t minor_of(const ws_parameters *h) {
    return h->bit_depth != 8 || h->is_signed || h->groups != 1 || h->colour == WS_STABILISED;
}

/* A parameter set (CS9); returns its length. */
static inline uint32_t write_parameters(const ws_parameters *h, uint8_t *out) {
    uint8_t *p = out, tile = 0;
    while (1 << tile < WS_TILE) tile++;
    const int32_t fixed[] = {'W',
                             'S',
                             WS_VERSION_MAJOR,
                             minor_of(h),
                             h->kind,
                             h->level,
                             tile,
                             h->profile,
                             h->layers,
                             h->groups,
                             h->group,
                             h->channels,
                             h->bit_depth | h->is_signed << 7,
                             h->fraction_bits,
                             h->colour,
                             0};
    for (int i = 0; i < 16; i++) *p++ = (uint8_t)fixed[i];
    for (int i = 0; i < 16; i++) *p++ = (uint8_t)(i * 7);
    for (int i = 0; h->colour == WS_MATRIX && i < 9; i++)
        *p++ = (uint8_t)h->inverse[i], *p++ = (uint8_t)((uint32_t)h->inverse[i] >> 8);
    for (int i = 0; h->colour == WS_STABILISED && i < 4; i++, p += 4) put32(p, (uint32_t)h->inverse[i]);
    for (int i = 0; h->colour > WS_MATRIX && h->colour != WS_STABILISED && i < 3; i++) *p++ = (uint8_t)h->inverse[i];
    for (int d = 0; d < (h->kind == WS_APPROXIMATION ? WS_DEPTH : 1); d++)
        for (int i = 0; i < 3 * h->channels; i++) {
            for (int l = 0; l + 1 < h->layers; l++) *p++ = (uint8_t)h->shift[l][d][i / 3][i % 3];
            *p++ = (uint8_t)h->step[d][i / 3][i % 3], *p++ = (uint8_t)(h->step[d][i / 3][i % 3] >> 8);
        }
    return (uint32_t)(p - out);
}

/* A parameter set like the one the host's lossless or visual profile makes. */
static inline ws_parameters header_like(int kind, int profile, int channels) {
    ws_parameters h = {0};
    h.kind = kind, h.profile = profile, h.channels = channels, h.bit_depth = 8, h.groups = 1;
    h.layers = profile == WS_LOSSLESS ? 3 : 2;
    h.fraction_bits = profile == WS_VISUAL ? 4 : 0;
    h.colour = channels == 1 ? WS_GREY : profile == WS_VISUAL ? WS_MATRIX : WS_YCOCG_G;
    for (int i = 0; h.colour == WS_MATRIX && i < 9; i++) h.inverse[i] = i % 4 == 0 ? 16384 : 0;
    for (int d = 0; d < (kind == WS_APPROXIMATION ? WS_DEPTH : 1); d++)
        for (int i = 0; i < 3 * channels; i++) {
            for (int l = 0; l < h.layers; l++)
                h.shift[l][d][i / 3][i % 3] = (h.layers - 1 - l) * (profile == WS_LOSSLESS ? 2 : 1);
            h.step[d][i / 3][i % 3] = profile == WS_VISUAL ? 200 >> d : 1;
        }
    uint8_t bytes[512];
    h.seed = (int32_t)ws_crc32c(bytes, write_parameters(&h, bytes));
    return h;
}

/* The same with one channel of so many bits, and with the seed of its parameter set. */
static inline ws_parameters deep_header(int kind, int profile, int bits, int is_signed) {
    ws_parameters h = header_like(kind, profile, 1);
    uint8_t bytes[512];
    h.bit_depth = bits, h.is_signed = is_signed;
    if (bits > 8) h.fraction_bits = 0;
    for (int i = 0; bits > 8 && i < WS_DEPTH * 3; i++) h.shift[0][i / 3][0][i % 3] = 8; /* so that bits have no model */
    h.seed = (int32_t)ws_crc32c(bytes, write_parameters(&h, bytes));
    return h;
}

static inline ws_tuning plain_tuning(void) {
    ws_tuning t = {{16384, 0, 0, 0, 16384, 0, 0, 0, 16384}, 110, 24, WS_TILE, WS_TILE};
    return t;
}

/* Pixels of smooth colour with some noise; sparse: mostly flat, with a spot. */
static inline void paint(uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels, int sparse) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < channels; c++) {
                uint32_t spot = (x > 60 && x < 100 && y > 70 && y < 90) ? random32() % 120 : 0;
                uint32_t v = sparse ? 200 - spot : ((x * (c + 1) + 2 * y) >> 2) % 200 + random32() % 40;
                pixels[(y * width + x) * channels + c] = (uint8_t)v;
            }
}

#endif
