/* Fragment of entropy.c: one plane (a band of a channel at one depth): what it looks at, and its flags and rows in
 * groups of 8 x 8. */
#ifndef WS_ENTROPY_PLANE
#define WS_ENTROPY_PLANE

#include "lossless_encoder.inc.h"
#include "lossless_row.inc.h"
#include "visual_row.inc.h"

/* Whether a group has a coefficient that is not zero at this layer. */
static uint32_t group_value(const plane *p, uint32_t y, uint32_t x) {
    lanes any = {0};
    for (uint32_t j = 0; j < GROUP; j++) {
        const lanes v = load_lanes(p->target + (y + j) * p->side + x), sign = (lanes)((signed_lanes)v < 0);
        any |= (v ^ sign) - sign;
    }
    uint32_t all = 0;
    for (uint32_t i = 0; i < GROUP; i++) all |= any[i];
    return all >> (p->shift - p->raw) != 0;
}

/* The flags of a row of groups; the flag of a group that had a coefficient in the layer before is not coded. Returns
 * whether any is set. */
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

#define WS_NOINLINE static __attribute__((noinline)) void

/* One function for each kind of row, [two models][first], of the encoder or of the decoder. */
#define WS_ROWS(name)                                                                                                  \
    WS_NOINLINE name##_visual_first(coder *c, const plane *p, uint32_t y, workspace *w) {                              \
        name##_visual_row(c, 1, p, y, w);                                                                              \
    }                                                                                                                  \
    WS_NOINLINE name##_visual_later(coder *c, const plane *p, uint32_t y, workspace *w) {                              \
        name##_visual_row(c, 0, p, y, w);                                                                              \
    }                                                                                                                  \
    WS_NOINLINE name##_lossless_first(coder *c, const plane *p, uint32_t y, workspace *w) {                            \
        name##_lossless_row(c, 1, p, y, w);                                                                            \
    }                                                                                                                  \
    WS_NOINLINE name##_lossless_later(coder *c, const plane *p, uint32_t y, workspace *w) {                            \
        name##_lossless_row(c, 0, p, y, w);                                                                            \
    }
WS_ROWS(encode)
WS_ROWS(decode)

WS_INLINE void code_row(coder *c, const int encoding, const plane *p, uint32_t y, workspace *w) {
    if (p->two_models)
        (encoding   ? p->first ? encode_lossless_first : encode_lossless_later
         : p->first ? decode_lossless_first
                    : decode_lossless_later)(c, p, y, w);
    else
        (encoding   ? p->first ? encode_visual_first : encode_visual_later
         : p->first ? decode_visual_first
                    : decode_visual_later)(c, p, y, w);
}

/* A plane that was announced as not empty, in rows of groups. */
WS_INLINE void code_plane(coder *c, const int encoding, const plane *p, workspace *w) {
    for (uint32_t x = 0; x < WS_HALF + 2 * MARGIN; x++) w->columns[x] = 0;
    w->rows.next = -1;
    for (uint32_t gy = 0; gy < p->side / GROUP; gy++) {
        if (!code_flags(c, encoding, p, gy)) {
            for (uint32_t x = 0; x < p->side; x++) w->columns[MARGIN + x] = 0;
            continue;
        }
        for (uint32_t y = gy * GROUP; y < (gy + 1) * GROUP; y++) code_row(c, encoding, p, y, w);
    }
}

/* The bits without a model of all coefficients in groups whose flag is set, two by two, and the signs of those that
 * were zero without them (CS53). */
static __attribute__((noinline)) void decode_raw_bits(coder *shared, const plane *p) {
    const uint32_t mask = (1u << p->raw) - 1;
    coder c = *shared;
    for (uint32_t y = 0; y < p->side; y++) {
        const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
        for (uint32_t x = 0; x < p->side; x += 2) {
            if (!flag[x / GROUP]) continue;
            int16_t *const two = p->q + y * p->side + x;
            const uint32_t bits = code_plain(&c, 0, 2 * p->raw, 0), own[2] = {bits >> p->raw, bits & mask};
            for (uint32_t i = 0; i < 2; i++) {
                uint32_t negative = two[i] < 0;
                if (own[i] && !two[i]) negative = code_plain(&c, 0, 1, 0);
                two[i] = (int16_t)with_sign(magnitude(two[i]) << p->raw | own[i], negative);
            }
        }
    }
    *shared = c;
}

/* The same of eight coefficients in the encoder. */
WS_INLINE void encode_raw_group(coder *c, const plane *p, uint32_t at) {
    const known_values wanted = wanted_of(p, at);
    const uint32_t unit = SCALE - 2 * p->raw;
    const lanes all = load_lanes(p->target + at),
                own = ((all ^ wanted.sign) - wanted.sign) >> (uint16_t)(p->shift - p->raw) &
                      (uint16_t)((1u << p->raw) - 1),
                new_signs = (lanes)(own != 0) & (lanes)(wanted.size == 0) & 1;
    const four_words pairs = (four_words)own,
                     notes = ((pairs & 0xFFFF) << p->raw | pairs >> 16) << (16 + unit) | 1u << unit;
    for (uint32_t i = 0; i < GROUP; i += 2) {
        put_note(c, notes[i / 2], 1);
        for (uint32_t k = i; k < i + 2; k++) put_note(c, (wanted.sign[k] & 1u) << 30 | 1u << 14, new_signs[k]);
    }
}

