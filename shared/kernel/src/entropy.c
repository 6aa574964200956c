/* Entropy coding of one layer. The decoder and the encoder are one text: code_symbol() and its like read or write,
 * everything around them is the same, so the two cannot drift apart. codestream.md, section 5, is this file in words. */
#include "entropy_fit_lossless.inc.h"

enum { ESCAPE = 3, LONG_ESCAPE = 10, LAST_SYMBOL = 7, LOW_BITS = 3 /* of low bits, those that are one symbol */ };

/* A coefficient as a symbol: 0; 2 k - 1 is magnitude k with the predicted sign, 2 k with the other sign; 5, 6: ESCAPE or more. */
WS_INLINE uint32_t symbol_of(uint32_t value, uint32_t against) {
    return value ? 2 * minimum(value, ESCAPE) - 1 + against : 0;
}

/* A magnitude of ESCAPE or more: one symbol below LONG_ESCAPE, then exponential Golomb. */
static __attribute__((noinline)) uint32_t code_large_magnitude(coder *c, const int encoding, model_set *set,
                                                               uint32_t level, uint32_t value) {
    const uint32_t at = MAGNITUDE_MODELS + level;
    const uint32_t symbol = code_symbol(c, encoding, &set->symbol[at], minimum(value - ESCAPE, LAST_SYMBOL));
    if (symbol < LAST_SYMBOL) return ESCAPE + symbol;
    uint32_t v = value - LONG_ESCAPE + 1, bits = 0;
    while (encoding && v >> (bits + 1)) bits++;
    uint32_t size = code_symbol(c, encoding, &set->symbol[SIZE_MODEL], minimum(bits, LAST_SYMBOL));
    if (size == LAST_SYMBOL) size += code_plain(c, encoding, 3, bits - LAST_SYMBOL);
    return LONG_ESCAPE - 1 + (1u << size | code_plain(c, encoding, size, v & ((1u << size) - 1)));
}

/* How a row is coded. All three are compile-time constants in every caller: one source, eight specialised functions. */
typedef struct {
    int encoding, first, lossless; /* first: layer 0, where nothing is known of any coefficient */
} coding_mode;

/* What is the same for all coefficients of a row; small, so that it stays in registers. */
typedef struct {
    model_set *set;
    const uint8_t *level_of;
    uint32_t w, ww, gain,
        shift; /* magnitude weights of W and WW; bits this layer adds; bits it leaves to later layers */
    int32_t weight_w, weight_ww; /* sign weights of W and WW */
} row_context;

/* What is known of eight coefficients before their row is coded; what W and WW add comes coefficient by coefficient. */
typedef struct {
    uint16_t sums[GROUP];
    int16_t predictions[GROUP];
    uint16_t activity[GROUP]; /* lossless */
} group_context;

/* The two coefficients to the left: magnitudes, and the same with their signs. */
typedef struct {
    uint32_t w, ww;
    int32_t signed_w, signed_ww;
} west_context;

/* One coefficient on its way: `given` whole (encoding), `*out` as the layer before left it (decoding), `*mag` its magnitude. */
typedef struct {
    int32_t given;
    int16_t *out;
    uint8_t *mag;
} coefficient;

WS_INLINE int32_t with_sign(uint32_t m, uint32_t negative) { return (int32_t)((m ^ (0u - negative)) + negative); }

WS_INLINE int32_t small_signed(int32_t v, uint32_t shift) {
    return with_sign(minimum(magnitude(v) >> shift, MAX_SIGNED), v < 0);
}

WS_INLINE west_context west_of(const int encoding, const plane *p, uint32_t x, uint32_t y) {
    const uint8_t *mag = p->mag + y * p->stride + x;
    west_context west = {mag[-1], mag[-2], 0, 0};
    if (!x) return west;
    const int16_t *own = (encoding ? p->target : p->q) + y * p->side + x;
    const uint32_t shift = encoding ? p->shift : 0;
    west.signed_w = small_signed(own[-1], shift), west.signed_ww = small_signed(own[-2], shift);
    return west;
}

