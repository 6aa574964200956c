/* The 2/10 average-interpolating transform in integers: the low band is the mean of each 2 x 2, exactly. */
#include "vector.h"

/* 22/64 and 3/64 as Q15: the predictor of the difference within a pair from the means around it. */
enum { NEAR = 11264, FAR = 1536 };

/* Means of a pair across, rounded down, and of a pair down, rounded up, without overflow. */
static inline int16_t mean_across(int16_t a, int16_t b) { return (int16_t)((a & b) + ((a ^ b) >> 1)); }
static inline int16_t mean_down(int16_t a, int16_t b) { return (int16_t)((a | b) - ((a ^ b) >> 1)); }

/* Predicted a - b of eight pairs, from the differences of means near and far. */
WS_INLINE lanes predict_from(lanes near, lanes far, uint16_t flat) {
    const lanes predicted = q15_lanes(near, NEAR) - q15_lanes(far, FAR);
    if (!flat) return predicted;
    const lanes limit = splat(flat), twice = limit + limit;
    return predicted & (lanes)((near + limit > twice) | (far + limit > twice));
}

/* The same where the means lie. */
WS_INLINE lanes predict_lanes(const int16_t *m2, const int16_t *m1, const int16_t *p1, const int16_t *p2, uint16_t flat,
                              const int clamped) {
    return predict_from(difference_lanes(load_lanes(m1), load_lanes(p1), clamped),
                        difference_lanes(load_lanes(m2), load_lanes(p2), clamped), flat);
}

/* Half of eight differences, rounded down. */
WS_INLINE lanes half_of(lanes differences) { return (lanes)((signed_lanes)differences >> 1); }

/* A row of means: outside the plane those of its siblings where it has them, else whole-sample symmetric. */
static const int16_t *mean_row(const int16_t *mean, int stride, int n, int y, ws_siblings siblings) {
    if (y < 0 && !siblings.above) y = -y;
    if (y >= n && !siblings.below) y = 2 * n - 2 - y;
    return mean + y * stride;
}

/* Two rows from a row of means, the two rows of means before and after it, and its details: whole groups of eight. */
WS_INLINE void synthesize_pairs(const int16_t *const mean[5], const int16_t *d, int count, uint16_t flat,
                                const int clamped, int16_t *upper, int16_t *lower) {
    for (int x = 0; x < count; x += 8) {
        const lanes predicted = predict_lanes(mean[0] + x, mean[1] + x, mean[3] + x, mean[4] + x, flat, clamped),
                    difference = sum_lanes(load_lanes(d + x), predicted, clamped),
                    top = sum_lanes(load_lanes(mean[2] + x), half_of(difference), clamped);
        store_lanes(upper + x, top), store_lanes(lower + x, difference_lanes(top, difference, clamped));
    }
}

/* Two columns of the neighbour in the parent, the nearer one first, as predicted from its means alone: [2n][2]. */
WS_INLINE void predict_beside(const int16_t *ll, int stride, ws_part part, ws_siblings siblings, int16_t *beside) {
    const int n = (int)part.n, top = (int)part.top, count = (int)(part.bottom - part.top);
    int16_t means[WS_HALF + 12] = {0}, none[WS_HALF] = {0}, upper[WS_HALF], lower[WS_HALF];
    const int16_t *const around[5] = {means, means + 1, means + 2, means + 3, means + 4};
    for (int i = 0; i < 2; i++) {
        const int x = siblings.left ? -1 - i : n + i;
        for (int y = 0; y < count + 4; y++) means[y] = mean_row(ll, stride, n, top + y - 2, siblings)[x];
        synthesize_pairs(around, none, count, siblings.flat, siblings.clamped, upper, lower);
        int16_t *out = beside + 4 * top + i;
        for (int y = 0; y < count; y++) out[4 * y] = upper[y], out[4 * y + 2] = lower[y];
    }
}

