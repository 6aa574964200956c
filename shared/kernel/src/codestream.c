/* The byte layout of layers: headers, lengths, checksums; and the calls a host makes. */
#include "internal.h"

enum {
    MAGIC = 0x57,
    PREFIX = 8,
    CHECKSUM = 4,
    BINDING = 4,
    WORKSPACE = 1 << 20,
    MAX_HEADER = 512,
    MAX_LAYER = 8 << 20
};

static uint32_t get32(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t v) {
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

int ws_check_header(const ws_header *h) {
    if (h->kind != WS_DETAILS && h->kind != WS_APPROXIMATION) return WS_HEADER;
    if (h->profile != WS_LOSSLESS && h->profile != WS_VISUAL) return WS_UNSUPPORTED;
    if (h->bit_depth != 8 || h->is_signed) return WS_UNSUPPORTED;
    if (h->channels != 1 && h->channels != 3) return WS_UNSUPPORTED;
    if (h->fraction_bits < 0 || h->fraction_bits > 4) return WS_HEADER;
    if (h->colour < WS_GREY || h->colour > WS_SUBTRACT_B) return WS_UNSUPPORTED;
    if ((h->channels == 1) != (h->colour == WS_GREY)) return WS_HEADER;
    if (h->colour > WS_MATRIX && h->fraction_bits != 0) return WS_HEADER;
    if (h->layers < 1 || h->layers > WS_LAYERS) return WS_HEADER;
    for (int i = 0; i < 9; i++) {
        int32_t limit = h->colour == WS_MATRIX ? 32767 : h->colour > WS_MATRIX && i < 3 ? 127 : 0;
        if (h->inverse[i] > limit || h->inverse[i] < -limit - (limit > 0)) return WS_HEADER;
    }
    return check_steps(h);
}

/* Header of layer 0 to bytes; returns its length. */
static uint32_t write_header(const ws_header *h, uint8_t *out) {
    uint8_t *p = out + PREFIX;
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

/* The fields after the prefix; returns where the payload begins, or a negative result. */
static int parse_header(const uint8_t *bytes, uint32_t size, ws_header *h) {
    const uint8_t *p = bytes + PREFIX;
    ws_header zero = {0};
    *h = zero;
    if (size < PREFIX + 6) return WS_TRUNCATED;
    h->layers = bytes[2] >> 4, h->kind = bytes[3];
    h->profile = p[0], h->channels = p[1], h->bit_depth = p[2] & 127, h->is_signed = p[2] >> 7;
    h->fraction_bits = p[3], h->colour = p[4];
    if (p[5] != 0) return WS_UNSUPPORTED;
    if (h->channels != 1 && h->channels != 3) return WS_UNSUPPORTED;
    if (h->layers < 1 || h->layers > WS_LAYERS || h->kind > WS_APPROXIMATION) return WS_HEADER;
    p += 6;
    uint32_t count = 3 * (uint32_t)h->channels, matrix = h->colour == WS_MATRIX ? 18 : h->colour > WS_MATRIX ? 3 : 0;
    uint32_t need = PREFIX + 6 + matrix + ws_depth(h) * count * ((uint32_t)h->layers + 1);
    if (size < need) return WS_TRUNCATED;
    for (int i = 0; matrix == 18 && i < 9; i++, p += 2) h->inverse[i] = (int16_t)(p[0] | p[1] << 8);
    for (int i = 0; matrix == 3 && i < 3; i++) h->inverse[i] = (int8_t)*p++;
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (uint32_t i = 0; i < count; i++, p += 2) {
            for (int l = 0; l + 1 < h->layers; l++) h->shift[l][d][i / 3][i % 3] = *p++;
            h->step[d][i / 3][i % 3] = p[0] | p[1] << 8;
        }
    int result = ws_check_header(h);
    return result ? result : (int)need;
}

/* Prefix and checksum of the layer at `bytes`; returns its length, or a negative result. */
static int32_t check_layer(const uint8_t *bytes, uint32_t size, uint32_t index) {
    if (size < PREFIX + CHECKSUM) return WS_TRUNCATED;
    if (bytes[0] != MAGIC) return WS_MAGIC;
    if (bytes[1] != WS_VERSION) return WS_NEWER;
    uint32_t length = get32(bytes + 4);
    if (length > size) return WS_TRUNCATED;
    if (length < PREFIX + CHECKSUM || length > MAX_LAYER) return WS_HEADER;
    if (ws_crc32c(bytes, length - CHECKSUM) != get32(bytes + length - CHECKSUM)) return WS_CHECKSUM;
    if ((bytes[2] & 15u) != index) return WS_ORDER;
    return (int32_t)length;
}

int ws_read_header(const uint8_t *bytes, uint32_t size, ws_header *header) {
    int32_t length = check_layer(bytes, size, 0);
    if (length < 0) return length;
    int at = parse_header(bytes, (uint32_t)length - CHECKSUM, header);
    return at < 0 ? at : WS_OK;
}

/* What decoded layers leave: m of the last one in `q`, the means of an approximation in `ll_root`, how many layers there were. */
typedef struct {
    int16_t *q, *ll_root;
    ws_header *header;
    ws_reconstructions reconstructions;
    uint32_t present;
} decoded_layers;

/* Entropy-decode all layers of a block or an approximation. */
static int decode_layers(const uint8_t *bytes, uint32_t size, int kind, decoded_layers *decoded, uint8_t *scratch) {
    ws_header *const header = decoded->header;
    uint32_t binding = 0, layer = 0;
    while (size > 0) {
        if (layer && layer >= (uint32_t)header->layers) return WS_ORDER;
        int32_t length = check_layer(bytes, size, layer);
        if (length < 0) return length;
        uint32_t end = (uint32_t)length - CHECKSUM, at = PREFIX + BINDING;
        if (layer == 0) {
            int start = parse_header(bytes, end, header);
            if (start < 0) return start;
            if (header->kind != kind) return WS_KIND;
            at = (uint32_t)start, binding = get32(bytes + end);
        } else if (end < at) {
            return WS_TRUNCATED;
        } else if (get32(bytes + PREFIX) != binding || bytes[2] >> 4 != header->layers || bytes[3] != kind) {
            return WS_BINDING;
        }
        ws_decode_layer(header, layer, bytes + at, end - at, decoded->q, decoded->ll_root, &decoded->reconstructions,
                        scratch);
        bytes += length, size -= (uint32_t)length, layer++;
    }
    decoded->present = layer;
    return layer ? WS_OK : WS_ORDER;
}

/* m of all planes to details, in place. */
static void reconstruct_all(const decoded_layers *decoded) {
    const ws_header *h = decoded->header;
    int16_t *q = decoded->q;
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (uint32_t i = 0; i < 3 * (uint32_t)h->channels; i++) {
            const uint32_t c = i / 3, b = i % 3;
            const int16_t *luma = c ? q + ws_plane_offset((uint32_t)h->channels, d, 0, b) : 0;
            ws_reconstruct_plane(q + ws_plane_offset((uint32_t)h->channels, d, c, b), WS_HALF >> d, h->step[d][c][b],
                                 h->shift[decoded->present - 1][d][c][b], luma,
                                 &decoded->reconstructions.plane[d][c][b]);
        }
}

int ws_decode_block(const uint8_t *bytes, uint32_t size, int16_t *quantised, ws_header *header, uint8_t *scratch) {
    decoded_layers decoded = {.q = quantised, .header = header};
    int result = decode_layers(bytes, size, WS_DETAILS, &decoded, scratch);
    if (result) return result;
    for (uint32_t i = 0; i < 3 * (uint32_t)header->channels; i++) {
        int16_t *q = quantised + i * WS_HALF * WS_HALF;
        int32_t scale = 1 << header->shift[decoded.present - 1][0][i / 3][i % 3];
        for (uint32_t k = 0; scale > 1 && k < WS_HALF * WS_HALF; k++) q[k] = (int16_t)(q[k] * scale);
    }
    return WS_OK;
}

/* The sides on which a quadrant has its siblings. */
static ws_siblings siblings(uint32_t qx, uint32_t qy) {
    const ws_siblings siblings = {qx == 1, qx == 0, qy == 1, qy == 0};
    return siblings;
}

int ws_decode_tile(const int16_t *parent, uint32_t qx, uint32_t qy, uint32_t channels, const uint8_t *bytes,
                   uint32_t size, int16_t *samples, uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WORKSPACE), *temporary = q + WS_CHANNELS * WS_BANDS * WS_HALF * WS_HALF;
    if (qx > 1 || qy > 1 || (channels != 1 && channels != 3)) return WS_ARGUMENT;
    const uint32_t quarter = WS_HALF * WS_HALF;
    if (size == 0) {
        for (uint32_t i = 0; i < channels * WS_BANDS * quarter; i++) q[i] = 0;
    } else {
        ws_header header;
        decoded_layers decoded = {.q = q, .header = &header};
        int result = decode_layers(bytes, size, WS_DETAILS, &decoded, scratch);
        if (result) return result;
        if ((uint32_t)header.channels != channels) return WS_CHANNEL_COUNT;
        reconstruct_all(&decoded);
    }
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(parent + c * 4 * quarter + qy * WS_HALF * WS_TILE + qx * WS_HALF, WS_TILE, siblings(qx, qy),
                            q + c * WS_BANDS * quarter, WS_HALF, samples + c * 4 * quarter, WS_TILE, temporary);
    return WS_OK;
}

int ws_decode_approximation(const uint8_t *bytes, uint32_t size, int16_t *samples, ws_header *header,
                            uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WORKSPACE), *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT, *low = temporary + 4 * WS_HALF * WS_HALF;
    decoded_layers decoded = {.q = q, .ll_root = ll_root, .header = header};
    int result = decode_layers(bytes, size, WS_APPROXIMATION, &decoded, scratch);
    if (result) return result;
    reconstruct_all(&decoded);
    const uint32_t channels = (uint32_t)header->channels;
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *ll = ll_root + c * WS_LL_ROOT * WS_LL_ROOT;
        for (uint32_t d = WS_DEPTH; d-- > 0;) {
            int n = WS_HALF >> d;
            int16_t *out = d == 0 ? samples + c * WS_TILE * WS_TILE : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            ws_synthesize_plane(ll, n, WS_NO_SIBLINGS, q + ws_plane_offset(channels, d, c, 0), n, out, 2 * n,
                                temporary);
            ll = out;
        }
    }
    return WS_OK;
}