WS_INLINE void move_west(west_context *west, uint32_t m, uint32_t negative) {
    west->ww = west->w, west->signed_ww = west->signed_w;
    west->w = minimum(m, MAX_MAGNITUDE), west->signed_w = with_sign(minimum(m, MAX_SIGNED), negative);
}

/* One coefficient: CS34 where it was zero before, CS35 where it was not. */
WS_INLINE void code_coefficient(coder *c, const coding_mode mode, const row_context *row, const group_context *group,
                                uint32_t i, west_context *west, coefficient one) {
    model_set *const set = row->set;
    const uint32_t gain = mode.first ? 0 : row->gain, low_bits = minimum(gain, LOW_BITS), rest_bits = gain - low_bits;
    const uint32_t sum = minimum(group->sums[i] + row->w * west->w + row->ww * west->ww, SUM_LIMIT - 1);
    const uint32_t level = row->level_of[sum];
    const int32_t prediction =
        group->predictions[i] + row->weight_w * west->signed_w + (mode.lossless ? row->weight_ww * west->signed_ww : 0);
    const uint32_t predicted_negative = prediction < 0, strength = 16 * magnitude(prediction);
    uint32_t value = 0, old = 0, negative = 0, m = 0, symbol = 0;
    if (mode.encoding) {
        value = magnitude(one.given) >> row->shift, negative = one.given < 0;
        old = mode.first ? 0 : value >> gain;
    } else if (!mode.first) {
        old = magnitude(*one.out), negative = *one.out < 0;
    }
    uint32_t model = STRENGTH_CLASSES * level + (strength >= sum) + (strength >= 3 * sum) + (strength >= 8 * sum);
    const uint32_t known = mode.first ? 0 : 0u - (old != 0); /* a mask, for choices without branches */
    uint32_t second = mode.lossless ? second_value_model(row->level_of, strength, group->activity[i] + 8 * west->w) : 0;
    if (!mode.first) {
        const int32_t offset = 2 * ((negative ? -prediction : prediction) - (int32_t)((2 * old + 1) << (gain + 5))),
                      s = (int32_t)sum;
        const uint32_t offset_class = (uint32_t)(offset < 0) + (offset < -s) + (offset < -2 * s) + (offset < -4 * s);
        model ^= (model ^ (LOW_BIT_MODELS + ((level >> 2) * 3 + minimum(old, 3) - 1) * OFFSET_CLASSES + offset_class)) &
                 known;
        if (mode.lossless) second ^= (second ^ second_low_bit_model(row->level_of, old, offset)) & known;
    }
    if (mode.encoding)
        symbol = known ? value >> rest_bits & ((1u << low_bits) - 1) : symbol_of(value, negative ^ predicted_negative);
    symbol = mode.lossless ? code_symbol_mixed(c, mode.encoding, &set->symbol[model], &set->second[second], symbol)
                           : code_symbol(c, mode.encoding, &set->symbol[model], symbol);
    m = (symbol + 1) >> 1;
    const uint32_t differs = predicted_negative ^ negative ^ !(symbol & 1), escape = m == ESCAPE && !known;
    m ^= (m ^ (old << low_bits | symbol)) & known, negative ^= differs & ~known;
    if (escape) {
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        m = code_large_magnitude(&own, mode.encoding, set, level, value);
        *c = own;
    }
    if (!mode.first && rest_bits && known)
        m = m << rest_bits | code_plain(c, mode.encoding, rest_bits, value & ((1u << rest_bits) - 1));
    if (!mode.encoding) *one.out = (int16_t)with_sign(m, negative);
    move_west(west, m, negative);
    *one.mag = (uint8_t)west->w;
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays in
 * registers. */
WS_INLINE void code_row(coder *shared, const coding_mode mode, const plane *p, uint32_t y, const uint8_t *flag,
                        workspace *w) {
    const int encoding = mode.encoding, first = mode.first, lossless = mode.lossless;
    coder c = *shared;
    const row_context row = {p->set,
                             w->level_of,
                             p->weights->w,
                             p->weights->ww,
                             p->gain,
                             p->shift,
                             lossless ? p->coefficients[0] : p->sign_weights[0],
                             lossless ? p->coefficients[4] : 0};
    for (uint32_t g = 0; g < p->side / GROUP; g++) {
        if (!flag[g]) continue;
        const uint32_t x = g * GROUP, at = y * p->side + x;
        const lanes sums = context_sums(p, first, x, y, w->columns);
        const signed_lanes predictions =
            lossless ? lossless_predictions(p, encoding, first, x, y) : sign_predictions(p, encoding, first, x, y);
        const int16_t *given = encoding ? p->target + at : 0;
        int16_t *out = encoding ? 0 : p->q + at;
        uint8_t *mag = p->mag + y * p->stride + x;
        west_context west = west_of(encoding, p, x, y);
        group_context group;
        __builtin_memcpy(group.sums, &sums, sizeof sums);
        __builtin_memcpy(group.predictions, &predictions, sizeof predictions);
        if (lossless) {
            const lanes activity = activity_of(p, first, x, y);
            __builtin_memcpy(group.activity, &activity, sizeof activity);
        }
        for (uint32_t i = 0; i < GROUP; i++) {
            const coefficient one = {encoding ? given[i] : 0, encoding ? 0 : out + i, mag + i};
            code_coefficient(&c, mode, &row, &group, i, &west, one);
        }
    }
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        const lanes after = decayed_columns(load_lanes(&w->columns[MARGIN + x]), first, p->mag + y * p->stride + x);
        __builtin_memcpy(&w->columns[MARGIN + x], &after, sizeof after);
    }
    *shared = c;
}