/* Two means past both ends of a row: whole-sample symmetric, or those of the sibling. */
static inline void extend(int16_t *s, int n, ws_siblings siblings, const int16_t *beside) {
    s[-1] = s[1], s[-2] = s[2], s[n] = s[n - 2], s[n + 1] = s[n - 3];
    if (siblings.left) s[-1] = beside[0], s[-2] = beside[1];
    if (siblings.right) s[n] = beside[0], s[n + 1] = beside[1];
}

/* Rows to means and differences. */
WS_INLINE void mean_rows(const int16_t *in, int stride, int n, const int clamped, int16_t *low, int16_t *high) {
    for (int y = 0; y < 2 * n; y++)
        for (int x = 0; x < n; x += 8) {
            const lanes v = load_lanes(in + y * stride + 2 * x), w = load_lanes(in + y * stride + 2 * x + 8);
            const lanes a = __builtin_shufflevector(v, w, 0, 2, 4, 6, 8, 10, 12, 14),
                        b = __builtin_shufflevector(v, w, 1, 3, 5, 7, 9, 11, 13, 15);
            store_lanes(low + y * n + x, (a & b) + half_of(a ^ b));
            store_lanes(high + y * n + x, difference_lanes(a, b, clamped));
        }
}

/* Differences of a row to details; `s` are its means, `before` and `after` the two beyond either end, the nearer one
 * first. */
WS_INLINE void predict_row(const int16_t *s, int n, const int16_t before[2], const int16_t after[2], uint16_t flat,
                           const int clamped, int16_t *d) {
    const lanes left = {(uint16_t)before[1], (uint16_t)before[0]}, right = {(uint16_t)after[0], (uint16_t)after[1]};
    for (int x = 0; x < n; x += 8) {
        const lanes here = load_lanes(s + x),
                    w = x ? load_lanes(s + x - 8) : __builtin_shufflevector(left, left, 2, 2, 2, 2, 2, 2, 0, 1),
                    e = x + 8 < n ? load_lanes(s + x + 8) : right;
        const lanes m2 = __builtin_shufflevector(w, here, 6, 7, 8, 9, 10, 11, 12, 13),
                    m1 = __builtin_shufflevector(w, here, 7, 8, 9, 10, 11, 12, 13, 14),
                    p1 = __builtin_shufflevector(here, e, 1, 2, 3, 4, 5, 6, 7, 8),
                    p2 = __builtin_shufflevector(here, e, 2, 3, 4, 5, 6, 7, 8, 9);
        const lanes predicted =
            predict_from(difference_lanes(m1, p1, clamped), difference_lanes(m2, p2, clamped), flat);
        store_lanes(d + x, difference_lanes(load_lanes(d + x), predicted, clamped));
    }
}

/* Differences to details; `low` are the means of the rows. */
WS_INLINE void predict_rows(const int16_t *low, int n, ws_siblings siblings, const int16_t *beside, int16_t *high) {
    for (int y = 0; y < 2 * n; y++) {
        const int16_t *s = low + y * n;
        const int16_t mirrored[2][2] = {{s[1], s[2]}, {s[n - 2], s[n - 3]}};
        predict_row(s, n, siblings.left ? beside + 2 * y : mirrored[0], siblings.right ? beside + 2 * y : mirrored[1],
                    siblings.flat, siblings.clamped, high + y * n);
    }
}

