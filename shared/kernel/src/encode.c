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
            /* Nothing new: not coded. Luma's details of the layer before are still in `spare`, but of the last depth
             * only. */
            if (layer && (c || ws_depth(h) == 1) && h->shift[layer][d][c][b] == h->shift[layer - 1][d][c][b]) continue;
            ws_fit_reconstruction(details + at, q + at, n, ws_scale_of(h, layer, d, i), c ? luma : 0,
                                  &reconstructions->plane[d][c][b], out);
        }
}

/* What is encoded: quantised coefficients, the means of an approximation, and the details before quantisation (or
 * NULL), to which the reconstruction is fitted; `spare` holds four planes for that. */
typedef struct {
    const int16_t *q, *ll_root, *details;
    int16_t *spare;
    uint32_t flat;
    int16_t *corrections; /* of the samples, NULL: none */
} coefficients;

static int encode_layers(const ws_parameters *h, const ws_address *address, const coefficients *from,
                         const ws_output *output, uint8_t *scratch) {
    uint8_t *out = output->bytes;
    uint32_t capacity = output->capacity;
    for (uint32_t layer = 0; layer < (uint32_t)h->layers; layer++) {
        ws_reconstructions reconstructions = {
            .flat = (uint8_t)from->flat, .corrected = from->corrections != 0, .corrections = from->corrections};
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

/* A tile on its way to coefficients, and their buffers. */
typedef struct {
    const int16_t *samples;
    const ws_parameters *header;
    const ws_address *address;
    const ws_tuning *tuning;
    int16_t *parent, *details, *q, *ll_root, *temporary;
    uint8_t *scratch;
} tile_task;

/* Binary digits of all numbers: about what they cost. */
static uint64_t digits(const int16_t *v, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = (uint32_t)(v[i] < 0 ? -v[i] : v[i]);
        sum += size ? 32 - (uint32_t)__builtin_clz(size) : 0;
    }
    return sum;
}

/* Details and quantised coefficients of the whole tile; returns the digits of the coefficients. */
static uint64_t transform(const tile_task *t, uint32_t flat) {
    const ws_parameters *header = t->header;
    const uint32_t channels = (uint32_t)header->channels;
    const ws_siblings none = ws_alone(header, flat);
    int16_t *low = t->temporary + 4 * WS_HALF * WS_HALF;
    uint64_t cost = 0;
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *in = t->samples + c * WS_TILE * WS_TILE;
        for (uint32_t d = 0; d < ws_depth(header); d++) {
            int n = WS_HALF >> d;
            int16_t *mean =
                d == WS_DEPTH - 1 ? t->ll_root + c * WS_LL_ROOT * WS_LL_ROOT : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            uint32_t at = ws_plane_offset(channels, d, c, 0);
            if (header->kind == WS_DETAILS)
                ws_analyze_plane(in, WS_TILE, WS_HALF,
                                 t->parent + c * WS_TILE * WS_TILE + ws_quadrant_offset(t->address), WS_TILE,
                                 ws_siblings_of(header, t->address, flat), t->details + at, t->temporary);
            else
                ws_analyze_plane(in, 2 * n, n, mean, n, none, t->details + at, t->temporary);
            for (uint32_t b = 0; b < WS_BANDS; b++) {
                uint32_t k = at + b * (uint32_t)(n * n);
                clear_padding(t->details + k, (uint32_t)n, d, b, t->tuning);
                ws_quantize_plane(t->details + k, (uint32_t)n, header->step[d][c][b], t->tuning, t->q + k, t->scratch);
            }
            if (header->profile == WS_LOSSLESS && !ws_deep(header)) cost += digits(t->q + at, 3 * (uint32_t)(n * n));
            in = mean;
        }
    }
    return cost;
}

/* The limit of flat blocks, as coded, that suits the noise of deep samples: about 3.5 standard deviations. The median
 * of second differences of 2 x 2 samples, whose deviation is twice that of the noise, is 1.35 of it. */
static uint32_t flat_of_noise(const int16_t *samples, const ws_tuning *t) {
    uint32_t counts[18] = {0}, total = 0, below = 0, digits = 0, flat = 0;
    for (int32_t y = 0; y + 1 < t->height; y += 8)
        for (int32_t x = 0; x + 1 < t->width; x += 2, total++) {
            const int16_t *a = samples + y * WS_TILE + x, *b = a + WS_TILE;
            const int32_t d = a[0] - a[1] - b[0] + b[1], size = d < 0 ? -d : d;
            counts[size ? 32 - __builtin_clz((uint32_t)size) : 0]++;
        }
    while (digits < 17 && below + counts[digits] <= total / 2) below += counts[digits++];
    if (digits == 0) return 0;
    const uint64_t within = 256u * (uint64_t)(total / 2 - below) / (counts[digits] + 1), /* of its binary digits */
        median = (256 + within) << (digits - 1);                                         /* in 1/256 */
    while (flat < 14 && 100u * 256u * ((uint64_t)3 << flat) <= 368 * median) flat++;
    return flat;
}

/* The difference between the largest and the smallest of some samples. More than any where one is the least there is:
 * the first of a pair is one less before its odd difference is added, so that even a small sum is clamped. */
