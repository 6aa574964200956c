/* What the kernel's files share among themselves. */
#ifndef WS_INTERNAL_H
#define WS_INTERNAL_H

#include "wavescope_kernel.h"

#define WS_INLINE static inline __attribute__((always_inline))

/* Where plane (channel, band) of inner analysis `depth` lies among the coefficients of a codestream. */
WS_INLINE uint32_t ws_plane_offset(uint32_t channels, uint32_t depth, uint32_t channel, uint32_t band) {
    uint32_t base = 0;
    for (uint32_t i = 0; i < depth; i++) base += channels * WS_BANDS * (WS_HALF >> i) * (WS_HALF >> i);
    return base + (channel * WS_BANDS + band) * (WS_HALF >> depth) * (WS_HALF >> depth);
}

/* How the details of one plane are rebuilt from m: codestream.md, CS36 and CS37. */
typedef struct {
    int8_t offset[2];                 /* of |m| = 1 and of |m| > 1, in 1/128 S */
    int8_t neighbours[2][2];          /* [m is 0, is not][of W + E, of N + S], in 1/128 */
    int8_t luma[5];                   /* of luma's C, W, E, N, S where m is 0, in 1/512 */
    uint8_t has_neighbours, has_luma; /* whether `around` and `luma` are there; without they are 0 */
    uint8_t filled;                   /* decoding: whether any m may differ from 0 */
} ws_reconstruction;

typedef struct {
    ws_reconstruction plane[WS_DEPTH][WS_CHANNELS][WS_BANDS];
    uint8_t flat;         /* lossless: which differences of means predict none (CS47, CS50), as coded */
    uint8_t corrected;    /* deep and lossless: whether samples need the corrections (CS51) */
    int16_t *corrections; /* of every sample; a decoder with NULL does not read them */
} ws_reconstructions;

/* Whether samples have more than 8 bits: sums are clamped instead of wrapped (CS49), CS50 and CS51 hold. */
WS_INLINE int ws_deep(const ws_parameters *header) { return header->bit_depth > 8; }

/* The largest differences of means that predict none, 0: all predict (CS47, CS50). */
WS_INLINE uint16_t ws_flat_limit(const ws_parameters *header, uint32_t flat) {
    if (!ws_deep(header)) return flat ? 8 : 0;
    const uint32_t limit = flat ? 3u << (flat - 1) : 0;
    return (uint16_t)(limit < 32767 ? limit : 32767);
}

/* The place of corrections among the coefficients of a tile: behind those of its only channel. */
enum { WS_CORRECTIONS = WS_TILE * WS_TILE };

/* a x = b by elimination for n normal equations; rows hold b in their last place. */
void ws_solve(float *rows, int n, float *x);

/* A fitted number as int8, rounded, at most 127 either way. What a singular fit leaves undefined (NaN) is 0. */
WS_INLINE int8_t ws_fitted(float v) {
    return (int8_t)(v < -127 ? -127 : v > 127 ? 127 : v < 0 ? v - 0.5f : v >= 0 ? v + 0.5f : 0);
}

/* Whether an encoder's tuning is inside its limits, which keep its integer arithmetic exact. */
int ws_check_tuning(const ws_tuning *tuning);

WS_INLINE uint32_t ws_depth(const ws_parameters *header) { return header->kind == WS_APPROXIMATION ? WS_DEPTH : 1; }

/* Whether symbols have two models and planes predictor coefficients (CS41): in the lossless profile, and on coarse
 * levels, whose few blocks are part of every view. */
enum { WS_COARSE_LEVEL = 2 };
WS_INLINE int ws_two_models(const ws_parameters *header) {
    return header->profile == WS_LOSSLESS || header->level >= WS_COARSE_LEVEL;
}

/* Where a set of models begins, in 1/65536, for [two models][refining layer][chroma][HH] (tables.c): WS_ESTIMATES of
 * P(symbol > i) for every model of symbols, then P(1) of thirteen bits; and the age, by [two models]. */
enum { WS_SYMBOL_MODELS = 196, WS_ESTIMATES = 7, WS_SET_STARTS = WS_SYMBOL_MODELS * WS_ESTIMATES + 13 };
static const uint16_t WS_START_AGE[2] = {28, 12};
extern const uint16_t WS_START[2][2][2][2][WS_SET_STARTS];

int ws_check_parameters(const ws_parameters *header);

