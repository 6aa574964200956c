/* Context modelling of one layer. The decoder and the encoder are one text: code_bit() reads or writes, everything
 * around it is the same, so the two cannot drift apart. codestream.md, section 5, is this file in words. */
#include "coder.h"

enum { MARGIN = 8, ROWS_ABOVE = 2, ROWS_BELOW = 1, LEVELS = 28, MORE_LEVELS = 14, UNARY = 14, SUMS = 2048, GROUP = 8,
       GROUPS = WS_HALF / GROUP, FLAG_WIDTH = GROUPS + 2, MOST = 127, PLANES = WS_CHANNELS * WS_BANDS };

typedef struct {
    model plane, group[3][4], zero[LEVELS], more[MORE_LEVELS][UNARY], sign[27], low[MORE_LEVELS][3][3];
} model_set;

_Static_assert(sizeof(model_set) == WS_SET_MODELS * sizeof(model), "WS_START has a value for every model");

/* Weights of the magnitudes around a coefficient, in 1/128: what they add to its expected magnitude. */
typedef struct {
    uint8_t w, ww, n, nw, ne, nn, field; /* its own plane, already coded; field: the decaying sum of seven columns */
    uint8_t e, s, sx;                    /* its own plane, from the layer before (layers 1, 2, ...) */
    uint8_t a, ax, b, bx;                /* the bands before it: at its place, and the four beside that */
    uint8_t luma;                        /* the same band of channel 0 */
} weights;

typedef struct {
    model_set sets[WS_CHANNELS][WS_BANDS];
    model root[WS_CHANNELS][16];
    uint8_t level_of[SUMS / 2];
    uint8_t flags[PLANES][FLAG_WIDTH * FLAG_WIDTH];
    uint16_t columns[WS_HALF + 2 * MARGIN];
    uint16_t sums[WS_HALF];
    uint8_t magnitudes[PLANES][(WS_HALF + 2 * MARGIN) * (WS_HALF + ROWS_ABOVE + ROWS_BELOW)];
} workspace;

_Static_assert(sizeof(workspace) <= (1u << 20), "the workspace has one megabyte of the scratch");

/* [refining layer][chroma][band], fitted to stained tissue (shared/decisions/0001-codec.md). */
static const weights WEIGHTS[2][2][WS_BANDS] = {
    {{{27, 3, 15, 2, 4, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0},
      {17, 6, 25, 2, 5, 1, 2, 0, 0, 0, 4, 2, 0, 0, 0},
      {14, 4, 14, 3, 4, 2, 2, 0, 0, 0, 3, 1, 4, 1, 0}},
     {{14, 6, 16, 9, 10, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0},
      {10, 5, 12, 5, 6, 6, 1, 0, 0, 0, 3, 3, 0, 0, 0},
      {8, 2, 10, 3, 3, 4, 1, 0, 0, 0, 4, 3, 4, 2, 0}}},
    {{{12, 2, 8, 0, 2, 4, 3, 4, 2, 2, 0, 0, 0, 0, 0},
      {9, 5, 11, 0, 2, 1, 2, 2, 4, 0, 2, 2, 0, 0, 0},
      {10, 3, 9, 1, 2, 2, 1, 3, 3, 1, 2, 1, 4, 2, 0}},
     {{20, 7, 14, 6, 8, 7, 2, 6, 11, 6, 0, 0, 0, 0, 0},
      {14, 6, 17, 6, 6, 5, 2, 5, 9, 6, 4, 5, 0, 0, 0},
      {14, 5, 12, 6, 6, 5, 1, 6, 8, 5, 3, 2, 4, 2, 0}}}};

/* The least sum of levels 1, 2, ...: three to an octave of the expected magnitude. */
static const uint16_t LEVEL_FROM[LEVELS - 1] = {1,  2,  3,  4,  6,  8,  11,  14,  18,  23,  29,  37,  47, 59,
                                                75, 95, 120, 151, 190, 240, 302, 381, 480, 605, 762, 960, 1210};

static void prepare(workspace *w, uint32_t layer) {
    for (uint32_t i = 0; i < PLANES; i++) {
        model *m = (model *)&w->sets[i / 3][i % 3];
        const uint16_t *p = WS_START[layer != 0][i / 3 != 0][i % 3];
        for (uint32_t k = 0; k < WS_SET_MODELS; k++) m[k] = new_model(p[k], WS_START_AGE);
    }
    for (uint32_t i = 0; i < WS_CHANNELS * 16; i++) w->root[i / 16][i % 16] = new_model(32768, 0);
    uint32_t level = 0;
    for (uint32_t i = 0; i < SUMS / 2; i++) {
        while (level < LEVELS - 1 && 2 * i >= LEVEL_FROM[level]) level++;
        w->level_of[i] = (uint8_t)level;
    }
}

