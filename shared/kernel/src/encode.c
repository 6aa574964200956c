/* Encoding: samples to coefficients, coefficients to layers. */
#include "codestream.h"

enum { MAX_PREFIX = WS_LENGTH_BYTES + WS_ADDRESS_BYTES, MAX_OVERHEAD = 512 };

/* The best reconstruction of every plane at a layer; `spare` holds four planes. */
static void fit_all(const ws_parameters *h, uint32_t layer, const int16_t *q, const int16_t *details, int16_t *spare,
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

/* What is encoded: quantised coefficients, the means of an approximation, and the details before quantisation (or
 * NULL), to which the reconstruction is fitted; `spare` holds four planes for that. */
typedef struct {
    const int16_t *q, *ll_root, *details;
    int16_t *spare;
} coefficients;

static int encode_layers(const ws_parameters *h, const ws_address *address, const coefficients *from,
                         const ws_output *output, uint8_t *scratch) {
    uint8_t *out = output->bytes;
    uint32_t capacity = output->capacity;
    for (uint32_t layer = 0; layer < (uint32_t)h->layers; layer++) {
        ws_reconstructions reconstructions = {0};
        if (from->details) fit_all(h, layer, from->q, from->details, from->spare, &reconstructions);
        if (capacity < MAX_OVERHEAD) return WS_SPACE;
        /* the payload is made behind the longest prefix, then moved to where its own ends */
        const uint32_t payload = ws_encode_layer(h, layer, from->q, from->ll_root, &reconstructions, out + MAX_PREFIX,
                                                 capacity - MAX_PREFIX - WS_CHECKSUM_BYTES, scratch);
        if (payload == UINT32_MAX) return WS_SPACE;
        uint8_t place[WS_ADDRESS_BYTES];
        const uint32_t place_bytes = layer ? 0 : ws_put_address(place, h, address);
        uint32_t end = ws_put_leb128(out, place_bytes + payload + WS_CHECKSUM_BYTES);
        for (uint32_t i = 0; i < place_bytes; i++) out[end++] = place[i];
        for (uint32_t i = 0; i < payload; i++) out[end + i] = out[MAX_PREFIX + i];
        end += payload;
        ws_put32(out + end, ws_layer_checksum(h, address, layer, out, end));
        output->sizes[layer] = end + WS_CHECKSUM_BYTES;
        out += end + WS_CHECKSUM_BYTES, capacity -= end + WS_CHECKSUM_BYTES;
    }
    return WS_OK;
}

static int any_set(const int16_t *q, uint32_t count) {
    int16_t any = 0;
    for (uint32_t i = 0; i < count; i++) any |= q[i];
    return any != 0;
}

int ws_encode_quantised(const int16_t *quantised, const ws_parameters *header, const ws_address *address,
                        const ws_output *output, uint8_t *scratch) {
    int result = ws_check_parameters(header);
    if (result) return result;
    if (header->kind != WS_DETAILS) return WS_KIND;
    if (ws_check_address(header, address)) return WS_ARGUMENT;
    for (uint32_t l = 0; l < WS_LAYERS; l++) output->sizes[l] = 0;
    if (!any_set(quantised, (uint32_t)header->channels * WS_BANDS * WS_HALF * WS_HALF)) return WS_OK;
    const coefficients from = {.q = quantised};
    return encode_layers(header, address, &from, output, scratch);
}

/* Details that no visible sample of this tile or of its descendants needs become zeros. Four samples beyond the visible
 * ones are needed on every level: two pairs, whose predictions look at means two pairs further off, four in all again.
 * These means of the first pass are made of LH (across) and HL (down). */
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

int ws_encode(const int16_t *samples, const ws_parameters *header, const ws_tuning *tuning, int16_t *parent,
              const ws_address *address, const ws_output *output, uint8_t *scratch) {
    int result = ws_check_parameters(header);
    if (result) return result;
    if (ws_check_address(header, address) || ws_check_tuning(tuning)) return WS_ARGUMENT;
    if (tuning->width < 1 || tuning->width > WS_TILE || tuning->height < 1 || tuning->height > WS_TILE)
        return WS_ARGUMENT;
    const uint32_t channels = (uint32_t)header->channels;
    int16_t *details = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *q = details + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE,
            *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT;
    int16_t *low = temporary + 4 * WS_HALF * WS_HALF;
    for (uint32_t l = 0; l < WS_LAYERS; l++) output->sizes[l] = 0;
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *in = samples + c * WS_TILE * WS_TILE;
        for (uint32_t d = 0; d < ws_depth(header); d++) {
            int n = WS_HALF >> d;
            int16_t *mean =
                d == WS_DEPTH - 1 ? ll_root + c * WS_LL_ROOT * WS_LL_ROOT : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            uint32_t at = ws_plane_offset(channels, d, c, 0);
            if (header->kind == WS_DETAILS)
                ws_analyze_plane(in, WS_TILE, WS_HALF, parent + c * WS_TILE * WS_TILE + ws_quadrant_offset(address),
                                 WS_TILE, ws_siblings_of(address), details + at, temporary);
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
    return encode_layers(header, address, &from, output, scratch);
}
