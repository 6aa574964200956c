/* Fuzz target: any bytes as what an encoder is given: a header, a tuning and a picture, samples or coefficients drawn
 * from the rest of the bytes. What was coded must decode, and where nothing was dropped, to what it was. libFuzzer's
 * entry, or (FUZZ_MAIN) files as arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wavescope_kernel.h"

enum { PREAMBLE = 16, PLANE = WS_TILE * WS_TILE, ALL = WS_CHANNELS * PLANE, QUARTER = WS_HALF * WS_HALF };

static uint8_t *scratch, *out, *pixels, *again;
static int16_t *samples, *parent, *before, *decoded;

static void must(int so, const char *what) {
    if (so) return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}
#define MUST(condition) must(condition, #condition)

/* A header inside its limits, made of the first bytes. */
static ws_parameters header_from(const uint8_t *d) {
    ws_parameters h = {.bit_depth = 8, .groups = 1, .seed = d[7]};
    h.kind = d[0] & 1, h.profile = d[0] >> 1 & 1, h.channels = d[0] & 4 ? 3 : 1, h.layers = 1 + (d[1] & 3);
    h.colour = h.channels == 1 ? WS_GREY : WS_MATRIX + (d[0] >> 3 & 7) % 7;
    h.fraction_bits = h.colour > WS_MATRIX ? 0 : (d[1] >> 2 & 7) % 5;
    for (int i = 0; h.colour == WS_MATRIX && i < 9; i++) h.inverse[i] = 128 * (int8_t)d[2 + i % 3] + 64 * i;
    for (int i = 0; h.colour > WS_MATRIX && i < 3; i++) h.inverse[i] = (int8_t)d[2 + i];
    if (h.channels == 1 && d[7] & 1) {
        h.bit_depth = 8 + (d[7] >> 1) % 9, h.is_signed = d[7] >> 5 & 1;
        if (h.bit_depth > 8) h.fraction_bits = 0;
        if (h.profile == WS_VISUAL && d[7] & 64) {
            h.colour = WS_STABILISED, h.fraction_bits = d[7] >> 6;
            h.inverse[0] = 99 * (int8_t)d[2], h.inverse[1] = 1 + (d[3] << (d[5] & 15)), h.inverse[2] = 1 + (d[4] << 9);
            h.inverse[3] = 31 * (int8_t)d[6];
        }
    }
    for (uint32_t i = 0; i < WS_DEPTH * 9u; i++) {
        const uint32_t most = (uint32_t)(d[5] >> (i % 3)) % 9;
        for (int l = 0; l + 1 < h.layers; l++)
            h.shift[l][i / 9][i / 3 % 3][i % 3] = (int)(most * (uint32_t)(h.layers - 1 - l)) / (h.layers - 1);
        h.step[i / 9][i / 3 % 3][i % 3] = h.profile == WS_LOSSLESS ? 1 : 1 + (int)(d[6] * 16u + i * d[7]) % 4095;
    }
    return h;
}

/* A tuning inside its limits, or (high bit of d[1]) any. */
static ws_tuning tuning_from(const uint8_t *d) {
    ws_tuning t = {.dead_zone = d[8],
                   .lambda = d[9],
                   .width = 1 + (d[10] * 2 + 1) % WS_TILE,
                   .height = 1 + (d[11] * 2 + 1) % WS_TILE};
    for (int i = 0; i < 9; i++) t.forward[i] = 128 * (int8_t)d[2 + i % 3] - 99 * i;
    if (d[1] & 128) memcpy(t.forward + 6, d, 12), memcpy(&t.dead_zone, d + 4, 8);
    return t;
}

/* Fills a plane by walking over its part of the bytes, steps across and down chosen by the preamble. */
static void draw(const uint8_t *d, uint32_t size, uint32_t part, uint32_t parts, uint32_t side, int16_t *plane) {
    const uint8_t *from = d + PREAMBLE;
    const uint32_t count = size - PREAMBLE, first = count * part / parts, n = count * (part + 1) / parts - first;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            plane[y * side + x] =
                n ? (int16_t)((int8_t)from[first + (x * d[12] + y * d[13] + (x & y & d[14])) % n] * (1 << (d[15] & 7)) +
                              (d[15] >> 3))
                  : 0;
}

static uint32_t total(const uint32_t *sizes) { return sizes[0] + sizes[1] + sizes[2] + sizes[3]; }

static const ws_address PLACE = {3, 200, 17};