static int32_t spread(const int16_t *samples, uint32_t width, uint32_t height) {
    int16_t least = samples[0], most = samples[0];
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int16_t v = samples[y * WS_TILE + x];
            least = v < least ? v : least, most = v > most ? v : most;
        }
    return least > INT16_MIN ? most - least : UINT16_MAX;
}

enum { SAFE_BITS = 12, SAFE_SPREAD = 4000 }; /* no sum is clamped (CS49) */

/* What a decoder must add to the samples (CS51), to `corrections`; whether it is anything. `spare` holds a tile. */
static int find_corrections(const tile_task *t, uint32_t flat, int16_t *spare, int16_t *corrections) {
    const ws_parameters *h = t->header;
    const uint32_t details = h->kind == WS_DETAILS, at = ws_quadrant_offset(t->address);
    const uint32_t before = 2 * (t->address->x & 1) + 2 * (t->address->y & 1) * WS_TILE;
    if (h->bit_depth <= SAFE_BITS) return 0;
    if (spread(t->samples, WS_TILE, WS_TILE) <= SAFE_SPREAD &&
        (!details || spread(t->parent + at - before, WS_HALF + 2, WS_HALF + 2) <= SAFE_SPREAD))
        return 0;
    if (details)
        ws_synthesize_plane(t->parent + at, WS_TILE, ws_siblings_of(h, t->address, flat), t->q, ws_whole(WS_HALF),
                            spare, WS_TILE, t->temporary);
    else
        ws_synthesize_approximation(h, t->ll_root, t->q, flat, t->temporary, t->temporary + 4 * WS_HALF * WS_HALF,
                                    spare);
    /* beyond what is shown, as far as other tiles need the samples (clear_padding) */
    const uint32_t right = (uint32_t)t->tuning->width + 4, below = (uint32_t)t->tuning->height + 4;
    int any = 0;
    for (uint32_t i = 0; i < WS_TILE * WS_TILE; i++) {
        const uint32_t needed = i % WS_TILE < right && i / WS_TILE < below;
        corrections[i] = (int16_t)(uint16_t)(needed ? t->samples[i] - spare[i] : 0);
        any |= corrections[i];
    }
    return any != 0;
}

/* Coefficients of the tile by whichever flat limit suits it, and which that is. Whether any is not zero. */
static int choose_flat(const tile_task *t, uint32_t *flat) {
    const ws_parameters *h = t->header;
    const uint32_t count = (uint32_t)h->channels * WS_BANDS * WS_HALF * WS_HALF;
    const int approximation = h->kind == WS_APPROXIMATION, lossless = h->profile == WS_LOSSLESS;
    *flat = lossless && ws_deep(h) ? flat_of_noise(t->samples, t->tuning) : 0;
    const uint64_t cost = transform(t, *flat);
    if (*flat && !approximation && !any_set(t->q, count)) transform(t, *flat = 0);
    if (!approximation && !any_set(t->q, count)) return 0;
    if (lossless && !ws_deep(h)) {
        *flat = transform(t, 1) < cost - cost / 64; /* less may not be fewer bytes */
        if (!*flat) transform(t, 0);
    }
    return 1;
}

/* What lies in the scratch while a tile is encoded: details, coefficients, innermost means, working space: four planes
 * for the analysis and for the fit, two for the means of inner analyses. */
enum {
    DETAILS_AT = WS_WORKSPACE_BYTES,
    COEFFICIENTS_AT = DETAILS_AT + 2 * WS_CHANNELS * WS_TILE * WS_TILE,
    LL_ROOT_AT = COEFFICIENTS_AT + 2 * WS_CHANNELS * WS_TILE * WS_TILE,
    TEMPORARY_AT = LL_ROOT_AT + 2 * WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT,
    TEMPORARY_END = TEMPORARY_AT + 2 * 6 * WS_HALF * WS_HALF
};
_Static_assert(TEMPORARY_END == WS_SCRATCH_BYTES, "the scratch is as large as its parts");

int ws_encode(const int16_t *samples, const ws_parameters *header, const ws_tuning *tuning, int16_t *parent,
              const ws_address *address, const ws_output *output, uint8_t *scratch) {
    int result = ws_check_parameters(header);
    if (result) return result;
    if (ws_check_address(header, address) || ws_check_tuning(tuning)) return WS_ARGUMENT;
    if (tuning->width < 1 || tuning->width > WS_TILE || tuning->height < 1 || tuning->height > WS_TILE)
        return WS_ARGUMENT;
    int16_t *details = (int16_t *)(scratch + DETAILS_AT), *q = (int16_t *)(scratch + COEFFICIENTS_AT);
    int16_t *ll_root = (int16_t *)(scratch + LL_ROOT_AT), *temporary = (int16_t *)(scratch + TEMPORARY_AT);
    const tile_task task = {samples, header, address, tuning, parent, details, q, ll_root, temporary, scratch};
    for (uint32_t l = 0; l < WS_LAYERS; l++) output->sizes[l] = 0;
    coefficients from = {.q = q, .ll_root = ll_root, .details = details, .spare = temporary};
    if (!choose_flat(&task, &from.flat)) return WS_OK;
    if (ws_deep(header) && header->profile == WS_LOSSLESS) {
        int16_t *corrections = q + WS_CORRECTIONS;
        if (find_corrections(&task, from.flat, corrections + WS_TILE * WS_TILE, corrections))
            from.corrections = corrections;
    }
    return encode_layers(header, address, &from, output, scratch);
}