#define WS_NOINLINE static __attribute__((noinline)) void

/* One function for each kind of row: [lossless][first], of the encoder and of the decoder. */
#define WS_ROW(name, encoding, first, lossless)                                                                        \
    WS_NOINLINE name(coder *c, const plane *p, uint32_t y, const uint8_t *flag, workspace *w) {                        \
        const coding_mode mode = {encoding, first, lossless};                                                          \
        code_row(c, mode, p, y, flag, w);                                                                              \
    }
WS_ROW(encode_later, 1, 0, 0)
WS_ROW(encode_first, 1, 1, 0)
WS_ROW(encode_lossless_later, 1, 0, 1)
WS_ROW(encode_lossless_first, 1, 1, 1)
WS_ROW(decode_later, 0, 0, 0)
WS_ROW(decode_first, 0, 1, 0)
WS_ROW(decode_lossless_later, 0, 0, 1)
WS_ROW(decode_lossless_first, 0, 1, 1)

WS_INLINE void code_row_of(coder *c, const int encoding, const plane *p, uint32_t y, const uint8_t *flag,
                           workspace *w) {
    if (p->lossless)
        (encoding   ? p->first ? encode_lossless_first : encode_lossless_later
         : p->first ? decode_lossless_first
                    : decode_lossless_later)(c, p, y, flag, w);
    else
        (encoding ? p->first ? encode_first : encode_later : p->first ? decode_first : decode_later)(c, p, y, flag, w);
}

/* Whether a group has a coefficient that is not zero at this layer. */
static uint32_t group_value(const plane *p, uint32_t y, uint32_t x) {
    lanes any = {0};
    for (uint32_t j = 0; j < GROUP; j++) {
        const lanes v = load_lanes(p->target + (y + j) * p->side + x), sign = (lanes)((signed_lanes)v < 0);
        any |= (v ^ sign) - sign;
    }
    uint32_t all = 0;
    for (uint32_t i = 0; i < GROUP; i++) all |= any[i];
    return all >> p->shift != 0;
}

