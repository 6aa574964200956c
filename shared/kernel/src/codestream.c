/* The byte layout of parameter sets and layers: fields, lengths, addresses, checksums. */
#include "codestream.h"

enum { FIXED_BYTES = 32, MAX_LAYERS_PER_PLANE = 4, MAX_PLANE = 4095, MAX_PLACE = 65535, MAX_GROUPS = 64 };

uint32_t ws_get32(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

void ws_put32(uint8_t *p, uint32_t v) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

uint32_t ws_put_leb128(uint8_t *p, uint32_t v) {
    uint32_t n = 0;
    for (; v > 127; v >>= 7) p[n++] = (uint8_t)(v | 128);
    p[n++] = (uint8_t)v;
    return n;
}

int ws_get_leb128(const uint8_t *p, uint32_t size, uint32_t most, uint32_t *value) {
    uint32_t v = 0;
    for (uint32_t n = 0; n < most; n++) {
        if (n >= size) return WS_TRUNCATED;
        v |= (p[n] & 127u) << 7 * n;
        if (p[n] & 128) continue;
        *value = v;
        return n && !p[n] ? WS_HEADER : (int)n + 1;
    }
    return WS_HEADER;
}

uint32_t ws_scratch_bytes(void) { return WS_SCRATCH_BYTES; }
uint32_t ws_parameters_bytes(void) { return sizeof(ws_parameters); }
uint32_t ws_address_bytes(void) { return sizeof(ws_address); }
uint32_t ws_tuning_bytes(void) { return sizeof(ws_tuning); }
uint32_t ws_output_bytes(void) { return sizeof(ws_output); }
uint32_t ws_window_bytes(void) { return sizeof(ws_window); }

/* What an encoder needs on its way: it notes four bytes for each number that the coder gets. A coefficient has at most
 * SYMBOLS of them in a layer (CS34), behind the bytes that it has in the layers before: 13 bits in each of three, for
 * an interval is at least 4 of 2^15. A signed number has at most GOLOMB. Besides there are a flag for each group of 8 x
 * 8, and the flag and the fitted numbers of a plane. */
enum {
    SYMBOLS = 6,
    EARLIER_BYTES = 5,
    GOLOMB = 18,
    PLANE_NUMBERS =
        40, /* two offsets, four neighbours, five of luma, 22 coefficients or five of the predictor; flags */
    MAX_PLANES = WS_DEPTH * WS_CHANNELS * WS_BANDS,
    COEFFICIENTS = WS_CHANNELS * (WS_TILE * WS_TILE - WS_LL_ROOT * WS_LL_ROOT),
    LL_ROOTS = WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT,
    OTHER_NOTES = COEFFICIENTS / 64 + GOLOMB * (LL_ROOTS + PLANE_NUMBERS * MAX_PLANES),
    ENCODING_BYTES = COEFFICIENTS * (4 * SYMBOLS + EARLIER_BYTES) + 10 * OTHER_NOTES + 512,
    READING_BYTES = WS_LAYERS * WS_MAX_LAYER_BYTES,
};
_Static_assert((COEFFICIENTS * 69 + 15 * OTHER_NOTES) / 8 + 64 < WS_MAX_LAYER_BYTES,
               "readers accept what encoders write");

uint32_t ws_encode_bound(void) { return ENCODING_BYTES > READING_BYTES ? ENCODING_BYTES : READING_BYTES; }

int ws_check_address(const ws_parameters *h, const ws_address *address) {
    const uint32_t most = h->kind == WS_APPROXIMATION ? 0 : MAX_PLACE;
    return address->z > MAX_PLANE || address->x > most || address->y > most ? WS_ARGUMENT : WS_OK;
}

uint32_t ws_put_address(uint8_t *p, const ws_parameters *h, const ws_address *address) {
    uint32_t n = ws_put_leb128(p, address->z * (uint32_t)h->groups + (uint32_t)h->group);
    n += ws_put_leb128(p + n, address->y);
    return n + ws_put_leb128(p + n, address->x);
}

int ws_get_address(const uint8_t *p, uint32_t size, const ws_parameters *h, ws_address *address) {
    uint32_t values[3], at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const int n = ws_get_leb128(p + at, size - at, 3, &values[i]);
        if (n < 0) return n;
        at += (uint32_t)n;
    }
    const uint32_t groups = (uint32_t)h->groups;
    const ws_address found = {values[0] / groups, values[2], values[1]};
    *address = found;
    return values[0] % groups != (uint32_t)h->group || ws_check_address(h, address) ? WS_HEADER : (int)at;
}