/* Columns of a [2n][n] plane to its means and details [n][n]. */
WS_INLINE void analyze_columns(const int16_t *in, int n, int16_t *mean, int mean_stride, ws_siblings siblings,
                               int16_t *detail) {
    const int clamped = siblings.clamped;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x += 8) {
            const lanes a = load_lanes(in + 2 * y * n + x), b = load_lanes(in + (2 * y + 1) * n + x);
            store_lanes(mean + y * mean_stride + x, (a | b) - half_of(a ^ b));
            store_lanes(detail + y * n + x, difference_lanes(a, b, clamped));
        }
    for (int y = 0; y < n; y++) {
        const int16_t *m2 = mean_row(mean, mean_stride, n, y - 2, siblings),
                      *m1 = mean_row(mean, mean_stride, n, y - 1, siblings);
        const int16_t *p1 = mean_row(mean, mean_stride, n, y + 1, siblings),
                      *p2 = mean_row(mean, mean_stride, n, y + 2, siblings);
        int16_t *d = detail + y * n;
        for (int x = 0; x < n; x += 8) {
            const lanes predicted = predict_lanes(m2 + x, m1 + x, p1 + x, p2 + x, siblings.flat, clamped);
            store_lanes(d + x, difference_lanes(load_lanes(d + x), predicted, clamped));
        }
    }
}

WS_INLINE void analyze_plane(const int16_t *in, int stride, int n, int16_t *ll, int ll_stride, ws_siblings siblings,
                             int16_t *details, int16_t *scratch) {
    int16_t *low = scratch, *high = scratch + 2 * n * n, beside[2 * WS_TILE];
    const ws_siblings none = {.clamped = siblings.clamped, .flat = siblings.flat};
    mean_rows(in, stride, n, siblings.clamped, low, high);
    analyze_columns(low, n, ll, ll_stride, siblings, details + n * n);
    if (siblings.left || siblings.right) predict_beside(ll, ll_stride, ws_whole((uint32_t)n), siblings, beside);
    predict_rows(low, n, siblings, beside, high);
    analyze_columns(high, n, details, n, none, details + 2 * n * n);
}

void ws_analyze_plane(const int16_t *in, int stride, int n, int16_t *ll, int ll_stride, ws_siblings siblings,
                      int16_t *details, int16_t *scratch) {
    /* a constant for the compiler: one text, two functions */
    if (siblings.clamped)
        siblings.clamped = 1, analyze_plane(in, stride, n, ll, ll_stride, siblings, details, scratch);
    else
        siblings.clamped = 0, analyze_plane(in, stride, n, ll, ll_stride, siblings, details, scratch);
}

WS_INLINE void synthesize_columns(const int16_t *mean, int mean_stride, const int16_t *detail, ws_part part,
                                  ws_siblings siblings, int16_t *out) {
    const int n = (int)part.n, left = (int)part.left;
    for (int y = (int)part.top; y < (int)part.bottom; y++) {
        const int16_t *rows[5];
        for (int k = 0; k < 5; k++) rows[k] = mean_row(mean, mean_stride, n, y - 2 + k, siblings) + left;
        int16_t *upper = out + 2 * y * n + left;
        synthesize_pairs(rows, detail + y * n + left, (int)part.right - left, siblings.flat, siblings.clamped, upper,
                         upper + n);
    }
}

WS_INLINE void synthesize_rows(const int16_t *low, const int16_t *high, ws_part part, ws_siblings siblings,
                               const int16_t *beside, int16_t *out, int stride) {
    const int clamped = siblings.clamped;
    const ws_part around = ws_grown(part, 0);
    const int n = (int)part.n, count = (int)(part.right - part.left), left = (int)part.left;
    const int from = (int)around.left, to = (int)around.right;
    int16_t padded[WS_HALF + 16] = {0}, *s = padded + 8;
    for (int y = 2 * (int)part.top; y < 2 * (int)part.bottom; y++) {
        const int16_t *d = high + y * n + left, *m = s + left;
        int16_t *row = out + y * stride + 2 * left;
        for (int x = from; x < to; x++) s[x] = low[y * n + x];
        extend(s, n, siblings, beside + 2 * y);
        for (int x = 0; x < count; x += 8) {
            const lanes predicted = predict_lanes(m + x - 2, m + x - 1, m + x + 1, m + x + 2, siblings.flat, clamped),
                        difference = sum_lanes(load_lanes(d + x), predicted, clamped),
                        even = sum_lanes(load_lanes(m + x), half_of(difference), clamped),
                        first = sum_lanes(even, difference & 1, clamped),
                        second = difference_lanes(first, difference, clamped);
            store_lanes(row + 2 * x, __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11));
            store_lanes(row + 2 * x + 8, __builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15));
        }
    }
}

