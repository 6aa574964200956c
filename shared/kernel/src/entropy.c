/* Entropy coding of one layer. The decoder and the encoder are one text: code_symbol() and its like read or write,
 * everything around them is the same, so the two cannot drift apart. codestream.md, section 5, is this file in words. */
#include "numbers.h"

enum { MORE = 3, LONG = 10, LAST = 7, LOW_BITS = 3 /* of low bits, those that are one symbol */ };

/* A coefficient as a symbol: 0; 2 k - 1 is magnitude k with the sign of the lean, 2 k against it; 5, 6: MORE or more. */
WS_INLINE uint32_t symbol_of(uint32_t value, uint32_t against) {
    return value ? 2 * minimum(value, MORE) - 1 + against : 0;
}

/* A magnitude of MORE or more: up to LONG a symbol, then exponential Golomb. */
static __attribute__((noinline)) uint32_t code_more(coder *c, const int encoding, model_set *set, uint32_t level, uint32_t value) {
    const uint32_t at = MORE_MODELS + level;
    const uint32_t symbol = code_symbol(c, encoding, &set->symbol[at], minimum(value - MORE, LAST));
    if (symbol < LAST) return MORE + symbol;
    uint32_t v = value - LONG + 1, bits = 0;
    while (encoding && v >> (bits + 1)) bits++;
    uint32_t size = code_symbol(c, encoding, &set->symbol[SIZE_MODEL], minimum(bits, LAST));
    if (size == LAST) size += code_plain(c, encoding, 3, bits - LAST);
    return LONG - 1 + (1u << size | code_plain(c, encoding, size, v & ((1u << size) - 1)));
}

/* What a row of a plane is coded with; small, so that it stays in registers. */
typedef struct {
    model_set *set;
    const uint8_t *level_of;
    uint32_t w, ww, gain, shift;
    int32_t lean_w, lean_ww;
} row_rule;

/* What eight coefficients of a row know but for those to the left in their row. */
typedef struct {
    uint16_t sums[GROUP];
    int16_t leans[GROUP];
    uint16_t nears[GROUP]; /* lossless */
} around;

/* What lies to the left: magnitudes, and the same with their signs. */
typedef struct {
    uint32_t west, far_west;
    int32_t west_signed, far_west_signed;
} left;

WS_INLINE int32_t with_sign(uint32_t m, uint32_t negative) { return (int32_t)((m ^ (0u - negative)) + negative); }

WS_INLINE int32_t small_signed(int32_t v, uint32_t shift) { return with_sign(minimum(magnitude(v) >> shift, NEAR_MOST), v < 0); }

WS_INLINE left left_of(const int encoding, const plane *p, uint32_t x, uint32_t y) {
    const uint8_t *mag = p->mag + y * p->stride + x;
    left l = {mag[-1], mag[-2], 0, 0};
    if (!x) return l;
    const int16_t *own = (encoding ? p->target : p->q) + y * p->side + x;
    const uint32_t shift = encoding ? p->shift : 0;
    l.west_signed = small_signed(own[-1], shift), l.far_west_signed = small_signed(own[-2], shift);
    return l;
}

