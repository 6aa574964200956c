/* CRC-32C (Castagnoli, reflected polynomial 0x82F63B78): by an instruction where there is one, else four bytes at a
 * time. */
#include "internal.h"

#if defined(__SSE4_2__) && defined(__x86_64__)
#include <nmmintrin.h>

uint32_t ws_crc32c_from(uint32_t before, const uint8_t *bytes, uint32_t size) {
    uint64_t crc = ~before, eight;
    uint32_t i = 0;
    for (; i + 8 <= size; i += 8) {
        __builtin_memcpy(&eight, bytes + i, sizeof eight);
        crc = _mm_crc32_u64(crc, eight);
    }
    for (; i < size; i++) crc = _mm_crc32_u8((uint32_t)crc, bytes[i]);
    return ~(uint32_t)crc;
}
#else

enum { SHORT_BYTES = 32 }; /* faster without tables */

/* tables[k][b]: the CRC register after byte b and k zero bytes. Made anew for every call: 4 KB of stack, 1 us. */
static void make_tables(uint32_t tables[4][256]) {
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
        tables[0][b] = crc;
    }
    for (uint32_t k = 1; k < 4; k++)
        for (uint32_t b = 0; b < 256; b++) tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 255];
}

uint32_t ws_crc32c_from(uint32_t before, const uint8_t *bytes, uint32_t size) {
    uint32_t t[4][256], crc = ~before, i = 0;
    for (; size < SHORT_BYTES && i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
    }
    if (i == size) return ~crc;
    make_tables(t);
    for (; i + 4 <= size; i += 4) {
        crc ^= bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        crc = t[3][crc & 255] ^ t[2][crc >> 8 & 255] ^ t[1][crc >> 16 & 255] ^ t[0][crc >> 24];
    }
    for (; i < size; i++) crc = crc >> 8 ^ t[0][(crc ^ bytes[i]) & 255];
    return ~crc;
}
#endif

uint32_t ws_crc32c(const uint8_t *bytes, uint32_t size) { return ws_crc32c_from(0, bytes, size); }
