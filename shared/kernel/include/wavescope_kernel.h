/* Wavescope kernel: colour, wavelet, quantisation, entropy coding and layers of one 256 x 256 tile.
 *
 * This header is the manual; shared/spec/codestream.md is the format.
 *
 * Use       A slide has a parameter set for each level (CS9). ws_read_parameters() reads it once; every other call of
 * this level gets the result. ws_address says which tile of the level it is. Both are bound into the checksum of each
 * layer: bytes of another slide, level, plane, tile or layer are refused.
 *
 * Memory    The kernel allocates nothing and stores nothing between calls. The caller owns every buffer;
 *           WS_SCRATCH_BYTES and ws_encode_bound() are their sizes. Buffers are aligned to 16 bytes and do not overlap.
 * Threads   Every function is pure: calls on different buffers may run at the same time.
 * Results   WS_OK (0) or a negative ws_result. A failed call leaves its output buffers in an unspecified state.
 * Totality  Every decoder gives samples or a negative result for any bytes whatever; it reads nothing outside
 *           [bytes, bytes + size) and its arithmetic wraps modulo 2^16 where it can overflow, or is clamped (CS49).
 *
 * Planes    samples    int16 [channels][256][256], centred on 0, with `fraction_bits` bits below one pixel step
 *           ll         int16 [channels][128][128], the exact 2 x 2 means of the samples
 *           details    int16 [channels][3][128][128], bands in the order HL, LH, HH
 *           quantised  like details, divided by their steps; -32767..32767
 *           pixels     uint8 [height][width][channels]; of more than 8 bits uint16, of signed samples int8 or int16,
 *                      little-endian
 */
#ifndef WAVESCOPE_KERNEL_H
#define WAVESCOPE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WS_VERSION_MAJOR = 1,
    WS_VERSION_MINOR = 1,
#ifdef WS_SMALL_TILES /* for the fuzzer only: the same code on 64 x 64 runs many times faster */
    WS_TILE = 64,
    WS_DEPTH = 2,
#else
    WS_TILE = 256,
    WS_DEPTH = 4, /* analyses inside an approximation: 256 -> 128 -> 64 -> 32 -> 16 */
#endif
    WS_HALF = WS_TILE / 2,
    WS_LL_ROOT = 16, /* side of the innermost means of an approximation */
    WS_CHANNELS = 3,
    WS_BANDS = 3,
    WS_LAYERS = 4 /* most layers of a block */
};

typedef enum {
    WS_OK = 0,
    WS_TRUNCATED = -1,             /* the bytes end before the layer or the parameter set does */
    WS_MAGIC = -2,                 /* not a parameter set of this format */
    WS_NEWER = -3,                 /* a version this reader does not know */
    WS_CHECKSUM = -4,              /* damaged, or a layer of another slide, level, plane, tile or index */
    WS_ORDER = -5,                 /* more layers than the parameter set says, or no layer at all */
    WS_BINDING = -6,               /* an undamaged block of another tile of this level */
    WS_HEADER = -7,                /* a field outside its limits */
    WS_UNSUPPORTED = -8,           /* a profile, colour or field that this version does not implement */
    WS_SPACE = -9,                 /* the output buffer is too small */
    WS_ARGUMENT = -10,             /* a caller's mistake */
    WS_KIND = -11,                 /* details where an approximation belongs, or the reverse */
    WS_UNSUPPORTED_CHANNELS = -12, /* a number of channels or of channel groups that is not implemented */
    WS_UNSUPPORTED_DEPTH = -13,    /* a bit depth or signed samples that are not implemented */
    WS_UNSUPPORTED_TILE = -14      /* a tile of another size */
} ws_result;

enum { WS_DETAILS = 0, WS_APPROXIMATION = 1 };
enum { WS_LOSSLESS = 0, WS_VISUAL = 1 };

/* Colour transforms. MATRIX is orthonormal and lossy, STABILISED (one channel) makes noise equal; the others are
 * reversible (C: which channel is the centre). */
enum {
    WS_GREY = 0,
    WS_MATRIX = 1,
    WS_YCOCG_G = 2,
    WS_YCOCG_R = 3,
    WS_YCOCG_B = 4,
    WS_SUBTRACT_G = 5,
    WS_SUBTRACT_R = 6,
    WS_SUBTRACT_B = 7,
    WS_STABILISED = 8
};

