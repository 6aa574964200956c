/* The 2/10 average-interpolating transform in integers: the low band is the mean of each 2 x 2, exactly. */
#include "internal.h"

/* 22/64 and 3/64 as Q15: the predictor of the difference within a pair from the means around it. */
enum { NEAR = 11264, FAR = 1536 };

static inline int16_t q15(int16_t a, int16_t b) { return (int16_t)(((int32_t)a * b + 16384) >> 15); }

/* Predicted a - b of a pair whose neighbours' means are m2, m1, (own), p1, p2 from left to right. */
static inline int16_t predict(int16_t m2, int16_t m1, int16_t p1, int16_t p2) {
    return (int16_t)(q15((int16_t)(m1 - p1), NEAR) - q15((int16_t)(m2 - p2), FAR));
}

/* Half-sample symmetric extension by two on either side. */
static inline void extend(int16_t *s, int n) {
    s[-1] = s[0], s[-2] = s[1], s[n] = s[n - 1], s[n + 1] = s[n - 2];
}

static void analyze_rows(const int16_t *in, int stride, int n, int16_t *low, int16_t *high) {
    int16_t padded[WS_HALF + 16], *s = padded + 8;
    for (int y = 0; y < 2 * n; y++) {
        const int16_t *row = in + y * stride;
        int16_t *d = high + y * n;
        for (int x = 0; x < n; x++) {
            int16_t a = row[2 * x], b = row[2 * x + 1];
            s[x] = (int16_t)((a & b) + ((a ^ b) >> 1));
            d[x] = (int16_t)(a - b);
        }
        extend(s, n);
        for (int x = 0; x < n; x++) {
            low[y * n + x] = s[x];
            d[x] = (int16_t)(d[x] - predict(s[x - 2], s[x - 1], s[x + 1], s[x + 2]));
        }
    }
}

static int mirror(int i, int n) { return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i; }

/* Columns of a [2n][n] plane to its means and details [n][n]. */
static void analyze_columns(const int16_t *in, int n, int16_t *mean, int mean_stride, int16_t *detail) {
    for (int y = 0; y < n; y++) {
        const int16_t *a = in + 2 * y * n, *b = a + n;
        int16_t *s = mean + y * mean_stride, *d = detail + y * n;
        for (int x = 0; x < n; x++) {
            s[x] = (int16_t)((a[x] | b[x]) - ((a[x] ^ b[x]) >> 1));
            d[x] = (int16_t)(a[x] - b[x]);
        }
    }
    for (int y = 0; y < n; y++) {
        const int16_t *m2 = mean + mirror(y - 2, n) * mean_stride, *m1 = mean + mirror(y - 1, n) * mean_stride;
        const int16_t *p1 = mean + mirror(y + 1, n) * mean_stride, *p2 = mean + mirror(y + 2, n) * mean_stride;
        int16_t *d = detail + y * n;
        for (int x = 0; x < n; x++) d[x] = (int16_t)(d[x] - predict(m2[x], m1[x], p1[x], p2[x]));
    }
}

void ws_analyze_plane(const int16_t *in, int stride, int n, int16_t *ll, int16_t *details, int16_t *scratch) {
    int16_t *low = scratch, *high = scratch + 2 * n * n;
    analyze_rows(in, stride, n, low, high);
    analyze_columns(low, n, ll, n, details + n * n);
    analyze_columns(high, n, details, n, details + 2 * n * n);
}

static void synthesize_columns(const int16_t *mean, int mean_stride, const int16_t *detail, int n, int16_t *out) {
    for (int y = 0; y < n; y++) {
        const int16_t *s = mean + y * mean_stride, *d = detail + y * n;
        const int16_t *m2 = mean + mirror(y - 2, n) * mean_stride, *m1 = mean + mirror(y - 1, n) * mean_stride;
        const int16_t *p1 = mean + mirror(y + 1, n) * mean_stride, *p2 = mean + mirror(y + 2, n) * mean_stride;
        int16_t *a = out + 2 * y * n, *b = a + n;
        for (int x = 0; x < n; x++) {
            int16_t d0 = (int16_t)(d[x] + predict(m2[x], m1[x], p1[x], p2[x]));
            int16_t top = (int16_t)(s[x] + (d0 >> 1));
            a[x] = top, b[x] = (int16_t)(top - d0);
        }
    }
}

static void synthesize_rows(const int16_t *low, const int16_t *high, int n, int16_t *out, int stride) {
    int16_t padded[WS_HALF + 16], *s = padded + 8;
    for (int y = 0; y < 2 * n; y++) {
        const int16_t *d = high + y * n;
        int16_t *row = out + y * stride;
        for (int x = 0; x < n; x++) s[x] = low[y * n + x];
        extend(s, n);
        for (int x = 0; x < n; x++) {
            int16_t d0 = (int16_t)(d[x] + predict(s[x - 2], s[x - 1], s[x + 1], s[x + 2]));
            int16_t left = (int16_t)(s[x] + (d0 >> 1) + (d0 & 1));
            row[2 * x] = left, row[2 * x + 1] = (int16_t)(left - d0);
        }
    }
}

void ws_synthesize_plane(const int16_t *ll, int ll_stride, const int16_t *details, int n, int16_t *out, int stride,
                         int16_t *scratch) {
    int16_t *low = scratch, *high = scratch + 2 * n * n;
    synthesize_columns(ll, ll_stride, details + n * n, n, low);
    synthesize_columns(details, n, details + 2 * n * n, n, high);
    synthesize_rows(low, high, n, out, stride);
}

int ws_analyze(const int16_t *samples, uint32_t channels, int16_t *ll, int16_t *details, uint8_t *scratch) {
    const int n = WS_HALF;
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    for (uint32_t c = 0; c < channels; c++)
        ws_analyze_plane(samples + c * 4 * n * n, WS_TILE, n, ll + c * n * n, details + c * 3 * n * n,
                         (int16_t *)scratch);
    return WS_OK;
}

int ws_synthesize(const int16_t *ll, const int16_t *details, uint32_t channels, int16_t *samples, uint8_t *scratch) {
    const int n = WS_HALF;
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    for (uint32_t c = 0; c < channels; c++)
        ws_synthesize_plane(ll + c * n * n, n, details + c * 3 * n * n, n, samples + c * 4 * n * n, WS_TILE,
                            (int16_t *)scratch);
    return WS_OK;
}