/* One plane (a band of a channel at one depth) as the coder sees it. */
typedef struct {
    int16_t *q;              /* decoding: signed m of the layer before, becomes that of this layer */
    const int16_t *target;   /* encoding: the whole quantised coefficients */
    uint8_t *mag;            /* clamped m in units of this layer, with margins of zeros around */
    const uint8_t *a, *b, *luma;
    const int16_t *luma_q;
    uint8_t *flags;          /* per group of 8 x 8: may hold something that is not zero; one margin all around */
    const uint8_t *flags_before;
    const weights *weigh;
    model_set *set;
    uint32_t side, stride, shift, gain, first;
} plane;

WS_INLINE uint32_t minimum(uint32_t a, uint32_t b) { return a < b ? a : b; }
WS_INLINE uint32_t magnitude(int32_t v) { return (uint32_t)(v < 0 ? -v : v); }

static void add_cross(uint16_t *sums, const uint8_t *o, uint32_t side, uint32_t stride, uint32_t centre, uint32_t beside) {
    const uint8_t *n = o - stride, *s = o + stride;
    for (uint32_t x = 0; x < side; x++)
        sums[x] = (uint16_t)(sums[x] + centre * o[x] + beside * (uint16_t)(n[x] + s[x] + o[(int)x - 1] + o[x + 1]));
}

/* Weighted magnitudes around every coefficient of a row, all but those of its own row to the left. */
static void sum_row(const plane *p, uint32_t y, const uint16_t *columns, uint16_t *restrict sums) {
    const weights *k = p->weigh;
    const uint8_t *m = p->mag + y * p->stride, *n = m - p->stride, *nn = n - p->stride, *s = m + p->stride;
    const uint16_t *col = columns + MARGIN;
    const uint32_t side = p->side, at = y * p->stride;
    const uint16_t kn = k->n, knw = k->nw, kne = k->ne, knn = k->nn, field = k->field;
    for (uint32_t x = 0; x < side; x++) {
        uint16_t seven = (uint16_t)(col[(int)x - 3] + col[(int)x - 2] + col[(int)x - 1] + col[x] + col[x + 1] + col[x + 2] +
                                    col[x + 3]);
        sums[x] = (uint16_t)(kn * n[x] + knw * n[(int)x - 1] + kne * n[x + 1] + knn * nn[x] + field * (seven >> 3));
    }
    if (!p->first) {
        const uint16_t ke = k->e, ks = k->s, ksx = k->sx;
        for (uint32_t x = 0; x < side; x++)
            sums[x] = (uint16_t)(sums[x] + ke * m[x + 1] + ks * s[x] + ksx * (uint16_t)(s[(int)x - 1] + s[x + 1]));
    }
    if (p->a) add_cross(sums, p->a + at, side, p->stride, k->a, k->ax);
    if (p->b) add_cross(sums, p->b + at, side, p->stride, k->b, k->bx);
    if (p->luma && k->luma)
        for (uint32_t x = 0; x < side; x++) sums[x] = (uint16_t)(sums[x] + k->luma * p->luma[at + x]);
}

/* The decaying sums of the columns take in row y: by 3/4 a row in layer 0, by 1/2 in later ones. */
static void add_row(const plane *p, uint32_t y, uint16_t *columns) {
    const uint8_t *m = p->mag + y * p->stride;
    uint16_t *col = columns + MARGIN;
    const uint16_t keep = p->first ? 3 : 2;
    for (uint32_t x = 0; x < p->side; x++) col[x] = (uint16_t)(((uint16_t)(col[x] * keep) >> 2) + 8 * m[x]);
}

WS_INLINE uint32_t sign_class(int32_t v) { return v == 0 ? 0 : v < 0 ? 1 : 2; }

/* A magnitude above zero, at most `limit` (0: no limit), in unary with an escape. */
WS_INLINE uint32_t code_magnitude(coder *c, const int encoding, model *more, uint32_t limit, uint32_t value) {
    uint32_t m = 1;
    while (m != limit) {
        if (m > UNARY) return m + code_golomb(c, encoding, 0, encoding ? value - m : 0);
        if (!code_bit(c, encoding, &more[m - 1], value > m)) return m;
        m++;
    }
    return m;
}

