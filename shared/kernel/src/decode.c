/* Decoding: layers to coefficients, coefficients to samples. */
#include "codestream.h"
#include "vector.h"

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
    if (length < WS_CHECKSUM_BYTES || length > WS_MAX_LAYER_BYTES - WS_LENGTH_BYTES) return WS_HEADER;
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

/* m of all planes of an analysis to details, in place: of the part that `part`, in means, is synthesised from. */
static void reconstruct_depth(const decoded_layers *decoded, uint32_t d, ws_part part) {
    const ws_parameters *h = decoded->header;
    const uint32_t channels = (uint32_t)h->channels;
    for (uint32_t i = 0; i < 3 * channels; i++) {
        const uint32_t c = i / 3, b = i % 3, rows = c ? 2 : 3; /* of luma chroma needs one more */
        const ws_part needed = c ? ws_grown(part, rows) : ws_grown(ws_grown(part, rows), 0);
        const int16_t *luma = c ? decoded->q + ws_plane_offset(channels, d, 0, b) : 0;
        ws_reconstruct_plane(decoded->q + ws_plane_offset(channels, d, c, b), needed,
                             ws_scale_of(h, decoded->present - 1, d, i), luma,
                             &decoded->reconstructions.plane[d][c][b]);
    }
}

/* Adds the corrections of a tile to its samples (CS51). */
static void correct_samples(const decoded_layers *decoded, int16_t *samples) {
    if (!decoded->reconstructions.corrected) return;
    for (uint32_t i = 0; i < WS_TILE * WS_TILE; i += 8)
        store_lanes(samples + i, load_lanes(samples + i) + load_lanes(decoded->reconstructions.corrections + i));
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

/* What lies in the scratch while a tile is decoded: details, working space of the synthesis, samples of a window. */
enum {
    DETAILS_AT = WS_WORKSPACE_BYTES,
    TEMPORARY_AT = DETAILS_AT + 2 * WS_CHANNELS * WS_BANDS * WS_HALF * WS_HALF,
    WINDOW_AT = TEMPORARY_AT + 2 * WS_TILE * WS_TILE,
    WINDOW_END = WINDOW_AT + 2 * WS_CHANNELS * WS_TILE * WS_TILE + 16 /* the last row is read eight samples at a time */
};
_Static_assert(WINDOW_END <= WS_SCRATCH_BYTES, "a window is decoded inside the scratch");

/* The tile to decode: where its means lie and what refines them. */
typedef struct {
    const int16_t *parent;
    const ws_parameters *parameters;
    const ws_address *address;
    const uint8_t *bytes;
    uint32_t size;
} block_of_tile;

/* The samples of a tile whose means lie in `part`. */
static int decode_part(const block_of_tile *tile, ws_part part, int16_t *samples, uint8_t *scratch) {
    const ws_parameters *h = tile->parameters;
    int16_t *q = (int16_t *)(scratch + DETAILS_AT), *temporary = (int16_t *)(scratch + TEMPORARY_AT);
    const uint32_t quarter = WS_HALF * WS_HALF, channels = (uint32_t)h->channels;
    decoded_layers decoded = {.q = q, .header = h, .reconstructions = {.corrections = q + WS_CORRECTIONS}};
    if (tile->size == 0) {
        const int result = ws_check_parameters(h);
        if (result) return result;
        if (h->kind != WS_DETAILS) return WS_KIND;
        if (ws_check_address(h, tile->address)) return WS_ARGUMENT;
        for (uint32_t i = 0; i < channels * WS_BANDS * quarter; i++) q[i] = 0;
    } else {
        const int result = decode_layers(tile->address, tile->bytes, tile->size, WS_DETAILS, &decoded, scratch);
        if (result) return result;
        reconstruct_depth(&decoded, 0, part);
    }
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(tile->parent + c * 4 * quarter + ws_quadrant_offset(tile->address), WS_TILE,
                            ws_siblings_of(h, tile->address, decoded.reconstructions.flat), q + c * WS_BANDS * quarter,
                            part, samples + c * 4 * quarter, WS_TILE, temporary);
    correct_samples(&decoded, samples);
    return WS_OK;
}

int ws_decode_tile(const int16_t *parent, const ws_parameters *parameters, const ws_address *address,
                   const uint8_t *bytes, uint32_t size, int16_t *samples, uint8_t *scratch) {
    const block_of_tile block = {parent, parameters, address, bytes, size};
    return decode_part(&block, ws_whole(WS_HALF), samples, scratch);
}

int ws_decode_window(const int16_t *parent, const ws_parameters *parameters, const ws_address *address,
                     const uint8_t *bytes, uint32_t size, const ws_window *window, uint8_t *scratch) {
    int16_t *samples = (int16_t *)(scratch + WINDOW_AT);
    const uint32_t x = window->x, y = window->y, width = window->width, height = window->height;
    if (x >= WS_TILE || y >= WS_TILE) return WS_ARGUMENT;
    if (width < 1 || height < 1 || width > WS_TILE - x || height > WS_TILE - y) return WS_ARGUMENT;
    const ws_part part = {WS_HALF, x / 16 * 8, (x + width + 15) / 16 * 8, y / 2, (y + height + 1) / 2};
    const block_of_tile block = {parent, parameters, address, bytes, size};
    const int result = decode_part(&block, part, samples, scratch);
    if (result) return result;
    return ws_pixels_from_samples(samples + y * WS_TILE + x, parameters, width, height, (uint32_t)parameters->channels,
                                  window->pixels);
}

int ws_decode_approximation(const ws_parameters *parameters, const ws_address *address, const uint8_t *bytes,
                            uint32_t size, int16_t *samples, uint8_t *scratch) {
    int16_t *q = (int16_t *)(scratch + WS_WORKSPACE_BYTES), *ll_root = q + WS_CHANNELS * WS_TILE * WS_TILE;
    int16_t *temporary = ll_root + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT, *low = temporary + 4 * WS_HALF * WS_HALF;
    decoded_layers decoded = {
        .q = q, .ll_root = ll_root, .header = parameters, .reconstructions = {.corrections = q + WS_CORRECTIONS}};
    int result = decode_layers(address, bytes, size, WS_APPROXIMATION, &decoded, scratch);
    if (result) return result;
    for (uint32_t d = 0; d < ws_depth(parameters); d++) reconstruct_depth(&decoded, d, ws_whole(WS_HALF >> d));
    ws_synthesize_approximation(parameters, ll_root, q, decoded.reconstructions.flat, temporary, low, samples);
    correct_samples(&decoded, samples);
    return WS_OK;
}
