/* Fuzz target: any bytes as a parameter set and a block: a byte that chooses the call, the length of the parameter set
 * (two bytes), the parameter set, the layers. With the high bit of the first byte set, fixed fields,
 * lengths and checksums are made to fit first, so that the fuzzer gets behind them. libFuzzer's entry, or (FUZZ_MAIN)
 * files as arguments. FUZZ_HEADER: the parser of parameter sets and the pixels alone, a hundred times as many inputs a
 * second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wavescope_kernel.h"

static const ws_address PLACE = {0, 0, 0};

static void put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Continues a CRC-32C, bit by bit. */
static uint32_t crc_from(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    crc = ~crc;
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
    }
    return ~crc;
}

/* Walks over the layers by their lengths (the last takes what is left) and signs each. */
static void sign_layers(const ws_parameters *h, uint8_t *bytes, uint32_t size) {
    for (uint32_t index = 0; size >= 8 && index < 4; index++) {
        uint32_t length = (bytes[0] & 127u) | (uint32_t)(bytes[1] & 127) << 7;
        if (length < 130 || length > size - 2 || size - 2 - length < 8) length = size - 2;
        if (length > 16383) length = 16383;
        if (length < 128) { /* one byte */
            length = size - 1 < 127 ? size - 1 : 127;
            bytes[0] = (uint8_t)length, length += 1;
        } else {
            bytes[0] = (uint8_t)(length | 128), bytes[1] = (uint8_t)(length >> 7), length += 2;
        }
        const uint8_t place[8] = {(uint8_t)index};
        if (!index) { /* the position (0, 0, 0) */
            const uint32_t at = bytes[0] & 128 ? 2 : 1;
            if (at + 3 + 4 <= length) memset(bytes + at, 0, 3);
        }
        put32(bytes + length - 4, crc_from(crc_from((uint32_t)h->seed, place, 8), bytes, length - 4));
        bytes += length, size -= length;
    }
}

/* Fixed fields that only one value is accepted for. */
static void fit_parameters(uint8_t *p, uint32_t size) {
    uint8_t tile = 0;
    while (1 << tile < WS_TILE) tile++;
    if (size < 32) return;
    p[0] = 'W', p[1] = 'S', p[2] = WS_VERSION_MAJOR, p[3] &= 1, p[4] &= 1, p[5] &= 31, p[6] = tile;
    p[7] &= 1, p[9] = p[3] ? 1 + p[9] % 64 : 1, p[10] %= p[9], p[15] = 0;
    p[12] = p[3] ? (uint8_t)((p[12] & 128) | (8 + (p[12] & 127) % 9)) : 8;
    if (p[3] && p[12] != 8) p[11] = 1, p[14] = p[14] & 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A window of the tile that was decoded to `samples` has its pixels, and its result. */
static void check_window(const int16_t *parent, const ws_parameters *h, const uint8_t *bytes, uint32_t count,
                         int result, const int16_t *samples, uint8_t *scratch, uint8_t *pixels) {
    static uint8_t cut[WS_TILE * WS_TILE * 3];
    const uint32_t seed = count * 2654435761u, x = seed >> 8 & (WS_TILE - 1), y = seed >> 16 & (WS_TILE - 1);
    const ws_window window = {x, y, 1 + seed % (WS_TILE - x), 1 + seed % (WS_TILE - y), cut};
    const uint32_t channels = (uint32_t)h->channels, bytes_each = h->bit_depth > 8 ? 2 * channels : channels,
                   row = window.width * bytes_each;
    if (ws_decode_window(parent, h, &PLACE, bytes, count, &window, scratch) != result) __builtin_trap();
    if (result != WS_OK || ws_pixels_from_samples(samples, h, WS_TILE, WS_TILE, channels, pixels) != WS_OK) return;
    for (uint32_t i = 0; i < window.height; i++)
        if (memcmp(cut + i * row, pixels + ((y + i) * WS_TILE + x) * bytes_each, row)) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t *scratch, *pixels;
    static int16_t *parent, *samples;
    if (!scratch) {
        scratch = malloc(ws_scratch_bytes()), pixels = malloc(WS_TILE * WS_TILE * 4);
        parent = calloc(3 * WS_TILE * WS_TILE, 2), samples = calloc(3 * WS_TILE * WS_TILE, 2);
    }
    if (size < 3 || size > 1 << 16) return 0;
    uint32_t head = data[1] | (uint32_t)data[2] << 8, count = (uint32_t)size - 3;
    if (head > count) head = count;
    count -= head;
    uint8_t *set = malloc(head ? head : 1), *bytes = malloc(count ? count : 1);
    ws_parameters h;
    ws_address found;
    memcpy(set, data + 3, head), memcpy(bytes, data + 3 + head, count);
    if (data[0] & 128) fit_parameters(set, head);
    const int read = ws_read_parameters(set, head, &h);
    if (read == WS_OK && data[0] & 128) sign_layers(&h, bytes, count);
#ifdef FUZZ_HEADER
    const int call = 3;
#else
    const int call = data[0] & 3;
#endif
    const ws_address place = {0, data[0] >> 2 & 1, data[0] >> 3 & 1};
    if (read == WS_OK) switch (call) {
        case 0:
            ws_decode_block(&h, &PLACE, bytes, count, samples, scratch);
            break;
        case 1:
            ws_decode_approximation(&h, &PLACE, bytes, count, samples, scratch);
            break;
        case 2:
            if (count)
                check_window(parent, &h, bytes, count,
                             ws_decode_tile(parent, &h, &PLACE, bytes, count, samples, scratch), samples, scratch,
                             pixels);
            else
                ws_decode_tile(parent, &h, &place, bytes, count, samples, scratch);
            break;
        default:
            ws_read_address(bytes, count, &h, &found);
            ws_pixels_from_samples(parent, &h, 33, 3, 1 + (data[0] >> 2 & 3), pixels);
        }
    free(bytes), free(set);
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