/* One coefficient: `given` whole (encoding), `*out` as the layer before left it (decoding); a magnitude to `*mag`. */
WS_INLINE void code_one(coder *c, const int encoding, const int first, const int exact, const row_rule *rule, const around *known_around, left *l,
                        uint32_t i, int32_t given, int16_t *out, uint8_t *mag) {
    model_set *const set = rule->set;
    const uint32_t gain = first ? 0 : rule->gain, low_bits = minimum(gain, LOW_BITS), rest_bits = gain - low_bits;
    const uint32_t sum = minimum(known_around->sums[i] + rule->w * l->west + rule->ww * l->far_west, SUMS - 1);
    const uint32_t level = rule->level_of[sum];
    const int32_t lean = known_around->leans[i] + rule->lean_w * l->west_signed + (exact ? rule->lean_ww * l->far_west_signed : 0);
    const uint32_t guess = lean < 0, strength = 16 * magnitude(lean);
    uint32_t value = 0, old = 0, negative = 0, m = 0, symbol = 0;
    if (encoding) {
        value = magnitude(given) >> rule->shift, negative = given < 0;
        old = first ? 0 : value >> gain;
    } else if (!first) {
        old = magnitude(*out), negative = *out < 0;
    }
    uint32_t at = LEANS * level + (strength >= sum) + (strength >= 3 * sum) + (strength >= 8 * sum);
    const uint32_t known = first ? 0 : 0u - (old != 0); /* a mask, for choices without branches */
    uint32_t second = exact ? second_value(rule->level_of, strength, known_around->nears[i] + 8 * l->west) : 0;
    if (!first) {
        const int32_t off = 2 * ((negative ? -lean : lean) - (int32_t)((2 * old + 1) << (gain + 5))), s = (int32_t)sum;
        const uint32_t far = (uint32_t)(off < 0) + (off < -s) + (off < -2 * s) + (off < -4 * s);
        at ^= (at ^ (LOW_MODELS + ((level >> 2) * 3 + minimum(old, 3) - 1) * OFFS + far)) & known;
        if (exact) second ^= (second ^ second_low(rule->level_of, old, off)) & known;
    }
    if (encoding)
        symbol = known ? value >> rest_bits & ((1u << low_bits) - 1) : symbol_of(value, negative ^ guess);
    symbol = exact ? code_symbol_by_two(c, encoding, &set->symbol[at], &set->second[second], symbol)
                   : code_symbol(c, encoding, &set->symbol[at], symbol);
    m = (symbol + 1) >> 1;
    const uint32_t differs = guess ^ negative ^ !(symbol & 1), more = m == MORE && !known;
    m ^= (m ^ (old << low_bits | symbol)) & known, negative ^= differs & ~known;
    if (more) {
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        m = code_more(&own, encoding, set, level, value);
        *c = own;
    }
    if (!first && rest_bits && known) m = m << rest_bits | code_plain(c, encoding, rest_bits, value & ((1u << rest_bits) - 1));
    if (!encoding) *out = (int16_t)with_sign(m, negative);
    l->far_west = l->west, l->far_west_signed = l->west_signed;
    l->west = minimum(m, MOST), l->west_signed = with_sign(minimum(m, NEAR_MOST), negative);
    *mag = (uint8_t)l->west;
}

/* A row of coefficients, those in groups whose flag is set. Works on its own copy of the coder, so that its state stays in
 * registers. */
WS_INLINE void code_row(coder *shared, const int encoding, const int first, const int exact, const plane *p, uint32_t y,
                        const uint8_t *flag, workspace *w) {
    coder c = *shared;
    const row_rule rule = {p->set, w->level_of, p->weigh->w, p->weigh->ww, p->gain, p->shift,
                           exact ? p->numbers[0] : p->leaning[0], exact ? p->numbers[4] : 0};
    for (uint32_t g = 0; g < p->side / GROUP; g++) {
        if (!flag[g]) continue;
        const uint32_t x = g * GROUP, at = y * p->side + x;
        const lanes sums = sums_of(p, first, x, y, w->columns);
        const signed_lanes leans = exact ? exact_leans_of(p, encoding, first, x, y) : leans_of(p, encoding, first, x, y);
        const int16_t *given = encoding ? p->target + at : 0;
        int16_t *out = encoding ? 0 : p->q + at;
        uint8_t *mag = p->mag + y * p->stride + x;
        left l = left_of(encoding, p, x, y);
        around a;
        __builtin_memcpy(a.sums, &sums, sizeof sums);
        __builtin_memcpy(a.leans, &leans, sizeof leans);
        if (exact) {
            const lanes nears = nears_of(p, first, x, y);
            __builtin_memcpy(a.nears, &nears, sizeof nears);
        }

        for (uint32_t i = 0; i < GROUP; i++)
            code_one(&c, encoding, first, exact, &rule, &a, &l, i, encoding ? given[i] : 0, encoding ? 0 : out + i, mag + i);
    }
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        const lanes after = columns_after(load_lanes(&w->columns[MARGIN + x]), first, p->mag + y * p->stride + x);
        __builtin_memcpy(&w->columns[MARGIN + x], &after, sizeof after);
    }
    *shared = c;
}

