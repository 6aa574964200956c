/* Entropy coding of one layer. The decoder and the encoder are one text: code_symbol() and its like read or write,
 * everything around them is the same, so the two cannot differ. Only rows have two: an encoder knows all of a row
 * before. codestream.md, section 5, is this file in words. Its fragments in entropy/, in the order in which they build
 * on one another:
 *
 *   rans          the range coder, adaptive bits, plain bits, exponential Golomb
 *   symbols       adaptive symbols of 0..7
 *   context       the causal neighbourhood of a coefficient: expected magnitude
 *   sign_prediction   the predicted sign
 *   large_magnitude   magnitudes that no symbol holds
 *   visual_context, visual_row, visual_encoder   models and rows with one model: the fine levels of the visual profile
 *   signed_rows   predictor coefficients, and what they predict
 *   lossless, lossless_row, lossless_encoder   the same with two models: lossless, and the coarse levels of visual
 *   plane         planes: what they look at, their flags and groups of rows
 *   fit_*         the encoder's fit of predictor coefficients */
#include "entropy/fit_lossless.inc.h"
#include "entropy/plane.inc.h"

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
    return any >> (p->shift - p->raw) != 0;
}

/* Fitted parameters of a plane (CS46); apart from the hot loops, whose coder lives in registers. */
static __attribute__((noinline)) void code_fitted_in(coder *c, const int encoding, bit_model *models, int8_t *values,
                                                     uint32_t count) {
    for (uint32_t i = 0; i < count; i++) values[i] = (int8_t)(uint8_t)code_signed(c, encoding, models, values[i]);
}

WS_INLINE void code_fitted(coder *c, const int encoding, bit_model *models, int8_t *values, uint32_t count) {
    coder copy = *c; /* the address of the coder itself is given to no function */
    code_fitted_in(&copy, encoding, models, values, count);
    *c = copy;
}

/* The reconstruction parameters of a plane (CS28); they replace those of the layer before. */
WS_INLINE void code_reconstruction(coder *c, const int encoding, uint32_t filled, uint32_t chroma, uint32_t lossy,
                                   bit_model models[][16], ws_reconstruction *r) {
    const ws_reconstruction none = {.filled = r->filled};
    if (!encoding) *r = none;
    if (!lossy) return;
    if (filled) {
        code_fitted(c, encoding, models[OFFSETS], r->offset, 2);
        r->has_neighbours = (uint8_t)code_plain(c, encoding, 1, r->has_neighbours);
        if (r->has_neighbours) code_fitted(c, encoding, models[NEIGHBOURS], r->neighbours[0], 4);
        for (uint32_t i = 0; i < 4; i++) /* so that 256 times it fits an int16 with its negative */
            if (r->neighbours[i / 2][i % 2] == INT8_MIN) r->neighbours[i / 2][i % 2] = -INT8_MAX;
    }
    if (chroma) {
        r->has_luma = (uint8_t)code_plain(c, encoding, 1, r->has_luma);
        if (r->has_luma) code_fitted(c, encoding, models[LUMA], r->luma, 5);
    }
}

/* The sign predictor of a plane: coefficients of its own (two models, CS42), or the cross-channel predictor from luma
 * (CS33). */
WS_INLINE void code_predictor(coder *c, const int encoding, plane *p, workspace *w) {
    if (p->two_models) {
        set_default_coefficients(p);
        int8_t fit[MAX_COEFFICIENTS] = {0};
        const uint32_t brought =
            code_plain(c, encoding, 1, encoding && p->fitted_rows ? fit_coefficients(p, fit, &w->rows) : 0);
        for (uint32_t i = 0; brought && i < coefficient_count(p); i++)
            p->coefficients[i] =
                (int8_t)(uint8_t)(p->coefficients[i] + code_signed(c, encoding, w->coefficient,
                                                                   (int8_t)(uint8_t)(fit[i] - p->coefficients[i])));
    } else if (p->luma) {
        if (encoding) fit_luma_predictor(p);
        p->has_luma_predictor = code_plain(c, encoding, 1, p->has_luma_predictor);
        if (p->has_luma_predictor) code_fitted(c, encoding, w->fitted[CROSS_CHANNEL_PREDICTOR], p->luma_predictor, 5);
    }
}

