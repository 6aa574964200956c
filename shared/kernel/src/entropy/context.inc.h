/* Fragment of entropy.c: the context of a coefficient, CS30 to CS33. Eight coefficients at a time, in the lanes of one
 * vector.
 *
 * The causal neighbourhood of the coefficient X:
 *
 *               .  .  NN .  .
 *               .  NW N  NE .        coded before X in this layer: full values
 *               WW W  X  E  .        E, S, SW, SE: values of the layer before, known in layers 1, 2, ...
 *               .  SW S  SE .
 *
 * Beside it, at the place of X and its four neighbours: the bands coded before (HL for LH; HL and LH for HH), and the
 * same band of luma for chroma, of channel 1 for channel 2. Magnitudes give the expected magnitude (a sum, from it a
 * level), signed values the prediction of the sign. `columns` hold a decaying sum of magnitudes per column, for what
 * lies further up. */
#ifndef WS_ENTROPY_CONTEXT
#define WS_ENTROPY_CONTEXT

#include "symbols.inc.h"

enum {
    MARGIN = 8,
    ROWS_ABOVE = 2,
    ROWS_BELOW = 1,
    LEVELS = 20,
    STRENGTH_CLASSES = 4,
    LOW_BIT_LEVELS = 5,
    OFFSET_CLASSES = 5,
    SUM_LIMIT = 2048,
    GROUP = 8,
    GROUPS = WS_HALF / GROUP,
    FLAG_WIDTH = GROUPS + 2,
    MAX_MAGNITUDE = 127,
    MAX_SIGNED = 127,
    MAX_M = 32767, /* of |m| << shift (CS20) */
    PLANES = WS_CHANNELS * WS_BANDS
};
/* Where the models of symbols lie: values [level][strength class], low bits [level / 4][magnitude][offset class],
 * magnitudes [level] of two symbols and of three, sizes. */
enum {
    LOW_BIT_MODELS = LEVELS * STRENGTH_CLASSES,
    MAGNITUDE_MODELS = LOW_BIT_MODELS + LOW_BIT_LEVELS * 3 * OFFSET_CLASSES,
    LARGE_MODELS = MAGNITUDE_MODELS + LEVELS,
    SIZE_MODEL = LARGE_MODELS + LEVELS
};

/* The second models (CS43), of values [level of the prediction][level of the activity / 2] and of low bits
 * [magnitude][offset class]. */
enum {
    ACTIVITY_CLASSES = LEVELS / 2,
    MAX_OLD = 7,
    SECOND_OFFSET_CLASSES = 15,
    SECOND_LOW_BIT_MODELS = LEVELS * ACTIVITY_CLASSES,
    SECOND_MODELS = SECOND_LOW_BIT_MODELS + MAX_OLD * SECOND_OFFSET_CLASSES
};

typedef struct {
    symbol_model symbol[WS_SYMBOL_MODELS];
    bit_model plane, group[3][4];
    symbol_model second[SECOND_MODELS];
} model_set;

_Static_assert(SIZE_MODEL + 1 == WS_SYMBOL_MODELS, "WS_START has values for every model");

/* Weights of the magnitudes around a coefficient, in 1/128: what they add to its expected magnitude. */
typedef struct {
    uint8_t w, ww, n, nw, ne, nn, field; /* its own plane, already coded; field: the decaying sum of seven columns */
    uint8_t e, s, sx;                    /* its own plane, from the layer before (layers 1, 2, ...) */
    uint8_t a, ax, b, bx;                /* the bands before it: at its place, and the four beside that */
} magnitude_weights;

/* Kinds of fitted parameters, each with models of its own (CS46). */
enum { OFFSETS, NEIGHBOURS, LUMA, CROSS_CHANNEL_PREDICTOR, FITTED_KINDS };