#define WS_APART static __attribute__((noinline)) void

/* One function for each kind of row: [exact][first], of the encoder and of the decoder. */
#define WS_ROW(name, encoding, first, exact) \
    WS_APART name(coder *c, const plane *p, uint32_t y, const uint8_t *flag, workspace *w) { \
        code_row(c, encoding, first, exact, p, y, flag, w); \
    }
WS_ROW(encode_later, 1, 0, 0)
WS_ROW(encode_first, 1, 1, 0)
WS_ROW(encode_exact_later, 1, 0, 1)
WS_ROW(encode_exact_first, 1, 1, 1)
WS_ROW(decode_later, 0, 0, 0)
WS_ROW(decode_first, 0, 1, 0)
WS_ROW(decode_exact_later, 0, 0, 1)
WS_ROW(decode_exact_first, 0, 1, 1)

WS_INLINE void code_row_of(coder *c, const int encoding, const plane *p, uint32_t y, const uint8_t *flag, workspace *w) {
    if (p->exact)
        (encoding ? p->first ? encode_exact_first : encode_exact_later : p->first ? decode_exact_first : decode_exact_later)(c, p, y, flag, w);
    else
        (encoding ? p->first ? encode_first : encode_later : p->first ? decode_first : decode_later)(c, p, y, flag, w);
}

/* Whether a group holds something at this layer. */
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
        for (uint32_t y = gy * GROUP; y < (gy + 1) * GROUP; y++)
            code_row_of(c, encoding, p, y, flag, w);
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
    p.luma_shift = (uint32_t)h->shift[layer][depth][0][band];
    p.luma = ch ? (target ? target : q) + ws_plane_offset(channels, depth, 0, band) : 0;
    p.exact = h->profile == WS_LOSSLESS;
    p.luma_mag = ch ? origin + band * step : 0;
    p.hl = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 0) : 0;
    p.lh = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 1) : 0;
    p.hl_shift = (uint32_t)h->shift[layer][depth][ch][0], p.lh_shift = (uint32_t)h->shift[layer][depth][ch][1];
    p.chroma_shift = ch == 2 ? (uint32_t)h->shift[layer][depth][1][band] : 0;
    p.chroma = ch == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, 1, band) : 0;
    p.flags = w->flags[i];
    p.flags_before = ch ? w->flags[band] : band ? w->flags[band - 1] : 0;
    p.weigh = &WEIGHTS[layer != 0][ch != 0][band], p.leaning = LEANING[band], p.set = &w->sets[ch][band];
    p.side = side, p.stride = stride, p.first = layer == 0;
    p.shift = (uint32_t)h->shift[layer][depth][ch][band];
    p.gain = layer ? (uint32_t)h->shift[layer - 1][depth][ch][band] - p.shift : 0;
    return p;
}