/* The flags of a row of groups; the flag of a group that had a coefficient in the layer before is not coded. Returns whether any is set. */
WS_INLINE uint32_t code_flags(coder *c, const int encoding, const plane *p, uint32_t gy) {
    uint8_t *flag = p->flags + (gy + 1) * FLAG_WIDTH + 1;
    uint32_t any = 0;
    for (uint32_t gx = 0; gx < p->side / GROUP; gx++) {
        if (!flag[gx]) {
            uint32_t group_context = flag[(int)gx - 1] + flag[(int)gx - FLAG_WIDTH] + flag[(int)gx + 1 - FLAG_WIDTH];
            uint32_t other = p->flags_before ? 1u + p->flags_before[(gy + 1) * FLAG_WIDTH + 1 + gx] : 0;
            uint32_t active = encoding ? group_value(p, gy * GROUP, gx * GROUP) : 0;
            flag[gx] = (uint8_t)code_bit(c, encoding, &p->set->group[other][group_context], active);
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
        for (uint32_t y = gy * GROUP; y < (gy + 1) * GROUP; y++) code_row_of(c, encoding, p, y, flag, w);
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
        for (uint32_t x = 0; x < n; x += GROUP) {
            const eight_bytes m = magnitudes_of(load_lanes(from + y * n + x), (uint16_t)drop, (uint16_t)p->gain);
            uint64_t any;
            __builtin_memcpy(mag + x, &m, sizeof m);
            __builtin_memcpy(&any, &m, sizeof any);
            flag[x / GROUP] |= any != 0;
        }
    }
}

/* One layer to code. The decoder leaves m in `q` and the means in `ll_root`, the encoder reads `target` and `ll_root_in`. */
typedef struct {
    const ws_header *header;
    uint32_t layer;
    int16_t *q, *ll_root;
    const int16_t *target, *ll_root_in;
    ws_reconstructions *reconstructions;
    workspace *workspace;
} layer_task;

/* Plane i (channel i / 3, band i % 3) of a depth. */
static plane plane_of(const layer_task *task, uint32_t depth, uint32_t i) {
    const ws_header *h = task->header;
    workspace *w = task->workspace;
    int16_t *q = task->q;
    const int16_t *target = task->target;
    const uint32_t layer = task->layer;
    const uint32_t channels = (uint32_t)h->channels, ch = i / 3, band = i % 3, side = WS_HALF >> depth;
    const uint32_t stride = side + 2 * MARGIN, at = ws_plane_offset(channels, depth, ch, band);
    uint8_t *origin = w->magnitudes[0] + ROWS_ABOVE * stride + MARGIN;
    const uint32_t step = sizeof w->magnitudes[0];
    plane p = {0};
    p.q = q ? q + at : 0, p.target = target ? target + at : 0;
    p.mag = origin + i * step;
    p.a = band ? origin + 3 * ch * step : 0;
    p.b = band == 2 ? origin + (3 * ch + 1) * step : 0;
    p.luma_shift = (uint32_t)h->shift[layer][depth][0][band];
    p.luma = ch ? (target ? target : q) + ws_plane_offset(channels, depth, 0, band) : 0;
    p.lossless = h->profile == WS_LOSSLESS;
    p.luma_mag = ch ? origin + band * step : 0;
    p.hl = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 0) : 0;
    p.lh = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 1) : 0;
    p.hl_shift = (uint32_t)h->shift[layer][depth][ch][0], p.lh_shift = (uint32_t)h->shift[layer][depth][ch][1];
    p.chroma_shift = ch == 2 ? (uint32_t)h->shift[layer][depth][1][band] : 0;
    p.chroma = ch == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, 1, band) : 0;
    p.flags = w->flags[i];
    p.flags_before = ch ? w->flags[band] : band ? w->flags[band - 1] : 0;
    p.weights = &WEIGHTS[layer != 0][ch != 0][band], p.sign_weights = SIGN_WEIGHTS[band], p.set = &w->sets[ch][band];
    p.side = side, p.stride = stride, p.first = layer == 0;
    p.shift = (uint32_t)h->shift[layer][depth][ch][band];
    p.gain = layer ? (uint32_t)h->shift[layer - 1][depth][ch][band] - p.shift : 0;
    return p;
}

