/* Decoding: layers to coefficients, coefficients to samples. */
#include "codestream.h"

enum { MAX_LAYER = 8 << 20 };

/* What decoded layers leave: m of the last one in `q`, the means of an approximation in `ll_root`, how many layers
 * there were. */
typedef struct {
    int16_t *q, *ll_root;
    const ws_parameters *header;
    ws_reconstructions reconstructions;
    uint32_t present;
} decoded_layers;

/* Checks the layer at the beginning of `bytes` (CS7); `start` and `end` of its payload. Returns its length, or a
 * negative result. */
static int check_layer(const decoded_layers *decoded, const ws_address *address, const uint8_t *bytes, uint32_t size,
                       uint32_t *start, uint32_t *end) {
    const ws_parameters *h = decoded->header;
    ws_address found = *address;
    uint32_t length;
    int at = ws_get_leb128(bytes, size, WS_LENGTH_BYTES, &length);
    if (at < 0) return at;
    if (length < WS_CHECKSUM_BYTES || length > MAX_LAYER) return WS_HEADER;
    if (length > size - (uint32_t)at) return WS_TRUNCATED;
    *start = (uint32_t)at, *end = *start + length - WS_CHECKSUM_BYTES;
    if (decoded->present == 0) {
        at = ws_get_address(bytes + *start, *end - *start, h, &found);
        if (at < 0) return at;
        *start += (uint32_t)at;
    }
    if (ws_layer_checksum(h, &found, decoded->present, bytes, *end) != ws_get32(bytes + *end)) return WS_CHECKSUM;
    if (found.z != address->z || found.x != address->x || found.y != address->y) return WS_BINDING;
    return (int)*end + WS_CHECKSUM_BYTES;
}

/* Entropy-decode all layers of a block or an approximation. */
static int decode_layers(const ws_address *address, const uint8_t *bytes, uint32_t size, int kind,
                         decoded_layers *decoded, uint8_t *scratch) {
    const ws_parameters *const h = decoded->header;
    int result = ws_check_parameters(h);
    if (result) return result;
    if (h->kind != kind) return WS_KIND;
    if (ws_check_address(h, address)) return WS_ARGUMENT;
    while (size > 0) {
        uint32_t start, end;
        if (decoded->present >= (uint32_t)h->layers) return WS_ORDER;
        const int length = check_layer(decoded, address, bytes, size, &start, &end);
        if (length < 0) return length;
        ws_decode_layer(h, decoded->present, bytes + start, end - start, decoded->q, decoded->ll_root,
                        &decoded->reconstructions, scratch);
        bytes += length, size -= (uint32_t)length, decoded->present++;
    }
    return decoded->present ? WS_OK : WS_ORDER;
}

/* m of all planes to details, in place. */
static void reconstruct_all(const decoded_layers *decoded) {
    const ws_parameters *h = decoded->header;
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

int ws_decode_block(const ws_parameters *parameters, const ws_address *address, const uint8_t *bytes, uint32_t size,
                    int16_t *quantised, uint8_t *scratch) {
    decoded_layers decoded = {.q = quantised, .header = parameters};
    int result = decode_layers(address, bytes, size, WS_DETAILS, &decoded, scratch);
    if (result) return result;
    for (uint32_t i = 0; i < 3 * (uint32_t)parameters->channels; i++) {
        int16_t *q = quantised + i * WS_HALF * WS_HALF;
        int32_t scale = 1 << parameters->shift[decoded.present - 1][0][i / 3][i % 3];
        for (uint32_t k = 0; scale > 1 && k < WS_HALF * WS_HALF; k++) q[k] = (int16_t)(q[k] * scale);
    }
    return WS_OK;
}

int ws_decode_tile(const int16_t *parent, const ws_parameters *parameters, const ws_address *address,
                   const uint8_t *bytes, uint32_t size, int16_t *samples, uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *temporary = q + WS_CHANNELS * WS_BANDS * WS_HALF * WS_HALF;
    const uint32_t quarter = WS_HALF * WS_HALF, channels = (uint32_t)parameters->channels;
    if (size == 0) {
        const int result = ws_check_parameters(parameters);
        if (result) return result;
        if (parameters->kind != WS_DETAILS) return WS_KIND;
        if (ws_check_address(parameters, address)) return WS_ARGUMENT;
        for (uint32_t i = 0; i < channels * WS_BANDS * quarter; i++) q[i] = 0;
    } else {
        decoded_layers decoded = {.q = q, .header = parameters};
        const int result = decode_layers(address, bytes, size, WS_DETAILS, &decoded, scratch);
        if (result) return result;
        reconstruct_all(&decoded);
    }
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(parent + c * 4 * quarter + ws_quadrant_offset(address), WS_TILE, ws_siblings_of(address),
                            q + c * WS_BANDS * quarter, WS_HALF, samples + c * 4 * quarter, WS_TILE, temporary);
    return WS_OK;
}

int ws_decode_approximation(const ws_parameters *parameters, const ws_address *address, const uint8_t *bytes,
                            uint32_t size, int16_t *samples, uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT, *low = temporary + 4 * WS_HALF * WS_HALF;
    decoded_layers decoded = {.q = q, .ll_root = ll_root, .header = parameters};
    int result = decode_layers(address, bytes, size, WS_APPROXIMATION, &decoded, scratch);
    if (result) return result;
    reconstruct_all(&decoded);
    const uint32_t channels = (uint32_t)parameters->channels;
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