/* The best reconstruction of every plane at a layer; `spare` holds four planes. */
static void fit_all(const ws_header *h, uint32_t layer, const int16_t *q, const int16_t *details, int16_t *spare,
                    ws_reconstructions *reconstructions) {
    for (uint32_t d = 0; d < ws_depth(h); d++)
        for (uint32_t i = 0; i < 3 * (uint32_t)h->channels; i++) {
            const uint32_t c = i / 3, b = i % 3, n = WS_HALF >> d, at = ws_plane_offset((uint32_t)h->channels, d, c, b);
            int16_t *luma = spare + b * WS_HALF * WS_HALF, *out = c ? spare + 3 * WS_HALF * WS_HALF : luma;
            if (layer && c && h->shift[layer][d][c][b] == h->shift[layer - 1][d][c][b]) continue;
            ws_fit_reconstruction(details + at, q + at, n, h->step[d][c][b], h->shift[layer][d][c][b], c ? luma : 0,
                                  &reconstructions->plane[d][c][b], out);
        }
}

/* What is encoded: quantised coefficients, the means of an approximation, and the details before quantisation (or NULL), to which
 * the reconstruction is fitted; `spare` holds four planes for that. */
typedef struct {
    const int16_t *q, *ll_root, *details;
    int16_t *spare;
} coefficients;