/* With one model: what is known of a row before it is coded, and its codes, 2 |m| + (m < 0), in one array. At the
 * beginning are the model references: in layer 0 a row of them for each code of the coefficient to the left below
 * LARGE_CODE, in later layers only one. What follows a last coefficient is written too. */
enum {
    LARGE_CODE = 8,
    ROW_CODES = LARGE_CODE * WS_HALF,
    ROW_SUMS = ROW_CODES + WS_HALF,
    ROW_PREDICTIONS = ROW_SUMS + WS_HALF + GROUP,
    ROW_LENGTH = ROW_PREDICTIONS + WS_HALF + GROUP
};

/* With two models: rows of rescaled signed values that a plane's predictor looks at, those of row y at y % RING with a
 * margin on both sides; the row for which all will be there but the last of each kind; what the row's coefficients are
 * predicted to be. */
enum { OWN, BEFORE, HL, LH, LUMA_CHANNEL, CHROMA_CHANNEL, ROW_KINDS, RING = 4 };
typedef struct {
    int32_t next;
    int16_t values[ROW_KINDS][RING][WS_HALF + 2 * MARGIN];
    uint16_t predictions[WS_HALF];
} signed_rows;

typedef struct {
    model_set sets[2][2]; /* [chroma][HH] */
    bit_model fitted[FITTED_KINDS][16];
    bit_model ll_root[WS_CHANNELS][16], coefficient[16], correction[16];
    uint8_t level_of[SUM_LIMIT];
    uint8_t flags[PLANES][FLAG_WIDTH * FLAG_WIDTH];
    uint16_t columns[WS_HALF + 2 * MARGIN];
    uint16_t row[ROW_LENGTH];
    signed_rows rows;
    uint8_t magnitudes[PLANES][(WS_HALF + 2 * MARGIN) * (WS_HALF + ROWS_ABOVE + ROWS_BELOW)];
} workspace;

_Static_assert(sizeof(workspace) <= (1u << 20), "the workspace has one megabyte of the scratch");

/* [band]: what the signed W, N, E, S let expect, in 1/64. */
static const int8_t SIGN_WEIGHTS[WS_BANDS][4] = {{-20, 12, -18, 11}, {9, -22, 8, -19}, {-12, -15, -11, -13}};

/* [refining layer][chroma][band], fitted to stained tissue (shared/decisions/0001-codec.md). */
static const magnitude_weights WEIGHTS[2][2][WS_BANDS] = {{{{27, 3, 15, 2, 4, 4, 3, 0, 0, 0, 0, 0, 0, 0},
                                                            {17, 6, 25, 2, 5, 1, 2, 0, 0, 0, 4, 2, 0, 0},
                                                            {14, 4, 14, 3, 4, 2, 2, 0, 0, 0, 3, 1, 4, 1}},
                                                           {{14, 6, 16, 9, 10, 7, 1, 0, 0, 0, 0, 0, 0, 0},
                                                            {10, 5, 12, 5, 6, 6, 1, 0, 0, 0, 3, 3, 0, 0},
                                                            {8, 2, 10, 3, 3, 4, 1, 0, 0, 0, 4, 3, 4, 2}}},
                                                          {{{12, 2, 8, 0, 2, 4, 3, 4, 2, 2, 0, 0, 0, 0},
                                                            {9, 5, 11, 0, 2, 1, 2, 2, 4, 0, 2, 2, 0, 0},
                                                            {10, 3, 9, 1, 2, 2, 1, 3, 3, 1, 2, 1, 4, 2}},
                                                           {{20, 7, 14, 6, 8, 7, 2, 6, 11, 6, 0, 0, 0, 0},
                                                            {14, 6, 17, 6, 6, 5, 2, 5, 9, 6, 4, 5, 0, 0},
                                                            {14, 5, 12, 6, 6, 5, 1, 6, 8, 5, 3, 2, 4, 2}}}};

