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

/* Makes length and checksum of one layer fit its bytes again. */
static inline void sign_layer(uint8_t *layer, uint32_t size) {
    put32(layer + 4, size);
    put32(layer + size - 4, ws_crc32c(layer, size - 4));
}

/* A header like the one the host's lossless or visual profile makes. */
static inline ws_header header_like(int kind, int profile, int channels) {
    ws_header h = {0};
    h.kind = kind, h.profile = profile, h.channels = channels, h.bit_depth = 8;
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
