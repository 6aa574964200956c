/* The byte layout of layers: headers, lengths, checksums. */
#include "codestream.h"

enum { MAX_LAYER = 8 << 20 };

uint32_t ws_get32(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

void ws_put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

uint32_t ws_scratch_bytes(void) { return WS_SCRATCH_BYTES; }
uint32_t ws_encode_bound(void) { return 16u << 20; }

static int check_plane(const ws_header *h, uint32_t d, uint32_t c, uint32_t b) {
    for (int32_t l = 0; l < h->layers; l++) {
        int32_t shift = h->shift[l][d][c][b];
        if (shift < 0 || shift > 8 || (l && shift > h->shift[l - 1][d][c][b])) return WS_HEADER;
    }
    if (h->shift[h->layers - 1][d][c][b] != 0) return WS_HEADER;
    return h->step[d][c][b] < 1 || h->step[d][c][b] > 4095 ? WS_HEADER : WS_OK;
}

static int check_steps(const ws_header *h) {
    for (uint32_t i = 0; i < ws_depth(h) * (uint32_t)h->channels * WS_BANDS; i++) {
        int result = check_plane(h, i / (3 * (uint32_t)h->channels), i / 3 % (uint32_t)h->channels, i % 3);
        if (result) return result;
    }
    return WS_OK;
}

/* All but tables: first what this version does not implement, then what is outside its limits (CS11). */
static int check_fields(const ws_header *h) {
    if (h->profile != WS_LOSSLESS && h->profile != WS_VISUAL) return WS_UNSUPPORTED;
    if (h->channels != 1 && h->channels != 3) return WS_UNSUPPORTED;
    if (h->bit_depth != 8 || h->is_signed) return WS_UNSUPPORTED;
    if (h->colour < WS_GREY || h->colour > WS_SUBTRACT_B) return WS_UNSUPPORTED;
    if (h->layers < 1 || h->layers > WS_LAYERS) return WS_HEADER;
    if (h->kind != WS_DETAILS && h->kind != WS_APPROXIMATION) return WS_HEADER;
    if (h->fraction_bits < 0 || h->fraction_bits > 4) return WS_HEADER;
    if ((h->channels == 1) != (h->colour == WS_GREY)) return WS_HEADER;
    return h->colour > WS_MATRIX && h->fraction_bits != 0 ? WS_HEADER : WS_OK;
}

int ws_check_header(const ws_header *h) {
    int result = check_fields(h);
    if (result) return result;
    for (int i = 0; i < 9; i++) {
        int32_t limit = h->colour == WS_MATRIX ? 32767 : h->colour > WS_MATRIX && i < 3 ? 127 : 0;
        if (h->inverse[i] > limit || h->inverse[i] < -limit - (limit > 0)) return WS_HEADER;
    }
    return check_steps(h);
}

uint32_t ws_write_header(const ws_header *h, uint8_t *out) {
    uint8_t *p = out + WS_PREFIX_BYTES;
    *p++ = (uint8_t)h->profile, *p++ = (uint8_t)h->channels, *p++ = (uint8_t)h->bit_depth;
    *p++ = (uint8_t)h->fraction_bits, *p++ = (uint8_t)h->colour, *p++ = 0;
    for (int i = 0; h->colour == WS_MATRIX && i < 9; i++)
        *p++ = (uint8_t)h->inverse[i], *p++ = (uint8_t)((uint32_t)h->inverse[i] >> 8);
    for (int i = 0; h->colour > WS_MATRIX && i < 3; i++) *p++ = (uint8_t)h->inverse[i];
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (int i = 0; i < 3 * h->channels; i++) {
            uint32_t step = (uint32_t)h->step[d][i / 3][i % 3];
            for (int l = 0; l + 1 < h->layers; l++) *p++ = (uint8_t)h->shift[l][d][i / 3][i % 3];
            *p++ = (uint8_t)step, *p++ = (uint8_t)(step >> 8);
        }
    return (uint32_t)(p - out);
}

int ws_parse_header(const uint8_t *bytes, uint32_t size, ws_header *h) {
    const uint8_t *p = bytes + WS_PREFIX_BYTES;
    ws_header zero = {0};
    *h = zero;
    if (size < WS_PREFIX_BYTES + 6) return WS_TRUNCATED;
    h->layers = bytes[2] >> 4, h->kind = bytes[3];
    h->profile = p[0], h->channels = p[1], h->bit_depth = p[2] & 127, h->is_signed = p[2] >> 7;
    h->fraction_bits = p[3], h->colour = p[4];
    if (p[5] != 0) return WS_UNSUPPORTED;
    int result = check_fields(h);
    if (result) return result;
    p += 6;
    uint32_t count = 3 * (uint32_t)h->channels, matrix = h->colour == WS_MATRIX ? 18 : h->colour > WS_MATRIX ? 3 : 0;
    uint32_t need = WS_PREFIX_BYTES + 6 + matrix + ws_depth(h) * count * ((uint32_t)h->layers + 1);
    if (size < need) return WS_TRUNCATED;
    for (int i = 0; matrix == 18 && i < 9; i++, p += 2) h->inverse[i] = (int16_t)(p[0] | p[1] << 8);
    for (int i = 0; matrix == 3 && i < 3; i++) h->inverse[i] = (int8_t)*p++;
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (uint32_t i = 0; i < count; i++, p += 2) {
            for (int l = 0; l + 1 < h->layers; l++) h->shift[l][d][i / 3][i % 3] = *p++;
            h->step[d][i / 3][i % 3] = p[0] | p[1] << 8;
        }
    result = ws_check_header(h);
    return result ? result : (int)need;
}

int32_t ws_check_layer(const uint8_t *bytes, uint32_t size, uint32_t index) {
    if (size < WS_PREFIX_BYTES + WS_CHECKSUM_BYTES) return WS_TRUNCATED;
    if (bytes[0] != WS_MAGIC_BYTE) return WS_MAGIC;
    if (bytes[1] != WS_VERSION) return WS_NEWER;
    uint32_t length = ws_get32(bytes + 4);
    if (length > size) return WS_TRUNCATED;
    if (length < WS_PREFIX_BYTES + WS_CHECKSUM_BYTES || length > MAX_LAYER) return WS_HEADER;
    if (ws_crc32c(bytes, length - WS_CHECKSUM_BYTES) != ws_get32(bytes + length - WS_CHECKSUM_BYTES))
        return WS_CHECKSUM;
    if ((bytes[2] & 15u) != index) return WS_ORDER;
    return (int32_t)length;
}

int ws_read_header(const uint8_t *bytes, uint32_t size, ws_header *header) {
    int32_t length = ws_check_layer(bytes, size, 0);
    if (length < 0) return length;
    int at = ws_parse_header(bytes, (uint32_t)length - WS_CHECKSUM_BYTES, header);
    return at < 0 ? at : WS_OK;
}