/* What a parameter set says (CS9) of the blocks of a level, or of an approximation; `channels` of the group. All fields
 * int32 so that hosts can read it as one array. */
typedef struct {
    int32_t kind, profile, channels, bit_depth, is_signed, fraction_bits, colour, layers;
    int32_t level, groups, group;
    int32_t seed;       /* the CRC-32C of the parameter set, where the checksum of each layer begins (CS6) */
    int32_t inverse[9]; /* WS_MATRIX: RGB from channels, Q14, row-major. Reversible: [0..2] predict channel 1 from 0, */
                        /* 2 from 0 and 2 from 1, in 1/16. Stabilised: the noise model (CS52). Grey: 0 */
    /* By analysis: [0] is the finest; details have only that one. */
    int32_t shift[WS_LAYERS][WS_DEPTH][WS_CHANNELS][WS_BANDS]; /* low bits of q a layer leaves to later ones; last 0 */
    int32_t step[WS_DEPTH][WS_CHANNELS][WS_BANDS];
} ws_parameters;

/* Which tile of the level: plane z (0..4095), column x and row y (0..65535); an approximation has x = y = 0. */
typedef struct {
    uint32_t z, x, y;
} ws_address;

/* What only an encoder needs. */
typedef struct {
    int32_t forward[9];    /* channels from RGB, Q14, row-major, -32767..32767; unused unless WS_MATRIX */
    int32_t dead_zone;     /* rounding offset of the quantiser in 1/256 step, 0..256; 128 rounds to nearest */
    int32_t lambda;        /* rate-distortion optimisation, 1/256 step^2 per bit, 0..65535; 0: none */
    int32_t width, height; /* of the part that is ever shown, top left: what only padding needs is not coded */
} ws_tuning;

/* What an encoder fills. */
typedef struct {
    uint8_t *bytes;    /* the layers, one after another; also working space, aligned to 16 bytes */
    uint32_t capacity; /* of `bytes`; in ws_encode_bound() every stream fits */
    uint32_t *sizes;   /* [WS_LAYERS] lengths of the layers; all 0 if every quantised coefficient is 0 */
} ws_output;

/* A part of a tile, at least one sample, and where its pixels go: [height][width][channels]. */
typedef struct {
    uint32_t x, y, width, height;
    uint8_t *pixels;
} ws_window;

/* Bytes of scratch that every function with a `scratch` argument needs: the entropy coder's, details and coefficients
 * of a tile, the innermost means, six planes of working space. */
#define WS_WORKSPACE_BYTES (1u << 20)
#define WS_SCRATCH_BYTES                                                                                               \
    (WS_WORKSPACE_BYTES +                                                                                              \
     2u * (2 * WS_CHANNELS * WS_TILE * WS_TILE + WS_CHANNELS * WS_LL_ROOT * WS_LL_ROOT + 6 * WS_HALF * WS_HALF))
uint32_t ws_scratch_bytes(void);

/* Bytes of the structures above in this build, for hosts that do not read this header: addresses have 4 bytes in wasm.
 */
uint32_t ws_parameters_bytes(void);
uint32_t ws_address_bytes(void);
uint32_t ws_tuning_bytes(void);
uint32_t ws_output_bytes(void);
uint32_t ws_window_bytes(void);

/* The most bytes of a layer, its length included, that a reader accepts (CS7). */
#define WS_MAX_LAYER_BYTES ((2u << 20) + 4)

/* In so many bytes every stream fits: what an encoder needs on its way, and the longest block that a reader accepts. */
uint32_t ws_encode_bound(void);

uint32_t ws_crc32c(const uint8_t *bytes, uint32_t size);

/* Pixels (1..256 wide and high, inside the slide) to samples; the rest of the tile repeats the last column and row
 * (until ws_extend). WS_ARGUMENT if a pixel has more bits than the parameters say. */
int ws_samples_from_pixels(const uint8_t *pixels, uint32_t width, uint32_t height, const ws_parameters *parameters,
                           const ws_tuning *tuning, int16_t *samples);

/* Fills what a tile has beyond its first width x height samples (1..256 each): what is outside the slide, or where a
 * parent has no child. Samples inside continue there without details, at this level and the next ones above, so that
 * nearly nothing of it is coded. `above`: how many levels are above the tile; 0 is the top one, whose innermost means
 * are coded otherwise. All encoders of a slide's tiles must do the same; a decoder does not know. */