/* A signed number: 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
WS_INLINE int32_t code_signed(coder *c, const int encoding, bit_model *models, int32_t value) {
    const uint32_t folded =
        code_golomb(c, encoding, models, value < 0 ? ~((uint32_t)value << 1) & 0xFFFF : (uint32_t)value << 1);
    return (int32_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

/* The means of an approximation, as differences from a plane through three neighbours. */
WS_INLINE void code_ll_root(coder *c, const int encoding, bit_model *models, int16_t *out, const int16_t *in) {
    const int16_t *known = encoding ? in : out;
    for (uint32_t i = 0; i < WS_LL_ROOT * WS_LL_ROOT; i++) {
        const uint32_t x = i % WS_LL_ROOT, y = i / WS_LL_ROOT;
        const int32_t west = x ? known[i - 1] : 0, north = y ? known[i - WS_LL_ROOT] : 0;
        const int32_t predicted_negative = x && y ? west + north - known[i - WS_LL_ROOT - 1] : x ? west : north;
        const int32_t difference =
            code_signed(c, encoding, models, encoding ? (int16_t)(uint16_t)(in[i] - predicted_negative) : 0);
        if (!encoding) out[i] = (int16_t)(uint16_t)((uint32_t)difference + (uint32_t)predicted_negative);
    }
}

static uint32_t plane_value(const plane *p) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < p->side * p->side; i++) any |= magnitude(p->target[i]);
    return any >> p->shift != 0;
}

WS_INLINE void code_bytes(coder *c, const int encoding, int8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) bytes[i] = (int8_t)code_plain(c, encoding, 8, (uint8_t)bytes[i]);
}

/* The reconstruction parameters of a plane (CS28); they replace those of the layer before. */
WS_INLINE void code_reconstruction(coder *c, const int encoding, uint32_t filled, uint32_t chroma, uint32_t lossy,
                                   ws_reconstruction *r) {
    const ws_reconstruction none = {.filled = r->filled};
    if (!encoding) *r = none;
    if (!lossy) return;
    if (filled) {
        code_bytes(c, encoding, r->offset, 2);
        r->has_neighbours = (uint8_t)code_plain(c, encoding, 1, r->has_neighbours);
        if (r->has_neighbours) code_bytes(c, encoding, r->neighbours[0], 4);
    }
    if (chroma) {
        r->has_luma = (uint8_t)code_plain(c, encoding, 1, r->has_luma);
        if (r->has_luma) code_bytes(c, encoding, r->luma, 5);
    }
}

/* The sign predictor of a plane: coefficients of its own (lossless, CS42), or the cross-channel predictor from luma (CS33). */
WS_INLINE void code_predictor(coder *c, const int encoding, plane *p, bit_model *models) {
    if (p->lossless) {
        set_default_coefficients(p);
        int8_t fit[MAX_COEFFICIENTS] = {0};
        const uint32_t brought = code_plain(c, encoding, 1, encoding ? fit_coefficients(p, fit) : 0);
        for (uint32_t i = 0; brought && i < coefficient_count(p); i++)
            p->coefficients[i] =
                (int8_t)(uint8_t)(p->coefficients[i] +
                                  code_signed(c, encoding, models, (int8_t)(uint8_t)(fit[i] - p->coefficients[i])));
    } else if (p->luma) {
        if (encoding) fit_luma_predictor(p);
        p->has_luma_predictor = code_plain(c, encoding, 1, p->has_luma_predictor);
        if (p->has_luma_predictor) code_bytes(c, encoding, p->luma_predictor, 5);
    }
}