/* The low bits of a coefficient that was not zero before. Returns its magnitude. */
WS_INLINE uint32_t code_low(coder *c, const int encoding, const plane *p, uint32_t level, uint32_t old, uint32_t value) {
    model(*low)[3] = &p->set->low[level >> 1][old > 2 ? 2 : old - 1];
    uint32_t m = old;
    for (uint32_t i = 0; i < p->gain; i++)
        m = m << 1 | code_even_bit(c, encoding, &(*low)[i > 2 ? 2 : i], value >> (p->gain - 1 - i) & 1);
    return m;
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays in
 * registers; W and WW are carried along for the same reason. */
WS_INLINE void code_row(coder *shared, const int encoding, const int first, const plane *p, uint32_t y,
                        const uint8_t *flag, const workspace *w) {
    coder c = *shared;
    model_set *const set = p->set;
    const uint32_t kw = p->weigh->w, kww = p->weigh->ww, limit = first ? 0 : (1u << p->gain) - 1, side = p->side;
    const int16_t *const signs = encoding ? p->target + y * side : p->q + y * side;
    const int16_t *const luma_signs = p->luma_q ? p->luma_q + y * side : 0;
    const uint8_t *const luma = p->luma ? p->luma + y * p->stride : 0;
    int16_t *const row = encoding ? 0 : p->q + y * side;
    uint8_t *const mag = p->mag + y * p->stride;
    for (uint32_t gx = 0; gx < side / GROUP; gx++) {
        if (!flag[gx]) continue;
        uint32_t west = mag[(int)(gx * GROUP) - 1], far_west = mag[(int)(gx * GROUP) - 2];
        for (uint32_t x = gx * GROUP; x < (gx + 1) * GROUP; x++) {
            const uint32_t level = w->level_of[minimum(w->sums[x] + kw * west + kww * far_west, SUMS - 1) >> 1];
            uint32_t value = 0, old = 0, negative = 0, m = 0;
            if (encoding) {
                value = magnitude(signs[x]) >> p->shift, negative = signs[x] < 0;
                old = first ? 0 : value >> p->gain;
            } else if (!first) {
                old = magnitude(row[x]), negative = row[x] < 0;
            }
            if (old) {
                m = code_low(&c, encoding, p, level, old, value);
            } else if (code_bit(&c, encoding, &set->zero[level], value != 0)) {
                m = code_magnitude(&c, encoding, set->more[level >> 1], limit, value);
                uint32_t around = west ? sign_class(signs[(int)x - 1]) : 0;
                if (mag[(int)x - (int)p->stride]) around += 3 * sign_class(signs[(int)x - (int)side]);
                if (luma && luma[x]) around += 9 * sign_class(luma_signs[x]);
                negative = code_even_bit(&c, encoding, &set->sign[around], negative);
            }
            const int16_t result = (int16_t)((m ^ (0u - negative)) + negative);
            if (!encoding) row[x] = result;
            far_west = west, west = minimum(magnitude(result), MOST);
            mag[x] = (uint8_t)west;
        }
    }
    *shared = c;
}

#define WS_APART static __attribute__((noinline)) void

WS_APART encode_first(coder *c, const plane *p, uint32_t y, const uint8_t *flag, const workspace *w) {
    code_row(c, 1, 1, p, y, flag, w);
}
WS_APART encode_later(coder *c, const plane *p, uint32_t y, const uint8_t *flag, const workspace *w) {
    code_row(c, 1, 0, p, y, flag, w);
}
WS_APART decode_first(coder *c, const plane *p, uint32_t y, const uint8_t *flag, const workspace *w) {
    code_row(c, 0, 1, p, y, flag, w);
}
WS_APART decode_later(coder *c, const plane *p, uint32_t y, const uint8_t *flag, const workspace *w) {
    code_row(c, 0, 0, p, y, flag, w);
}

static uint32_t group_value(const plane *p, uint32_t y, uint32_t x) {
    uint32_t any = 0;
    for (uint32_t j = 0; j < GROUP; j++)
        for (uint32_t i = 0; i < GROUP; i++) any |= magnitude(p->target[(y + j) * p->side + x + i]);
    return any >> p->shift != 0;
}

/* The flags of a row of groups; a group that held something before is not asked. Returns whether any is set. */
WS_INLINE uint32_t code_flags(coder *c, const int encoding, const plane *p, uint32_t gy) {
    uint8_t *flag = p->flags + (gy + 1) * FLAG_WIDTH + 1;
    uint32_t any = 0;
    for (uint32_t gx = 0; gx < p->side / GROUP; gx++) {
        if (!flag[gx]) {
            uint32_t around = flag[(int)gx - 1] + flag[(int)gx - FLAG_WIDTH] + flag[(int)gx + 1 - FLAG_WIDTH];
            uint32_t other = p->flags_before ? 1u + p->flags_before[(gy + 1) * FLAG_WIDTH + 1 + gx] : 0;
            uint32_t active = encoding ? group_value(p, gy * GROUP, gx * GROUP) : 0;
            flag[gx] = (uint8_t)code_bit(c, encoding, &p->set->group[other][around], active);
        }
        any |= flag[gx];
    }
    return any;
}

/* A plane that was announced as not empty, in rows of groups. */
WS_INLINE void code_plane(coder *c, const int encoding, const plane *p, workspace *w) {
    for (uint32_t x = 0; x < WS_HALF + 2 * MARGIN; x++) w->columns[x] = 0;
    for (uint32_t gy = 0; gy < p->side / GROUP; gy++) {
        const uint8_t *flag = p->flags + (gy + 1) * FLAG_WIDTH + 1;
        if (!code_flags(c, encoding, p, gy)) {
            for (uint32_t x = 0; x < p->side; x++) w->columns[MARGIN + x] = 0;
            continue;
        }
        for (uint32_t y = gy * GROUP; y < (gy + 1) * GROUP; y++) {
            sum_row(p, y, w->columns, w->sums);
            (encoding ? p->first ? encode_first : encode_later : p->first ? decode_first : decode_later)(c, p, y, flag, w);
            add_row(p, y, w->columns);
        }
    }
}

/* Magnitudes and group flags as the layer before left them, in units of this layer. */
static void load_plane(const plane *p, const int encoding) {
    const uint32_t n = p->side;
    uint8_t *start = p->mag - ROWS_ABOVE * p->stride - MARGIN;
    for (uint32_t i = 0; i < (n + ROWS_ABOVE + ROWS_BELOW) * p->stride; i++) start[i] = 0;
    for (uint32_t i = 0; i < FLAG_WIDTH * FLAG_WIDTH; i++) p->flags[i] = 0;
    if (p->first) {
        for (uint32_t i = 0; !encoding && i < n * n; i++) p->q[i] = 0;
        return;
    }
    const uint32_t drop = encoding ? p->shift + p->gain : 0;
    const int16_t *from = encoding ? p->target : p->q;
    for (uint32_t y = 0; y < n; y++) {
        uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1, *mag = p->mag + y * p->stride;
        for (uint32_t x = 0; x < n; x++) mag[x] = (uint8_t)minimum(magnitude(from[y * n + x]) >> drop << p->gain, MOST);
        for (uint32_t x = 0; x < n; x++) flag[x / GROUP] |= mag[x] != 0;
    }
}

static plane plane_of(const ws_header *h, workspace *w, uint32_t layer, uint32_t depth, uint32_t i, int16_t *q,
                      const int16_t *target) {
    const uint32_t channels = (uint32_t)h->channels, ch = i / 3, band = i % 3, side = WS_HALF >> depth;
    const uint32_t stride = side + 2 * MARGIN, at = ws_plane_offset(channels, depth, ch, band);
    uint8_t *origin = w->magnitudes[0] + ROWS_ABOVE * stride + MARGIN;
    const uint32_t step = sizeof w->magnitudes[0];
    plane p = {0};
    p.q = q ? q + at : 0, p.target = target ? target + at : 0;
    p.mag = origin + i * step;
    p.a = band ? origin + 3 * ch * step : 0;
    p.b = band == 2 ? origin + (3 * ch + 1) * step : 0;
    p.luma = ch ? origin + band * step : 0;
    p.luma_q = ch ? (target ? target : q) + ws_plane_offset(channels, depth, 0, band) : 0;
    p.flags = w->flags[i];
    p.flags_before = ch ? w->flags[band] : band ? w->flags[band - 1] : 0;
    p.weigh = &WEIGHTS[layer != 0][ch != 0][band], p.set = &w->sets[ch][band];
    p.side = side, p.stride = stride, p.first = layer == 0;
    p.shift = (uint32_t)h->shift[layer][depth][ch][band];
    p.gain = layer ? (uint32_t)h->shift[layer - 1][depth][ch][band] - p.shift : 0;
    return p;
}

/* The means of an approximation, as differences from a plane through three neighbours. */
WS_INLINE void code_root(coder *c, const int encoding, model *models, int16_t *out, const int16_t *in) {
    const int16_t *known = encoding ? in : out;
    for (uint32_t i = 0; i < WS_ROOT * WS_ROOT; i++) {
        const uint32_t x = i % WS_ROOT, y = i / WS_ROOT;
        const int32_t west = x ? known[i - 1] : 0, north = y ? known[i - WS_ROOT] : 0;
        const int32_t guess = x && y ? west + north - known[i - WS_ROOT - 1] : x ? west : north;
        uint32_t difference = encoding ? (uint16_t)(in[i] - guess) : 0;
        uint32_t folded = difference & 0x8000u ? (uint16_t)~(difference << 1) : difference << 1;
        folded = code_golomb(c, encoding, models, folded);
        difference = folded & 1 ? ~(folded >> 1) : folded >> 1;
        if (!encoding) out[i] = (int16_t)(uint16_t)(difference + (uint32_t)guess);
    }
}

static uint32_t plane_value(const plane *p) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < p->side * p->side; i++) any |= magnitude(p->target[i]);
    return any >> p->shift != 0;
}