static __attribute__((noinline)) void encode_raw_bits(coder *shared, const plane *p) {
    coder c = *shared;
    for (uint32_t y = 0; y < p->side; y++)
        for (uint32_t x = 0; x < p->side; x += GROUP)
            if (p->flags[(y / GROUP + 1) * FLAG_WIDTH + 1 + x / GROUP]) encode_raw_group(&c, p, y * p->side + x);
    *shared = c;
}

/* A plane whose bit is 0 in a later layer: all new bits are 0 (CS27). Encoders write this for zeros alone. */
static __attribute__((noinline)) void shift_plane(const plane *p) {
    for (uint32_t i = 0; i < p->side * p->side; i++) p->q[i] = (int16_t)(p->q[i] * (1 << (p->gain + p->raw)));
}

/* Magnitudes and group flags as the layer before left them, in units of this layer. */
static void load_plane(const plane *p, const int encoding) {
    const uint32_t n = p->side;
    __builtin_memset(p->mag - ROWS_ABOVE * p->stride - MARGIN, 0, (n + ROWS_ABOVE + ROWS_BELOW) * p->stride);
    __builtin_memset(p->flags, 0, FLAG_WIDTH * FLAG_WIDTH);
    if (p->first) {
        if (!encoding) __builtin_memset(p->q, 0, n * n * sizeof *p->q);
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

/* One layer to code. The decoder leaves m in `q` and the means in `ll_root`, the encoder reads `target` and
 * `ll_root_in`. */
typedef struct {
    const ws_parameters *header;
    uint32_t layer;
    int16_t *q, *ll_root;
    const int16_t *target, *ll_root_in;
    ws_reconstructions *reconstructions;
    workspace *workspace;
} layer_task;

/* Plane i (channel i / 3, band i % 3) of a depth. */
static plane plane_of(const layer_task *task, uint32_t depth, uint32_t i) {
    const ws_parameters *h = task->header;
    workspace *w = task->workspace;
    int16_t *q = task->q;
    const int16_t *target = task->target;
    const uint32_t layer = task->layer;
    const uint32_t channels = (uint32_t)h->channels, ch = i / 3, band = i % 3, side = WS_HALF >> depth;
    const uint32_t stride = side + 2 * MARGIN, at = ws_plane_offset(channels, depth, ch, band);
    uint8_t *origin = w->magnitudes[0] + ROWS_ABOVE * stride + MARGIN;
    const uint32_t step = sizeof w->magnitudes[0];
    const int noisy = ws_deep(h) && task->reconstructions->flat; /* a fit would follow the noise */
    plane p = {0};
    p.q = q ? q + at : 0, p.target = target ? target + at : 0;
    p.mag = origin + i * step;
    p.a = band ? origin + 3 * ch * step : 0;
    p.b = band == 2 ? origin + (3 * ch + 1) * step : 0;
    p.luma_shift = (uint32_t)h->shift[layer][depth][0][band];
    p.luma = ch ? (target ? target : q) + ws_plane_offset(channels, depth, 0, band) : 0;
    p.two_models = (uint32_t)ws_two_models(h), p.fitted_rows = h->profile == WS_LOSSLESS ? !noisy : 5;
    p.luma_mag = ch ? origin + band * step : 0;
    p.hl = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 0) : 0;
    p.lh = band == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, ch, 1) : 0;
    p.hl_shift = (uint32_t)h->shift[layer][depth][ch][0], p.lh_shift = (uint32_t)h->shift[layer][depth][ch][1];
    p.chroma_shift = ch == 2 ? (uint32_t)h->shift[layer][depth][1][band] : 0;
    p.chroma = ch == 2 ? (target ? target : q) + ws_plane_offset(channels, depth, 1, band) : 0;
    p.flags = w->flags[i];
    p.flags_before = ch ? w->flags[band] : band ? w->flags[band - 1] : 0;
    p.weights = &WEIGHTS[layer != 0][ch != 0][band], p.sign_weights = SIGN_WEIGHTS[band],
    p.set = &w->sets[ch != 0][band == 2];
    p.side = side, p.stride = stride, p.first = layer == 0;
    p.shift = (uint32_t)h->shift[layer][depth][ch][band];
    p.gain = layer ? (uint32_t)h->shift[layer - 1][depth][ch][band] - p.shift : 0;
    p.raw = ws_deep(h) && h->profile == WS_LOSSLESS && p.gain > LOW_BITS ? p.gain - LOW_BITS : 0;
    p.gain -= p.raw, p.shift += p.raw;
    return p;
}

#endif