uint32_t ws_layer_checksum(const ws_parameters *h, const ws_address *address, uint32_t layer, const uint8_t *bytes,
                           uint32_t size) {
    uint8_t place[8];
    const uint32_t plane = address->z * (uint32_t)h->groups + (uint32_t)h->group;
    ws_put32(place, plane * MAX_LAYERS_PER_PLANE + layer), ws_put32(place + 4, address->x << 16 | address->y);
    return ws_crc32c_from(ws_crc32c_from((uint32_t)h->seed, place, sizeof place), bytes, size);
}

static int check_plane(const ws_parameters *h, uint32_t d, uint32_t c, uint32_t b) {
    for (int32_t l = 0; l < h->layers; l++) {
        int32_t shift = h->shift[l][d][c][b];
        if (shift < 0 || shift > 8 || (l && shift > h->shift[l - 1][d][c][b])) return WS_HEADER;
    }
    if (h->shift[h->layers - 1][d][c][b] != 0) return WS_HEADER;
    return h->step[d][c][b] < 1 || h->step[d][c][b] > 4095 ? WS_HEADER : WS_OK;
}

static int check_steps(const ws_parameters *h) {
    for (uint32_t i = 0; i < ws_depth(h) * (uint32_t)h->channels * WS_BANDS; i++) {
        int result = check_plane(h, i / (3 * (uint32_t)h->channels), i / 3 % (uint32_t)h->channels, i % 3);
        if (result) return result;
    }
    return WS_OK;
}

/* All but tables: first what no parameter set may say, then what this version does not implement (CS11). */
static int check_fields(const ws_parameters *h, uint32_t minor) {
    if (h->kind != WS_DETAILS && h->kind != WS_APPROXIMATION) return WS_HEADER;
    if (h->level < 0 || h->level > 31 || h->layers < 1 || h->layers > WS_LAYERS) return WS_HEADER;
    if (h->groups < 1 || h->groups > MAX_GROUPS || h->group < 0 || h->group >= h->groups) return WS_HEADER;
    if (h->channels < 1 || h->channels > MAX_GROUPS) return WS_HEADER;
    if (!minor && h->channels * h->groups > MAX_GROUPS) return WS_HEADER;
    if (h->bit_depth < 1 || h->bit_depth > 16 || h->fraction_bits < 0 || h->fraction_bits > 4) return WS_HEADER;
    if (h->profile != WS_LOSSLESS && h->profile != WS_VISUAL) return WS_UNSUPPORTED;
    if ((h->groups != 1 && !minor) || (h->channels != 1 && h->channels != 3)) return WS_UNSUPPORTED_CHANNELS;
    const int plain = h->bit_depth == 8 && !h->is_signed;
    if (!plain && (!minor || h->bit_depth < 8 || h->channels != 1)) return WS_UNSUPPORTED_DEPTH;
    if (h->colour < WS_GREY || h->colour > (minor ? WS_STABILISED : WS_SUBTRACT_B)) return WS_UNSUPPORTED;
    if ((h->channels == 1) != (h->colour == WS_GREY || h->colour == WS_STABILISED)) return WS_HEADER;
    if (h->colour == WS_STABILISED) return h->profile == WS_VISUAL ? WS_OK : WS_HEADER;
    return (h->colour > WS_MATRIX || ws_deep(h)) && h->fraction_bits != 0 ? WS_HEADER : WS_OK;
}