static int encode_layers(const ws_header *h, const coefficients *from, uint8_t *out, uint32_t capacity, uint32_t *sizes,
                         uint8_t *scratch) {
    uint32_t binding = 0;
    for (uint32_t layer = 0; layer < (uint32_t)h->layers; layer++) {
        ws_reconstructions reconstructions = {0};
        if (from->details) fit_all(h, layer, from->q, from->details, from->spare, &reconstructions);
        if (capacity < MAX_HEADER) return WS_SPACE;
        uint32_t at = PREFIX + BINDING;
        if (layer == 0)
            at = write_header(h, out);
        else
            put32(out + PREFIX, binding);
        out[0] = MAGIC, out[1] = WS_VERSION, out[2] = (uint8_t)(h->layers << 4 | (int)layer), out[3] = (uint8_t)h->kind;
        uint32_t payload = ws_encode_layer(h, layer, from->q, from->ll_root, &reconstructions, out + at,
                                           capacity - at - CHECKSUM, scratch);
        if (payload == UINT32_MAX) return WS_SPACE;
        uint32_t end = at + payload;
        put32(out + 4, end + CHECKSUM);
        uint32_t crc = ws_crc32c(out, end);
        put32(out + end, crc);
        if (layer == 0) binding = crc;
        sizes[layer] = end + CHECKSUM;
        out += end + CHECKSUM, capacity -= end + CHECKSUM;
    }
    return WS_OK;
}