/* All planes of one depth. */
WS_INLINE void code_depth(coder *c, const int encoding, const layer_task *task, uint32_t depth) {
    const ws_parameters *h = task->header;
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
        if (!encoding && !filled && layer && r->filled) shift_plane(p);
        if (!encoding) r->filled = filled || (layer && r->filled);
        code_reconstruction(c, encoding, filled, i >= 3, h->step[depth][i / 3][i % 3] << (p->shift - p->raw) > 1,
                            w->fitted, r);
        if (!filled) continue;
        code_predictor(c, encoding, p, w);
        code_plane(c, encoding, p, w);
        if (p->raw) {
            coder copy = *c;
            (encoding ? encode_raw_bits : decode_raw_bits)(&copy, p);
            *c = copy;
        }
    }
}

/* What is added to samples that clamped sums do not restore: how many samples are before each, and its number (CS51).
 */
static __attribute__((noinline)) void code_corrections_in(coder *c, const int encoding, const layer_task *task) {
    const uint32_t end = WS_TILE * WS_TILE;
    ws_reconstructions *r = task->reconstructions;
    int16_t *const all = r->corrections;
    if (!encoding && !all) return;
    r->corrected = (uint8_t)code_plain(c, encoding, 1, r->corrected);
    if (!r->corrected) return;
    for (uint32_t i = 0; !encoding && i < end; i++) all[i] = 0;
    for (uint32_t at = 0;; at++) {
        uint32_t next = at;
        while (encoding && next < end && !all[next]) next++;
        at += code_golomb(c, encoding, task->workspace->correction, next - at);
        if (at >= end) return;
        const uint32_t value = encoding ? (uint16_t)all[at] : 0;
        const uint32_t high = code_plain(c, encoding, 8, value >> 8), low = code_plain(c, encoding, 8, value & 255);
        if (!encoding) all[at] = (int16_t)(uint16_t)(high << 8 | low);
    }
}

WS_INLINE void code_corrections(coder *c, const int encoding, const layer_task *task) {
    coder copy = *c;
    code_corrections_in(&copy, encoding, task);
    *c = copy;
}

WS_INLINE void code_layer(coder *c, const int encoding, const layer_task *task) {
    const ws_parameters *h = task->header;
    const uint32_t square = WS_LL_ROOT * WS_LL_ROOT;
    workspace *w = task->workspace;
    init_workspace(w, task->layer, ws_two_models(h));
    if (task->layer == 0 && h->profile == WS_LOSSLESS)
        task->reconstructions->flat = (uint8_t)code_plain(c, encoding, ws_deep(h) ? 4 : 1, task->reconstructions->flat);
    for (uint32_t ch = 0; task->layer == 0 && h->kind == WS_APPROXIMATION && ch < (uint32_t)h->channels; ch++)
        code_ll_root(c, encoding, w->ll_root[ch], encoding ? 0 : task->ll_root + ch * square,
                     encoding ? task->ll_root_in + ch * square : 0);
    for (uint32_t depth = ws_depth(h); depth-- > 0;) code_depth(c, encoding, task, depth);
    if (ws_deep(h) && h->profile == WS_LOSSLESS && task->layer + 1 == (uint32_t)h->layers)
        code_corrections(c, encoding, task);
}

#ifdef WS_TRAIN
uint32_t ws_symbol_counts[2][2][2][2][WS_SYMBOL_MODELS][SYMBOLS], ws_bit_counts[2][2][2][2][13][2];
static workspace *counted;
static uint32_t counted_layer, counted_two;

void ws_count(const void *m, uint32_t symbol) {
    for (uint32_t i = 0; i < 4; i++) {
        model_set *set = &counted->sets[i / 2][i % 2];
        const uint32_t layer = counted_layer != 0, chroma = i / 2, hh = i % 2;
        if (m >= (void *)set->symbol && m < (void *)(set->symbol + WS_SYMBOL_MODELS))
            ws_symbol_counts[counted_two][layer][chroma][hh][(const symbol_model *)m - set->symbol][symbol]++;
        if (m >= (void *)&set->plane && m < (void *)set->second)
            ws_bit_counts[counted_two][layer][chroma][hh][(const bit_model *)m - &set->plane][symbol]++;
    }
}
#endif

uint32_t ws_encode_layer(const ws_parameters *header, uint32_t layer, const int16_t *q, const int16_t *ll_root,
                         const ws_reconstructions *reconstructions, uint8_t *out, uint32_t capacity, uint8_t *scratch) {
    coder c = {0};
    ws_reconstructions copy = *reconstructions;
#ifdef WS_TRAIN
    counted = (workspace *)scratch, counted_layer = layer, counted_two = (uint32_t)ws_two_models(header);
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

void ws_decode_layer(const ws_parameters *header, uint32_t layer, const uint8_t *bytes, uint32_t size, int16_t *q,
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