int ws_extend(int16_t *samples, uint32_t channels, uint32_t width, uint32_t height, uint32_t above, uint8_t *scratch);

/* The top left width x height samples to pixels with `components` bytes each: 1 (grey), 3 (RGB) or 4 (RGBA, opaque).
 * Grey samples of 8 unsigned bits fill three components if asked to; colour samples cannot be given as one, other
 * depths as nothing else: uint16, int8 or int16, little-endian. */
int ws_pixels_from_samples(const int16_t *samples, const ws_parameters *parameters, uint32_t width, uint32_t height,
                           uint32_t components, uint8_t *pixels);

/* The means alone, for the tile's parent: int16 [channels][128][128]. */
int ws_means(const int16_t *samples, uint32_t channels, int16_t *ll);

/* One analysis of a tile without siblings: samples [channels][256][256] to means and details. Sums are clamped (CS49);
 * where none is, as in a tile that spans at most 8000, it is exactly reversible. */
int ws_analyze(const int16_t *samples, uint32_t channels, int16_t *ll, int16_t *details, uint8_t *scratch);

/* The inverse; ll is [channels][128][128]. */
int ws_synthesize(const int16_t *ll, const int16_t *details, uint32_t channels, int16_t *samples, uint8_t *scratch);

/* Reads and checks a parameter set (CS9 to CS11). */
int ws_read_parameters(const uint8_t *bytes, uint32_t size, ws_parameters *parameters);

/* Analyze, quantise and encode. WS_DETAILS: the tile is in quadrant (x mod 2, y mod 2) of `parent` (samples); this
 * quadrant receives the means; of its siblings the two rows and columns next to it are read. WS_APPROXIMATION: `parent`
 * may be NULL. */
int ws_encode(const int16_t *samples, const ws_parameters *parameters, const ws_tuning *tuning, int16_t *parent,
              const ws_address *address, const ws_output *output, uint8_t *scratch);

/* Encode coefficients that are already quantised (kind WS_DETAILS only). */
int ws_encode_quantised(const int16_t *quantised, const ws_parameters *parameters, const ws_address *address,
                        const ws_output *output, uint8_t *scratch);

/* The address in the bytes of layer 0, for readers that do not know it. Its checksum is not checked. */
int ws_read_address(const uint8_t *bytes, uint32_t size, const ws_parameters *parameters, ws_address *address);

/* `bytes` are K >= 1 layers of the block at `address`, concatenated in order from layer 0; nothing may follow. */
int ws_decode_block(const ws_parameters *parameters, const ws_address *address, const uint8_t *bytes, uint32_t size,
                    int16_t *quantised, uint8_t *scratch);

/* The tile in quadrant (x mod 2, y mod 2) of `parent` (samples), refined by its block; size 0 is an empty block. Of the
 * other quadrants the two rows and columns next to this one are read. */
int ws_decode_tile(const int16_t *parent, const ws_parameters *parameters, const ws_address *address,
                   const uint8_t *bytes, uint32_t size, int16_t *samples, uint8_t *scratch);

/* The pixels of a window of the tile that ws_decode_tile() makes of the same arguments, exactly as
 * ws_pixels_from_samples() gives them. The block is read whole and checked; of the samples only the rows and columns
 * that the window needs are made. */
int ws_decode_window(const int16_t *parent, const ws_parameters *parameters, const ws_address *address,
                     const uint8_t *bytes, uint32_t size, const ws_window *window, uint8_t *scratch);

int ws_decode_approximation(const ws_parameters *parameters, const ws_address *address, const uint8_t *bytes,
                            uint32_t size, int16_t *samples, uint8_t *scratch);

/* Mixing of channels (channels.md). `sums` are int16 [count][4], red, green, blue and alpha of each pixel before they
 * are clipped; those of 64 channels fit. Each pixel's sample adds an entry of `table`, int16 [256 or 65536][4], chosen
 * by the sample less `least`, modulo the length of the table; `bytes` of a sample are 1 or 2 (little-endian). Entries
 * that no sample has need not be there. */
int ws_mix_add(int16_t *sums, const uint8_t *samples, uint32_t bytes, int32_t least, const int16_t *table,
               uint32_t count);

/* RGBA of the sums, each component 0..255. */
int ws_mix_clip(const int16_t *sums, uint32_t count, uint8_t *pixels);

#ifdef __cplusplus
}
#endif
#endif