/* The least sum of levels 1, 2, ...: two to an octave of the expected magnitude. */
static const uint16_t LEVEL_FROM[LEVELS - 1] = {1,  2,  4,   6,   8,   12,  16,  24,  32,  48,
                                                64, 96, 128, 192, 256, 384, 512, 768, 1024};

static void init_model_set(model_set *set, const uint16_t *p, int two_models) {
    const uint16_t age = WS_START_AGE[two_models];
    for (uint32_t i = 0; i < WS_SYMBOL_MODELS; i++, p += WS_ESTIMATES) init_model(&set->symbol[i], p, age);
    set->plane = new_bit_model(*p++, age);
    for (uint32_t i = 0; two_models && i < SECOND_MODELS; i++) set->second[i].age = UNUSED_AGE;
    for (uint32_t i = 0; i < 12; i++) set->group[i / 4][i % 4] = new_bit_model(*p++, age);
}

static void init_workspace(workspace *w, uint32_t layer, int two_models) {
    for (uint32_t i = 0; i < 4; i++)
        init_model_set(&w->sets[i / 2][i % 2], WS_START[two_models][layer != 0][i / 2][i % 2], two_models);
    for (uint32_t i = 0; i < WS_CHANNELS * 16; i++) w->ll_root[i / 16][i % 16] = new_bit_model(32768, 0);
    for (uint32_t i = 0; i < 16; i++) w->coefficient[i] = w->correction[i] = new_bit_model(32768, 0);
    for (uint32_t i = 0; i < FITTED_KINDS * 16; i++) w->fitted[i / 16][i % 16] = new_bit_model(32768, 0);
    for (uint32_t level = 0; level < LEVELS; level++) {
        const uint32_t from = level ? LEVEL_FROM[level - 1] : 0,
                       to = level < LEVELS - 1 ? LEVEL_FROM[level] : SUM_LIMIT;
        __builtin_memset(w->level_of + from, (int)level, to - from);
    }
}

enum { MAX_COEFFICIENTS = 22 };

/* One plane (a band of a channel at one depth) as the coder sees it. */
typedef struct {
    int16_t *q;            /* decoding: signed m of the layer before, becomes that of this layer */
    const int16_t *target; /* encoding: the whole quantised coefficients */
    uint8_t *mag;          /* clamped m in units of this layer, with margins of zeros around */
    const uint8_t *a, *b;
    const int16_t *luma;    /* q or target of channel 0's same band */
    const int16_t *chroma;  /* of channel 1's, for channel 2 */
    const int16_t *hl, *lh; /* of the bands before it, for HH */
    const uint8_t *luma_mag;
    uint8_t *flags; /* per group of 8 x 8: may hold something that is not zero; one margin all around */
    const uint8_t *flags_before;
    const magnitude_weights *weights;
    const int8_t *sign_weights;
    model_set *set;
    int8_t luma_predictor[5];              /* of luma's C, W, E, N, S, in 1/512; 0 in channel 0 */
    int8_t coefficients[MAX_COEFFICIENTS]; /* with two models: see lossless.inc.h */
    uint32_t fitted_rows;                  /* encoding: of how many rows one is fitted to, in large planes; 0: no fit */
    uint32_t raw;                          /* bits below `shift` that have no model (CS53) */
    uint32_t has_luma_predictor, side, stride, shift, gain, first, two_models, luma_shift, chroma_shift, hl_shift,
        lh_shift;
} plane;

/* How signed values are read: magnitudes without the lowest `drop` bits, in units 2^up finer, at their middle. */
typedef struct {
    uint16_t drop, up;
} scaling;

WS_INLINE uint32_t minimum(uint32_t a, uint32_t b) { return a < b ? a : b; }
WS_INLINE uint32_t magnitude(int32_t v) { return (uint32_t)(v < 0 ? -v : v); }

WS_INLINE lanes sizes_of(signed_lanes v) {
    const signed_lanes sign = v < 0;
    return (lanes)((v ^ sign) - sign);
}