/* Quantised coefficients come back whole from all layers. */
static void try_quantised(const uint8_t *d, uint32_t size, ws_parameters *h) {
    uint32_t sizes[WS_LAYERS];
    const ws_output output = {out, ws_encode_bound(), sizes};
    const uint32_t planes = (uint32_t)h->channels * WS_BANDS;
    h->kind = WS_DETAILS;
    for (uint32_t i = 0; i < planes; i++) draw(d, size, i, planes, WS_HALF, samples + i * QUARTER);
    MUST(ws_encode_quantised(samples, h, &PLACE, &output, scratch) == WS_OK);
    if (!total(sizes)) return;
    MUST(ws_decode_block(h, &PLACE, out, total(sizes), decoded, scratch) == WS_OK);
    MUST(memcmp(samples, decoded, planes * QUARTER * 2) == 0);
}

/* A tile decodes from every number of layers; lossless and with nothing cleared, the last gives the samples back. */
static void try_samples(const uint8_t *d, const ws_parameters *h, const ws_tuning *t) {
    uint32_t sizes[WS_LAYERS];
    const ws_output output = {out, ws_encode_bound(), sizes};
    const uint32_t channels = (uint32_t)h->channels, details = h->kind == WS_DETAILS;
    const ws_address top = {d[1] >> 5 & 3, 0, 0}, place = {d[1] >> 5 & 3, d[1] >> 5 & 1, d[1] >> 6 & 1},
                     at = details ? place : top;
    for (uint32_t i = 0; i < channels * PLANE; i++) parent[i] = (int16_t)(before[i] * 3);
    const int result = ws_encode(samples, h, t, parent, &at, &output, scratch);
    MUST(result == WS_OK || result == WS_ARGUMENT);
    if (result) return;
    for (uint32_t k = 0, length = 0; k < (uint32_t)h->layers; k++) {
        length += sizes[k];
        const int done = details ? ws_decode_tile(parent, h, &at, out, length, decoded, scratch)
                                 : ws_decode_approximation(h, &at, out, length, decoded, scratch);
        MUST(done == WS_OK);
        MUST(ws_pixels_from_samples(decoded, h, WS_TILE, WS_TILE, h->channels == 1 ? 1 : 3, again) == WS_OK);
    }
    const int exact = (d[15] & 7) <= 5 ||
                      h->bit_depth > 8; /* differences of differences of larger samples wrap, and cannot be undone */
    if (exact && h->profile == WS_LOSSLESS && t->width == WS_TILE && t->height == WS_TILE)
        MUST(memcmp(samples, decoded, channels * PLANE * 2) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!scratch) {
        scratch = malloc(ws_scratch_bytes()), out = malloc(ws_encode_bound());
        pixels = malloc(ALL), again = malloc(ALL);
        samples = calloc(ALL, 2), parent = calloc(ALL, 2), before = calloc(ALL, 2), decoded = calloc(ALL, 2);
    }
    if (size < PREAMBLE || size > 1 << 16) return 0;
    ws_parameters h = header_from(data);
    const ws_tuning t = tuning_from(data);
    const uint32_t source = data[0] >> 6;
    if (source == 3) return try_quantised(data, (uint32_t)size, &h), 0;
    for (uint32_t c = 0; c < (uint32_t)h.channels; c++)
        draw(data, (uint32_t)size, c, (uint32_t)h.channels, WS_TILE, samples + c * PLANE);
    for (uint32_t i = 0; h.bit_depth > 8 && i < PLANE; i++) samples[i] >>= 16 - h.bit_depth;
    memcpy(before, samples, ALL * 2);
    if (source) {
        const int32_t centre = h.is_signed ? 0 : 1 << (h.bit_depth - 1);
        for (uint32_t i = 0; h.bit_depth > 8 && i < PLANE; i++)
            pixels[2 * i] = (uint8_t)(samples[i] + centre), pixels[2 * i + 1] = (uint8_t)((samples[i] + centre) >> 8);
        for (uint32_t i = 0; h.bit_depth == 8 && i < PLANE * (uint32_t)h.channels; i++) pixels[i] = (uint8_t)samples[i];
        if (ws_samples_from_pixels(pixels, WS_TILE, WS_TILE, &h, &t, samples) != WS_OK) return 0;
    }
    try_samples(data, &h, &t);
    return 0;
}

#ifdef FUZZ_MAIN
int main(int argc, char **argv) {
    static uint8_t data[(1 << 16) + 1];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) return 2;
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d passed, 0 failed\n", argc - 1);
    return 0;
}
#endif