/* The CRC-32C of the bytes of which `before` is the CRC-32C, followed by these. */
uint32_t ws_crc32c_from(uint32_t before, const uint8_t *bytes, uint32_t size);

/* Columns [left, right) and rows [top, bottom) of a plane of n x n; left and right are multiples of 8. */
typedef struct {
    uint32_t n, left, right, top, bottom;
} ws_part;

WS_INLINE ws_part ws_whole(uint32_t n) { return (ws_part){n, 0, n, 0, n}; }

/* The part grown by `rows` above and below and by 8 columns on both sides, as far as the plane goes. */
WS_INLINE ws_part ws_grown(ws_part p, uint32_t rows) {
    p.left -= p.left ? 8 : 0, p.right += p.right < p.n ? 8 : 0;
    p.top -= p.top < rows ? p.top : rows, p.bottom += p.n - p.bottom < rows ? p.n - p.bottom : rows;
    return p;
}

/* The sides on which a plane has siblings whose means the parent holds, never both left and right; the largest
 * differences of means that predict none (CS47); and whether sums are clamped (CS49). */
typedef struct {
    uint8_t left, right, above, below, clamped;
    uint16_t flat;
} ws_siblings;

/* A plane without siblings, with `flat` as coded. */
WS_INLINE ws_siblings ws_alone(const ws_parameters *header, uint32_t flat) {
    return (ws_siblings){.clamped = (uint8_t)ws_deep(header), .flat = ws_flat_limit(header, flat)};
}

/* One plane [2n][2n] (rows `stride` apart) to means [n][n] and details [3][n][n]; scratch holds 4 n n samples. Two more
 * means are read on each side that has `siblings`. */
void ws_analyze_plane(const int16_t *in, int stride, int n, int16_t *ll, int ll_stride, ws_siblings siblings,
                      int16_t *details, int16_t *scratch);
/* Of the samples, two by two, those whose means lie in `part`; reads the details of the part grown by two rows. */
void ws_synthesize_plane(const int16_t *ll, int ll_stride, ws_siblings siblings, const int16_t *details, ws_part part,
                         int16_t *out, int stride, int16_t *scratch);

/* Details [n][n] to quantised coefficients of one plane; scratch holds (n + 4)^2 bytes. */
void ws_quantize_plane(const int16_t *in, uint32_t n, int32_t step, const ws_tuning *tuning, int16_t *out,
                       uint8_t *scratch);

/* What a unit of m of a plane is worth in a layer, and whether sums are clamped (CS49). */
typedef struct {
    int32_t step, shift, clamped;
} ws_scale;

/* Plane i (channel i / 3, band i % 3) of a depth. */
WS_INLINE ws_scale ws_scale_of(const ws_parameters *h, uint32_t layer, uint32_t depth, uint32_t i) {
    return (ws_scale){h->step[depth][i / 3][i % 3], h->shift[layer][depth][i / 3][i % 3], ws_deep(h)};
}

/* The best reconstruction of a plane's magnitudes |q| >> shift, and with it its details as a decoder gets them, to
 * `reconstructed`.
 * `luma`: channel 0's same band as rebuilt, NULL for channel 0 itself. */
void ws_fit_reconstruction(const int16_t *in, const int16_t *q, uint32_t n, ws_scale scale, const int16_t *luma,
                           ws_reconstruction *r, int16_t *reconstructed);

/* m (signed, at `shift`) of a part of a plane to details, in place; what is beside the part changes too. `luma` is
 * rebuilt in the part grown by one row. */
void ws_reconstruct_plane(int16_t *m, ws_part part, ws_scale scale, const int16_t *luma, const ws_reconstruction *r);

/* An approximation from the details of all its analyses; `low` has room for two planes, `temporary` for four. */
void ws_synthesize_approximation(const ws_parameters *header, const int16_t *ll_root, const int16_t *details,
                                 uint32_t flat, int16_t *temporary, int16_t *low, int16_t *samples);

/* Entropy coding of one layer. `q`: all coefficients; the encoder reads them whole, the decoder finds m of the layer
 * before (signed) and leaves m of this layer. `root`: [channels][16][16] means of an approximation, in layer 0. */
uint32_t ws_encode_layer(const ws_parameters *header, uint32_t layer, const int16_t *q, const int16_t *root,
                         const ws_reconstructions *reconstructions, uint8_t *out, uint32_t capacity, uint8_t *scratch);
void ws_decode_layer(const ws_parameters *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
                     int16_t *root, ws_reconstructions *reconstructions, uint8_t *scratch);

#endif