/* Signed values, clamped to about 255. */
WS_INLINE signed_lanes rescale_signed(lanes v, scaling r) {
    const lanes sign = (lanes)((signed_lanes)v < 0), limit = (lanes){0} + (uint16_t)(MAX_SIGNED >> r.up);
    lanes a = minimum_lanes(((v ^ sign) - sign) >> r.drop, limit);
    a = (a << r.up) + ((uint16_t)((1u << r.up) >> 1) & (lanes)(a != 0));
    return (signed_lanes)((a ^ sign) - sign);
}

/* A row of n signed values, with zeros beside it. */
WS_INLINE void rescale_row(const int16_t *from, uint32_t n, scaling r, int16_t *row) {
    row[MARGIN - 2] = row[MARGIN - 1] = row[MARGIN + n] = 0;
    for (uint32_t x = 0; x < n; x += GROUP)
        store_lanes(row + MARGIN + x, (lanes)rescale_signed(load_lanes(from + x), r));
}

/* Magnitudes without their lowest `drop` bits in units 2^up finer, at most MOST. */
WS_INLINE eight_bytes magnitudes_of(lanes v, uint16_t drop, uint16_t up) {
    const lanes sign = (lanes)((signed_lanes)v < 0), limit = (lanes){0} + (uint16_t)MAX_MAGNITUDE;
    return __builtin_convertvector(
        minimum_lanes(minimum_lanes(((v ^ sign) - sign) >> drop, (limit >> up) + 1) << up, limit), eight_bytes);
}

WS_INLINE lanes cross(const uint8_t *o, uint32_t stride, uint16_t centre, uint16_t beside) {
    return centre * load_bytes(o) +
           beside * (load_bytes(o - stride) + load_bytes(o + stride) + load_bytes(o - 1) + load_bytes(o + 1));
}

/* Weighted magnitudes around eight coefficients of row y from x on, all but those to the left in their own row. */
WS_INLINE lanes context_sums(const plane *p, const int first, uint32_t x, uint32_t y, const uint16_t *columns) {
    const magnitude_weights *k = p->weights;
    const uint32_t at = y * p->stride + x;
    const uint8_t *m = p->mag + at, *n = m - p->stride, *nn = n - p->stride, *s = m + p->stride;
    const uint16_t *c = columns + MARGIN + x;
    const lanes seven = load_lanes(c - 3) + load_lanes(c - 2) + load_lanes(c - 1) + load_lanes(c) + load_lanes(c + 1) +
                        load_lanes(c + 2) + load_lanes(c + 3);
    lanes sums = (uint16_t)k->n * load_bytes(n) + (uint16_t)k->nw * load_bytes(n - 1) +
                 (uint16_t)k->ne * load_bytes(n + 1) + (uint16_t)k->nn * load_bytes(nn) +
                 (uint16_t)k->field * (seven >> 3);
    if (!first)
        sums += (uint16_t)k->e * load_bytes(m + 1) + (uint16_t)k->s * load_bytes(s) +
                (uint16_t)k->sx * (load_bytes(s - 1) + load_bytes(s + 1));
    if (p->a) sums += cross(p->a + at, p->stride, k->a, k->ax);
    if (p->b) sums += cross(p->b + at, p->stride, k->b, k->bx);
    return sums;
}

/* The decaying sums of the columns take in row y: by 3/4 in layer 0, by 1/2 in later ones. */
WS_INLINE void decay_columns(const plane *p, const int first, uint32_t y, workspace *w) {
    const uint8_t *mag = p->mag + y * p->stride;
    uint16_t *columns = w->columns + MARGIN;
    for (uint32_t x = 0; x < p->side; x += GROUP)
        store_lanes(columns + x, (load_lanes(columns + x) * (uint16_t)(first ? 3 : 2) >> 2) + 8 * load_bytes(mag + x));
}

#endif