static int any_set(const int16_t *q, uint32_t count) {
    int16_t any = 0;
    for (uint32_t i = 0; i < count; i++) any |= q[i];
    return any != 0;
}

int ws_encode_quantised(const int16_t *quantised, const ws_header *header, uint8_t *out, uint32_t capacity,
                        uint32_t *sizes, uint8_t *scratch) {
    int result = ws_check_header(header);
    if (result) return result;
    if (header->kind != WS_DETAILS) return WS_KIND;
    for (uint32_t l = 0; l < WS_LAYERS; l++) sizes[l] = 0;
    if (!any_set(quantised, (uint32_t)header->channels * WS_BANDS * WS_HALF * WS_HALF)) return WS_OK;
    const coefficients from = {.q = quantised};
    return encode_layers(header, &from, out, capacity, sizes, scratch);
}

/* Details that no visible sample of this tile or of its descendants needs become zeros. Four samples beyond the visible ones are
 * needed on every level: two pairs, whose predictions look at means two pairs further off, four in all again. These means of the first
 * pass are made of LH (across) and HL (down). */
static void clear_padding(int16_t *details, uint32_t n, uint32_t depth, uint32_t band, const ws_tuning *tuning) {
    const uint32_t round = (2u << depth) - 1;
    const uint32_t width = (((uint32_t)tuning->width + round) >> (depth + 1)) + (band == 1 ? 4 : 2);
    const uint32_t height = (((uint32_t)tuning->height + round) >> (depth + 1)) + (band == 0 ? 4 : 2);
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = y < height ? width : 0; x < n; x++) details[y * n + x] = 0;
}

int ws_check_tuning(const ws_tuning *t) {
    for (int i = 0; i < 9; i++)
        if (t->forward[i] > 32767 || t->forward[i] < -32767) return WS_ARGUMENT;
    return t->dead_zone < 0 || t->dead_zone > 256 || t->lambda < 0 || t->lambda > 65535 ? WS_ARGUMENT : WS_OK;
}

int ws_encode(const int16_t *samples, const ws_header *header, const ws_tuning *tuning, int16_t *parent, uint32_t qx,
              uint32_t qy, uint8_t *out, uint32_t capacity, uint32_t *sizes, uint8_t *scratch) {
    int result = ws_check_header(header);
    if (result) return result;
    if (qx > 1 || qy > 1 || ws_check_tuning(tuning)) return WS_ARGUMENT;
    if (tuning->width < 1 || tuning->width > WS_TILE || tuning->height < 1 || tuning->height > WS_TILE)
        return WS_ARGUMENT;
    const uint32_t channels = (uint32_t)header->channels;
    int16_t *details = (int16_t *)(scratch + WORKSPACE), *q = details + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE,
            *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT;
    int16_t *low = temporary + 4 * WS_HALF * WS_HALF;
    for (uint32_t l = 0; l < WS_LAYERS; l++) sizes[l] = 0;
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *in = samples + c * WS_TILE * WS_TILE;
        for (uint32_t d = 0; d < ws_depth(header); d++) {
            int n = WS_HALF >> d;
            int16_t *mean =
                d == WS_DEPTH - 1 ? ll_root + c * WS_LL_ROOT * WS_LL_ROOT : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            uint32_t at = ws_plane_offset(channels, d, c, 0);
            if (header->kind == WS_DETAILS)
                ws_analyze_plane(in, WS_TILE, WS_HALF,
                                 parent + c * WS_TILE * WS_TILE + qy * WS_HALF * WS_TILE + qx * WS_HALF, WS_TILE,
                                 siblings(qx, qy), details + at, temporary);
            else
                ws_analyze_plane(in, 2 * n, n, mean, n, WS_NO_SIBLINGS, details + at, temporary);
            for (uint32_t b = 0; b < WS_BANDS; b++) {
                uint32_t k = at + b * (uint32_t)(n * n);
                clear_padding(details + k, (uint32_t)n, d, b, tuning);
                ws_quantize_plane(details + k, (uint32_t)n, header->step[d][c][b], tuning, q + k, scratch);
            }
            in = mean;
        }
    }
    if (header->kind == WS_DETAILS && !any_set(q, channels * WS_BANDS * WS_HALF * WS_HALF)) return WS_OK;
    const coefficients from = {q, ll_root, details, temporary};
    return encode_layers(header, &from, out, capacity, sizes, scratch);
}
