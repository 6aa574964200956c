/* Decoding: layers to coefficients, coefficients to samples. */
#include "codestream.h"

/* What decoded layers leave: m of the last one in `q`, the means of an approximation in `ll_root`, how many layers
 * there were. */
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
        int32_t length = ws_check_layer(bytes, size, layer);
        if (length < 0) return length;
        uint32_t end = (uint32_t)length - WS_CHECKSUM_BYTES, at = WS_PREFIX_BYTES + WS_BINDING_BYTES;
        if (layer == 0) {
            int start = ws_parse_header(bytes, end, header);
            if (start < 0) return start;
            if (header->kind != kind) return WS_KIND;
            at = (uint32_t)start, binding = ws_get32(bytes + end);
        } else if (end < at) {
            return WS_TRUNCATED;
        } else if (ws_get32(bytes + WS_PREFIX_BYTES) != binding || bytes[2] >> 4 != header->layers ||
                   bytes[3] != kind) {
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

int ws_decode_tile(const int16_t *parent, uint32_t qx, uint32_t qy, uint32_t channels, const uint8_t *bytes,
                   uint32_t size, int16_t *samples, uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *temporary = q + WS_CHANNELS * WS_BANDS * WS_HALF * WS_HALF;
    if (qx > 1 || qy > 1 || (channels != 1 && channels != 3)) return WS_ARGUMENT;
    const uint32_t quarter = WS_HALF * WS_HALF;
    uint8_t flat = 0;
    if (size == 0) {
        for (uint32_t i = 0; i < channels * WS_BANDS * quarter; i++) q[i] = 0;
    } else {
        ws_header header;
        decoded_layers decoded = {.q = q, .header = &header};
        int result = decode_layers(bytes, size, WS_DETAILS, &decoded, scratch);
        if (result) return result;
        if ((uint32_t)header.channels != channels) return WS_CHANNEL_COUNT;
        reconstruct_all(&decoded);
        flat = decoded.reconstructions.flat;
    }
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(parent + c * 4 * quarter + qy * WS_HALF * WS_TILE + qx * WS_HALF, WS_TILE,
                            ws_siblings_of(qx, qy, flat), q + c * WS_BANDS * quarter, WS_HALF,
                            samples + c * 4 * quarter, WS_TILE, temporary);
    return WS_OK;
}

int ws_decode_approximation(const uint8_t *bytes, uint32_t size, int16_t *samples, ws_header *header,
                            uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT, *low = temporary + 4 * WS_HALF * WS_HALF;
    decoded_layers decoded = {.q = q, .ll_root = ll_root, .header = header};
    int result = decode_layers(bytes, size, WS_APPROXIMATION, &decoded, scratch);
    if (result) return result;
    reconstruct_all(&decoded);
    const uint32_t channels = (uint32_t)header->channels;
    const ws_siblings none = {.flat = decoded.reconstructions.flat};
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *ll = ll_root + c * WS_LL_ROOT * WS_LL_ROOT;
        for (uint32_t d = WS_DEPTH; d-- > 0;) {
            int n = WS_HALF >> d;
            int16_t *out = d == 0 ? samples + c * WS_TILE * WS_TILE : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            ws_synthesize_plane(ll, n, none, q + ws_plane_offset(channels, d, c, 0), n, out, 2 * n, temporary);
            ll = out;
        }
    }
    return WS_OK;
}
