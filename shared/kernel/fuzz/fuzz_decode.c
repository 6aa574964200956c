/* Fuzz target: any bytes as a block. The first byte chooses the call; with its high bit set, lengths, checksums and
 * bindings are made to fit first, so that the fuzzer gets behind them. libFuzzer's entry, or (FUZZ_MAIN) files as
 * arguments. FUZZ_HEADER: the header's parser and the pixels alone, a hundred times as many inputs a second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wavescope_kernel.h"

static uint32_t get32(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

static void put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Walks over the layers by their lengths (the last takes what is left) and signs each. */
static void sign_layers(uint8_t *bytes, uint32_t size) {
    uint32_t binding = 0;
    for (uint32_t index = 0; size >= 16; index++) {
        uint32_t length = get32(bytes + 4);
        if (length < 16 || length > size || size - length < 16) length = size;
        bytes[0] = 0x57, bytes[1] = WS_VERSION, bytes[2] = (uint8_t)((bytes[2] & 0xF0) | (index & 15));
        put32(bytes + 4, length);
        if (index) put32(bytes + 8, binding);
        uint32_t crc = ws_crc32c(bytes, length - 4);
        put32(bytes + length - 4, crc);
        if (!index) binding = crc;
        bytes += length, size -= length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A window of the tile that was decoded to `samples` has its pixels, and its result. */
static void check_window(const int16_t *parent, const uint8_t *bytes, uint32_t count, int result,
                         const int16_t *samples, uint8_t *scratch, uint8_t *pixels) {
    static uint8_t cut[WS_TILE * WS_TILE];
    ws_header header;
    if (ws_read_header(bytes, count, &header) != WS_OK || header.channels != 1) return;
    const uint32_t seed = count * 2654435761u, x = seed >> 8 & (WS_TILE - 1), y = seed >> 16 & (WS_TILE - 1);
    const ws_window window = {x, y, 1 + seed % (WS_TILE - x), 1 + seed % (WS_TILE - y), cut};
    if (ws_decode_window(parent, 1, 0, bytes, count, &header, &window, scratch) != result) __builtin_trap();
    if (result != WS_OK || ws_pixels_from_samples(samples, &header, WS_TILE, WS_TILE, 1, pixels) != WS_OK) return;
    for (uint32_t i = 0; i < window.height; i++)
        if (memcmp(cut + i * window.width, pixels + (y + i) * WS_TILE + x, window.width)) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t *scratch, *pixels;
    static int16_t *parent, *samples;
    if (!scratch) {
        scratch = malloc(ws_scratch_bytes()), pixels = malloc(WS_TILE * WS_TILE * 4);
        parent = calloc(3 * WS_TILE * WS_TILE, 2), samples = calloc(3 * WS_TILE * WS_TILE, 2);
    }
    if (size < 1 || size > 1 << 16) return 0;
    uint32_t count = (uint32_t)size - 1;
    uint8_t *bytes = malloc(count ? count : 1);
    ws_header header;
    memcpy(bytes, data + 1, count);
    if (data[0] & 128) sign_layers(bytes, count);
#ifdef FUZZ_HEADER
    const int call = 3;
#else
    const int call = data[0] & 3;
#endif
    switch (call) {
    case 0:
        ws_decode_block(bytes, count, samples, &header, scratch);
        break;
    case 1:
        ws_decode_approximation(bytes, count, samples, &header, scratch);
        break;
    case 2:
        if (data[0] >> 2 & 3)
            ws_decode_tile(parent, data[0] >> 2 & 1, data[0] >> 3 & 1, 1, bytes, count, samples, scratch);
        else
            check_window(parent, bytes, count, ws_decode_tile(parent, 1, 0, 1, bytes, count, samples, scratch), samples,
                         scratch, pixels);
        break;
    default:
        if (ws_read_header(bytes, count, &header) == WS_OK)
            ws_pixels_from_samples(parent, &header, 33, 3, 1 + (data[0] >> 2 & 3), pixels);
    }
    free(bytes);
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
