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

/* Offsets of the reconstruction points of one plane from m * S, in 1/128 S: [0] for m = 1, [1] for m >= 2. */
typedef struct {
    int8_t offset[WS_DEPTH][WS_CHANNELS][WS_BANDS][2];
} ws_centroids;

WS_INLINE uint32_t ws_depth(const ws_header *header) { return header->kind == WS_APPROXIMATION ? WS_DEPTH : 1; }

/* Where the adaptive models of a band begin: P(1) in 1/65536 for [refining layer][chroma][band] (tables.c). */
enum { WS_SET_MODELS = 390, WS_START_AGE = 6 };
extern const uint16_t WS_START[2][2][WS_BANDS][WS_SET_MODELS];

int ws_check_header(const ws_header *header);

/* One plane [2n][2n] (rows `stride` apart) to means [n][n] and details [3][n][n]; scratch holds 4 n n samples. */
void ws_analyze_plane(const int16_t *in, int stride, int n, int16_t *ll, int16_t *details, int16_t *scratch);
void ws_synthesize_plane(const int16_t *ll, int ll_stride, const int16_t *details, int n, int16_t *out, int stride,
                         int16_t *scratch);

/* Details [n][n] to quantised coefficients of one plane; scratch holds (n + 4)^2 bytes. */
void ws_quantize_plane(const int16_t *in, uint32_t n, int32_t step, const ws_tuning *tuning, int16_t *out,
                       uint8_t *scratch);

/* The best offsets for magnitudes |q| >> shift of a plane. */
void ws_fit_centroids(const int16_t *in, const int16_t *q, uint32_t count, int32_t step, int32_t shift,
                      int8_t offset[2]);

/* Magnitudes at `shift` (signed, in m) to details, in place. */
void ws_dequantize_plane(int16_t *m, uint32_t count, int32_t step, int32_t shift, const int8_t offset[2]);

/* Entropy coding of one layer. `q`: all coefficients; the encoder reads them whole, the decoder finds m of the layer before
 * (signed) and leaves m of this layer. `root`: [channels][16][16] means of an approximation, in layer 0. */
uint32_t ws_encode_layer(const ws_header *header, uint32_t layer, const int16_t *q, const int16_t *root,
                         const ws_centroids *centroids, uint8_t *out, uint32_t capacity, uint8_t *scratch);
void ws_decode_layer(const ws_header *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
                     int16_t *root, ws_centroids *centroids, uint8_t *scratch);

#endif