/* All planes of one depth. */
WS_INLINE void code_depth(coder *c, const int encoding, const layer_task *task, uint32_t depth) {
    const ws_header *h = task->header;
    const uint32_t layer = task->layer, count = (uint32_t)h->channels * WS_BANDS;
    workspace *w = task->workspace;
    plane planes[PLANES];
    uint32_t gains = 0; /* bit i: this layer says something of plane i */
    for (uint32_t i = 0; i < count; i++) {
        planes[i] = plane_of(task, depth, i);
        gains |= (uint32_t)(!layer || planes[i].gain) << i;
    }
    for (uint32_t i = 0; i < count; i++)
        if (gains >> i & (i < 3 ? 511 : 7u >> i % 3)) load_plane(&planes[i], encoding); /* it or one that looks at it */
    for (uint32_t i = 0; i < count; i++) {
        plane *p = &planes[i];
        ws_reconstruction *r = &task->reconstructions->plane[depth][i / 3][i % 3];
        if (layer && !p->gain) continue;
        const uint32_t filled = code_bit(c, encoding, &p->set->plane, encoding ? plane_value(p) : 0);
        if (!encoding) r->filled = filled || (layer && r->filled);
        code_reconstruction(c, encoding, filled, i >= 3, h->step[depth][i / 3][i % 3] << p->shift > 1, r);
        if (!filled) continue;
        code_predictor(c, encoding, p, w->coefficient);
        code_plane(c, encoding, p, w);
    }
}

WS_INLINE void code_layer(coder *c, const int encoding, const layer_task *task) {
    const ws_header *h = task->header;
    const uint32_t square = WS_LL_ROOT * WS_LL_ROOT;
    workspace *w = task->workspace;
    init_workspace(w, task->layer);
    for (uint32_t ch = 0; task->layer == 0 && h->kind == WS_APPROXIMATION && ch < (uint32_t)h->channels; ch++)
        code_ll_root(c, encoding, w->ll_root[ch], encoding ? 0 : task->ll_root + ch * square,
                     encoding ? task->ll_root_in + ch * square : 0);
    for (uint32_t depth = ws_depth(h); depth-- > 0;) code_depth(c, encoding, task, depth);
}

#ifdef WS_TRAIN
uint32_t ws_symbol_counts[2][2][WS_BANDS][WS_SYMBOL_MODELS][SYMBOLS], ws_bit_counts[2][2][WS_BANDS][13][2];
static workspace *counted;
static uint32_t counted_layer;

void ws_count(const void *m, uint32_t symbol) {
    for (uint32_t i = 0; i < PLANES; i++) {
        model_set *set = &counted->sets[i / 3][i % 3];
        const uint32_t layer = counted_layer != 0, chroma = i > 2, band = i % 3;
        if (m >= (void *)set->symbol && m < (void *)(set->symbol + WS_SYMBOL_MODELS))
            ws_symbol_counts[layer][chroma][band][(const symbol_model *)m - set->symbol][symbol]++;
        if (m >= (void *)&set->plane && m < (void *)(set + 1))
            ws_bit_counts[layer][chroma][band][(const bit_model *)m - &set->plane][symbol]++;
    }
}
#endif

uint32_t ws_encode_layer(const ws_header *header, uint32_t layer, const int16_t *q, const int16_t *ll_root,
                         const ws_reconstructions *reconstructions, uint8_t *out, uint32_t capacity, uint8_t *scratch) {
    coder c = {0};
    ws_reconstructions copy = *reconstructions;
#ifdef WS_TRAIN
    counted = (workspace *)scratch, counted_layer = layer;
#endif
    start_writing(&c, out, capacity);
    const layer_task task = {.header = header,
                             .layer = layer,
                             .target = q,
                             .ll_root_in = ll_root,
                             .reconstructions = &copy,
                             .workspace = (workspace *)scratch};
    code_layer(&c, 1, &task);
    return finish_writing(&c, out, capacity);
}

void ws_decode_layer(const ws_header *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
                     int16_t *ll_root, ws_reconstructions *reconstructions, uint8_t *scratch) {
    coder c = {0};
    start_reading(&c, bytes, size);
    const layer_task task = {.header = header,
                             .layer = layer,
                             .q = q,
                             .ll_root = ll_root,
                             .reconstructions = reconstructions,
                             .workspace = (workspace *)scratch};
    code_layer(&c, 0, &task);
}