/* A signed number: 0, -1, 1, -2, ... as 0, 1, 2, 3, ... */
WS_INLINE int32_t code_folded(coder *c, const int encoding, bit_model *models, int32_t value) {
    const uint32_t folded = code_golomb(c, encoding, models, value < 0 ? ~((uint32_t)value << 1) & 0xFFFF : (uint32_t)value << 1);
    return (int32_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

/* The means of an approximation, as differences from a plane through three neighbours. */
WS_INLINE void code_root(coder *c, const int encoding, bit_model *models, int16_t *out, const int16_t *in) {
    const int16_t *known = encoding ? in : out;
    for (uint32_t i = 0; i < WS_ROOT * WS_ROOT; i++) {
        const uint32_t x = i % WS_ROOT, y = i / WS_ROOT;
        const int32_t west = x ? known[i - 1] : 0, north = y ? known[i - WS_ROOT] : 0;
        const int32_t guess = x && y ? west + north - known[i - WS_ROOT - 1] : x ? west : north;
        const int32_t difference = code_folded(c, encoding, models, encoding ? (int16_t)(uint16_t)(in[i] - guess) : 0);
        if (!encoding) out[i] = (int16_t)(uint16_t)((uint32_t)difference + (uint32_t)guess);
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

/* What a layer says of the rebuilding of a plane; it replaces what the layer before said. */
WS_INLINE void code_rebuilding(coder *c, const int encoding, uint32_t filled, uint32_t chroma, uint32_t lossy, ws_rebuilding *r) {
    const ws_rebuilding none = {.filled = r->filled};
    if (!encoding) *r = none;
    if (!lossy) return;
    if (filled) {
        code_bytes(c, encoding, r->offset, 2);
        r->near = (uint8_t)code_plain(c, encoding, 1, r->near);
        if (r->near) code_bytes(c, encoding, r->around[0], 4);
    }
    if (chroma) {
        r->pulled = (uint8_t)code_plain(c, encoding, 1, r->pulled);
        if (r->pulled) code_bytes(c, encoding, r->luma, 5);
    }
}

/* What a plane says of its lean: numbers of its own (lossless), or luma's pull. */
WS_INLINE void code_lean(coder *c, const int encoding, plane *p, bit_model *models) {
    if (p->exact) {
        start_numbers(p);
        int8_t fit[NUMBERS] = {0};
        const uint32_t brought = code_plain(c, encoding, 1, encoding ? fit_numbers(p, fit) : 0);
        for (uint32_t i = 0; brought && i < number_count(p); i++)
            p->numbers[i] = (int8_t)(uint8_t)(p->numbers[i] + code_folded(c, encoding, models, (int8_t)(uint8_t)(fit[i] - p->numbers[i])));
    } else if (p->luma) {
        if (encoding) fit_pull(p);
        p->pulled = code_plain(c, encoding, 1, p->pulled);
        if (p->pulled) code_bytes(c, encoding, p->pull, 5);
    }
}

WS_INLINE void code_layer(coder *c, const int encoding, const ws_header *h, uint32_t layer, int16_t *q,
                          const int16_t *target, int16_t *root, const int16_t *root_in, ws_rebuildings *rebuildings,
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
            if (gains >> i & (i < 3 ? 511 : 7u >> i % 3)) load_plane(&planes[i], encoding); /* it or one that looks at it */
        for (uint32_t i = 0; i < channels * WS_BANDS; i++) {
            plane *p = &planes[i];
            ws_rebuilding *r = &rebuildings->plane[depth][i / 3][i % 3];
            if (layer && !p->gain) continue;
            const uint32_t filled = code_bit(c, encoding, &p->set->plane, encoding ? plane_value(p) : 0);
            if (!encoding) r->filled = filled || (layer && r->filled);
            code_rebuilding(c, encoding, filled, i >= 3, h->step[depth][i / 3][i % 3] << p->shift > 1, r);
            if (!filled) continue;
            code_lean(c, encoding, p, w->number);
            code_plane(c, encoding, p, w);
        }
    }
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
        if (m >= (void *)&set->plane && m < (void *)(set + 1)) ws_bit_counts[layer][chroma][band][(const bit_model *)m - &set->plane][symbol]++;
    }
}
#endif

uint32_t ws_encode_layer(const ws_header *header, uint32_t layer, const int16_t *q, const int16_t *root,
                         const ws_rebuildings *rebuildings, uint8_t *out, uint32_t capacity, uint8_t *scratch) {
    coder c = {0};
    ws_rebuildings copy = *rebuildings;
#ifdef WS_TRAIN
    counted = (workspace *)scratch, counted_layer = layer;
#endif
    start_writing(&c, out, capacity);
    code_layer(&c, 1, header, layer, 0, q, 0, root, &copy, (workspace *)scratch);
    return finish_writing(&c, out, capacity);
}

void ws_decode_layer(const ws_header *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
                     int16_t *root, ws_rebuildings *rebuildings, uint8_t *scratch) {
    coder c = {0};
    start_reading(&c, bytes, size);
    code_layer(&c, 0, header, layer, q, 0, root, 0, rebuildings, (workspace *)scratch);
}