WS_INLINE void code_layer(coder *c, const int encoding, const ws_header *h, uint32_t layer, int16_t *q,
                          const int16_t *target, int16_t *root, const int16_t *root_in, ws_centroids *centroids,
                          workspace *w) {
    const uint32_t channels = (uint32_t)h->channels, square = WS_ROOT * WS_ROOT;
    prepare(w, layer);
    for (uint32_t ch = 0; layer == 0 && h->kind == WS_APPROXIMATION && ch < channels; ch++)
        code_root(c, encoding, w->root[ch], encoding ? 0 : root + ch * square, encoding ? root_in + ch * square : 0);
    for (uint32_t depth = ws_depth(h); depth-- > 0;) {
        plane planes[PLANES];
        uint32_t gains = 0; /* bit i: this layer says something of plane i */
        for (uint32_t i = 0; i < channels * WS_BANDS; i++) {
            planes[i] = plane_of(h, w, layer, depth, i, q, target);
            gains |= (uint32_t)(!layer || planes[i].gain) << i;
        }
        for (uint32_t i = 0; i < channels * WS_BANDS; i++)
            if (gains >> (i < 3 ? 0 : i / 3 * 3)) load_plane(&planes[i], encoding); /* it or a later one may look at it */
        for (uint32_t i = 0; i < channels * WS_BANDS; i++) {
            const plane *p = &planes[i];
            int8_t *offset = centroids->offset[depth][i / 3][i % 3];
            if (layer && !p->gain) continue;
            if (!encoding) offset[0] = offset[1] = 0;
            if (!code_bit(c, encoding, &p->set->plane, encoding ? plane_value(p) : 0)) continue;
            if (h->step[depth][i / 3][i % 3] << p->shift > 1)
                for (uint32_t k = 0; k < 2; k++) offset[k] = (int8_t)code_number(c, encoding, 8, (uint8_t)offset[k]);
            code_plane(c, encoding, p, w);
        }
    }
}

