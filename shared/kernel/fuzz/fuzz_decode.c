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
        ws_decode_tile(parent, data[0] >> 2 & 1, data[0] >> 3 & 1, 1, bytes, count, samples, scratch);
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