/* Of a noise model (CS52). */
static int check_noise(const int32_t *noise) {
    const int32_t most[4] = {65535, (1 << 24) - 1, (1 << 28) - 1, 1 << 20}, least[4] = {-32768, 1, 1, -(1 << 20)};
    for (int i = 0; i < 4; i++)
        if (noise[i] < least[i] || noise[i] > most[i]) return WS_HEADER;
    return WS_OK;
}

int ws_check_parameters(const ws_parameters *h) {
    const int stabilised = h->colour == WS_STABILISED;
    int result = check_fields(h, WS_VERSION_MINOR);
    if (!result && stabilised) result = check_noise(h->inverse);
    if (result) return result;
    for (int i = stabilised ? 4 : 0; i < 9; i++) {
        int32_t limit = h->colour == WS_MATRIX ? 32767 : h->colour > WS_MATRIX && !stabilised && i < 3 ? 127 : 0;
        if (h->inverse[i] > limit || h->inverse[i] < -limit - (limit > 0)) return WS_HEADER;
    }
    return check_steps(h);
}

/* Colour parameters and planes, after the fixed fields (CS9, CS10). */
static int read_tables(const uint8_t *p, uint32_t size, ws_parameters *h) {
    const uint32_t count = 3 * (uint32_t)h->channels;
    const uint32_t colour = h->colour == WS_MATRIX       ? 18
                            : h->colour == WS_STABILISED ? 16
                            : h->colour > WS_MATRIX      ? 3
                                                         : 0;
    const uint32_t need = colour + ws_depth(h) * count * ((uint32_t)h->layers + 1);
    if (size != need) return size < need ? WS_TRUNCATED : WS_HEADER;
    for (int i = 0; colour == 18 && i < 9; i++, p += 2) h->inverse[i] = (int16_t)(p[0] | p[1] << 8);
    for (int i = 0; colour == 16 && i < 4; i++, p += 4) h->inverse[i] = (int32_t)ws_get32(p);
    for (int i = 0; colour == 3 && i < 3; i++) h->inverse[i] = (int8_t)*p++;
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (uint32_t i = 0; i < count; i++, p += 2) {
            for (int l = 0; l + 1 < h->layers; l++) h->shift[l][d][i / 3][i % 3] = *p++;
            h->step[d][i / 3][i % 3] = p[0] | p[1] << 8;
        }
    return ws_check_parameters(h);
}

int ws_read_parameters(const uint8_t *bytes, uint32_t size, ws_parameters *parameters) {
    ws_parameters h = {0};
    if (size < 4) return WS_TRUNCATED;
    if (bytes[0] != 'W' || bytes[1] != 'S') return WS_MAGIC;
    if (bytes[2] != WS_VERSION_MAJOR || bytes[3] > WS_VERSION_MINOR) return WS_NEWER;
    if (size < FIXED_BYTES) return WS_TRUNCATED;
    h.kind = bytes[4], h.level = bytes[5], h.profile = bytes[7], h.layers = bytes[8], h.groups = bytes[9];
    h.group = bytes[10], h.channels = bytes[11], h.bit_depth = bytes[12] & 127, h.is_signed = bytes[12] >> 7;
    h.fraction_bits = bytes[13], h.colour = bytes[14];
    h.seed = (int32_t)ws_crc32c(bytes, size);
    if (bytes[15]) return WS_UNSUPPORTED;
    if (1u << (bytes[6] & 31) != WS_TILE) return WS_UNSUPPORTED_TILE;
    int result = check_fields(&h, bytes[3]);
    if (!result) result = read_tables(bytes + FIXED_BYTES, size - FIXED_BYTES, &h);
    *parameters = h;
    return result;
}

int ws_read_address(const uint8_t *bytes, uint32_t size, const ws_parameters *parameters, ws_address *address) {
    uint32_t length;
    const int at = ws_get_leb128(bytes, size, WS_LENGTH_BYTES, &length);
    if (at < 0) return at;
    const int end = ws_get_address(bytes + at, size - (uint32_t)at, parameters, address);
    return end < 0 ? end : WS_OK;
}