WS_INLINE void synthesize_plane(const int16_t *ll, int ll_stride, ws_siblings siblings, const int16_t *details,
                                ws_part part, int16_t *out, int stride, int16_t *scratch) {
    const int n = (int)part.n;
    int16_t *low = scratch, *high = scratch + 2 * n * n, beside[2 * WS_TILE];
    const ws_siblings none = {.clamped = siblings.clamped, .flat = siblings.flat};
    if (siblings.left || siblings.right) predict_beside(ll, ll_stride, part, siblings, beside);
    synthesize_columns(ll, ll_stride, details + n * n, ws_grown(part, 0), siblings, low);
    synthesize_columns(details, n, details + 2 * n * n, part, none, high);
    synthesize_rows(low, high, part, siblings, beside, out, stride);
}

void ws_synthesize_plane(const int16_t *ll, int ll_stride, ws_siblings siblings, const int16_t *details, ws_part part,
                         int16_t *out, int stride, int16_t *scratch) {
    if (siblings.clamped)
        siblings.clamped = 1, synthesize_plane(ll, ll_stride, siblings, details, part, out, stride, scratch);
    else
        siblings.clamped = 0, synthesize_plane(ll, ll_stride, siblings, details, part, out, stride, scratch);
}

void ws_synthesize_approximation(const ws_parameters *header, const int16_t *ll_root, const int16_t *details,
                                 uint32_t flat, int16_t *temporary, int16_t *low, int16_t *samples) {
    const uint32_t channels = (uint32_t)header->channels;
    for (uint32_t c = 0; c < channels; c++) {
        const int16_t *ll = ll_root + c * WS_LL_ROOT * WS_LL_ROOT;
        for (uint32_t d = WS_DEPTH; d-- > 0;) {
            int n = WS_HALF >> d;
            int16_t *out = d == 0 ? samples + c * WS_TILE * WS_TILE : low + (d & 1 ? 0 : WS_HALF * WS_HALF);
            ws_synthesize_plane(ll, n, ws_alone(header, flat), details + ws_plane_offset(channels, d, c, 0),
                                ws_whole((uint32_t)n), out, 2 * n, temporary);
            ll = out;
        }
    }
}

int ws_means(const int16_t *samples, uint32_t channels, int16_t *ll) {
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    for (uint32_t row = 0; row < channels * WS_HALF; row++) {
        const int16_t *above = samples + row * 2 * WS_TILE, *below = above + WS_TILE;
        for (uint32_t x = 0; x < WS_HALF; x++) {
            const int16_t a = mean_across(above[2 * x], above[2 * x + 1]),
                          b = mean_across(below[2 * x], below[2 * x + 1]);
            ll[row * WS_HALF + x] = mean_down(a, b);
        }
    }
    return WS_OK;
}

/* Of samples of 8 bits no sum leaves int16; all others are clamped (CS49). */
static const ws_siblings CLAMPED = {.clamped = 1};

int ws_analyze(const int16_t *samples, uint32_t channels, int16_t *ll, int16_t *details, uint8_t *scratch) {
    const int n = WS_HALF;
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    for (uint32_t c = 0; c < channels; c++)
        ws_analyze_plane(samples + c * 4 * n * n, WS_TILE, n, ll + c * n * n, n, CLAMPED, details + c * 3 * n * n,
                         (int16_t *)scratch);
    return WS_OK;
}

int ws_synthesize(const int16_t *ll, const int16_t *details, uint32_t channels, int16_t *samples, uint8_t *scratch) {
    const int n = WS_HALF;
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(ll + c * n * n, n, CLAMPED, details + c * 3 * n * n, ws_whole(WS_HALF),
                            samples + c * 4 * n * n, WS_TILE, (int16_t *)scratch);
    return WS_OK;
}