#ifdef WS_TRAIN
uint32_t ws_counts[2][2][WS_BANDS][WS_SET_MODELS][2];
static const workspace *counted;
static uint32_t counted_layer;

void ws_count(const void *m, uint32_t bit) {
    size_t at = (size_t)((const model *)m - (const model *)counted->sets), set = at / WS_SET_MODELS;
    if (set < PLANES) ws_counts[counted_layer != 0][set / 3 != 0][set % 3][at % WS_SET_MODELS][bit]++;
}
#endif

uint32_t ws_encode_layer(const ws_header *header, uint32_t layer, const int16_t *q, const int16_t *root,
                         const ws_centroids *centroids, uint8_t *out, uint32_t capacity, uint8_t *scratch) {
    coder c = {0};
    ws_centroids copy = *centroids;
#ifdef WS_TRAIN
    counted = (workspace *)scratch, counted_layer = layer;
#endif
    start_writing(&c, out, capacity);
    code_layer(&c, 1, header, layer, 0, q, 0, root, &copy, (workspace *)scratch);
    uint32_t size = finish_writing(&c);
    return c.overflow ? UINT32_MAX : size;
}

void ws_decode_layer(const ws_header *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
                     int16_t *root, ws_centroids *centroids, uint8_t *scratch) {
    coder c = {0};
    start_reading(&c, bytes, size);
    code_layer(&c, 0, header, layer, q, 0, root, 0, centroids, (workspace *)scratch);
}
