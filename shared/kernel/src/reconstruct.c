/* Details from quantised coefficients: at the centroids the encoder measured, corrected by a prediction
 * from the neighbourhood. A zero says little about a detail; its neighbours, and luma for chroma, often say more. */
#include "vector.h"

enum { FEATURES = 7, BITS_NEIGHBOURS = 33, BITS_LUMA = 41 };

/* One row, from the uncorrected rows around it; `luma` is the row of luma between its rows above and below, or three
 * NULLs. */
WS_INLINE void correct_row(const int16_t *north, const int16_t *here, const int16_t *south,
                           const int16_t *const luma[3], ws_part part, const int clamped, const ws_reconstruction *r,
                           int16_t *out) {
    const lanes a0 = splat(r->neighbours[0][0] * 256), d0 = splat(r->neighbours[0][1] * 256);
    const lanes a1 = splat(r->neighbours[1][0] * 256), d1 = splat(r->neighbours[1][1] * 256);
    int16_t k[5];
    for (int i = 0; i < 5; i++) k[i] = (int16_t)(r->luma[i] * 64);
    for (uint32_t x = part.left; x < part.right; x += 8) {
        const lanes own = load_lanes(here + x), zero = (lanes)((signed_lanes)own == 0);
        lanes correction = {0};
        if (r->has_neighbours) {
            const lanes beside = sum_lanes(load_lanes(here + x - 1), load_lanes(here + x + 1), clamped),
                        over = sum_lanes(load_lanes(north + x), load_lanes(south + x), clamped);
            correction = sum_lanes(q15_products(beside, (a0 & zero) | (a1 & ~zero)),
                                   q15_products(over, (d0 & zero) | (d1 & ~zero)), clamped);
        }
        if (luma[0])
            correction +=
                zero & (q15_lanes(load_lanes(luma[1] + x), k[0]) + q15_lanes(load_lanes(luma[1] + x - 1), k[1]) +
                        q15_lanes(load_lanes(luma[1] + x + 1), k[2]) + q15_lanes(load_lanes(luma[0] + x), k[3]) +
                        q15_lanes(load_lanes(luma[2] + x), k[4]));
        store_lanes(out + x, sum_lanes(own, correction, clamped));
    }
}

/* A row of the part's columns and of those beside them, with a zero on both sides of the plane; what lies above and
 * below the plane is zero. */
static void padded_row(const int16_t *plane, int32_t y, ws_part part, int16_t *row) {
    const uint32_t left = ws_grown(part, 0).left, right = ws_grown(part, 0).right;
    row[0] = row[part.n + 1] = 0;
    if (y >= 0 && y < (int32_t)part.n)
        for (uint32_t x = left; x < right; x++) row[x + 1] = plane[(uint32_t)y * part.n + x];
    else
        for (uint32_t x = left; x < right; x++) row[x + 1] = 0;
}

/* What is added to a magnitude times `s`. */
static lanes centroid(int8_t offset, uint16_t s, const int clamped) {
    int32_t v = (offset * (int32_t)s) >> 7;
    if (clamped) v = v > INT16_MAX ? INT16_MAX : v < -INT16_MAX ? -INT16_MAX : v;
    return splat(v);
}

WS_INLINE void to_centroids(int16_t *m, uint32_t count, ws_scale scale, const int clamped, const int8_t offset[2]) {
    const uint16_t s = (uint16_t)(scale.step << scale.shift);
    const lanes one = centroid(offset[0], s, clamped), more = centroid(offset[1], s, clamped),
                limit = splat(s ? INT16_MAX / s : INT16_MAX);
    for (uint32_t i = 0; i < count; i += 8) {
        const lanes v = load_lanes(m + i), sign = (lanes)((signed_lanes)v < 0), a = (v ^ sign) - sign;
        const lanes is_zero = (lanes)(a == 0), is_one = (lanes)(a == 1);
        const lanes added = (one & is_one) + (more & ~(is_zero | is_one));
        const lanes r = sum_lanes((clamped ? minimum_lanes(a, limit) : a) * s, added, clamped);
        store_lanes(m + i, (r ^ sign) - sign);
    }
}

/* The same with the kind of sums chosen at run time. */
static void to_centroids_of(int16_t *m, uint32_t count, ws_scale scale, const int8_t offset[2]) {
    if (scale.clamped)
        to_centroids(m, count, scale, 1, offset);
    else
        to_centroids(m, count, scale, 0, offset);
}

/* Corrects a part of a plane, row by row, three uncorrected rows at a time. */
static void correct_plane(int16_t *plane, ws_part part, const int16_t *luma, int clamped, const ws_reconstruction *r) {
    int16_t rows[3][WS_HALF + 2], luma_rows[3][WS_HALF + 2];
    const int has_luma = luma && r->has_luma;
    for (uint32_t i = 0; i < 2; i++) {
        const int32_t y = (int32_t)(part.top + i) - 1;
        padded_row(plane, y, part, rows[(part.top + i) % 3]);
        if (has_luma) padded_row(luma, y, part, luma_rows[(part.top + i) % 3]);
    }
    for (uint32_t y = part.top; y < part.bottom; y++) {
        padded_row(plane, (int32_t)y + 1, part, rows[(y + 2) % 3]);
        if (has_luma) padded_row(luma, (int32_t)y + 1, part, luma_rows[(y + 2) % 3]);
        const int16_t *const beside[3] = {has_luma ? luma_rows[y % 3] + 1 : 0,
                                          has_luma ? luma_rows[(y + 1) % 3] + 1 : 0,
                                          has_luma ? luma_rows[(y + 2) % 3] + 1 : 0};
        const int16_t *const own[3] = {rows[y % 3] + 1, rows[(y + 1) % 3] + 1, rows[(y + 2) % 3] + 1};
        if (clamped)
            correct_row(own[0], own[1], own[2], beside, part, 1, r, plane + y * part.n);
        else
            correct_row(own[0], own[1], own[2], beside, part, 0, r, plane + y * part.n);
    }
}

void ws_reconstruct_plane(int16_t *m, ws_part part, ws_scale scale, const int16_t *luma, const ws_reconstruction *r) {
    const ws_part around = ws_grown(part, 1);
    for (uint32_t y = around.top; r->filled && y < around.bottom; y++)
        to_centroids_of(m + y * part.n + around.left, around.right - around.left, scale, r->offset);
    if (r->has_neighbours || (luma && r->has_luma)) correct_plane(m, part, luma, scale.clamped, r);
}

static void fit_offsets(const int16_t *in, const int16_t *m, uint32_t n, int32_t s, int8_t offset[2]) {
    float error[2] = {0, 0}, times[2] = {0, 0};
    for (uint32_t y = 0; y < n; y++) {
        int32_t row[2] = {0, 0}, seen[2] = {0, 0};
        for (uint32_t x = 0; x < n; x++) {
            const int32_t v = m[y * n + x], a = v < 0 ? -v : v, miss = (v < 0 ? -in[y * n + x] : in[y * n + x]) - a * s;
            row[0] += a == 1 ? miss : 0, row[1] += a > 1 ? miss : 0;
            seen[0] += a == 1, seen[1] += a > 1;
        }
        for (int i = 0; i < 2; i++) error[i] += (float)row[i], times[i] += (float)seen[i];
    }
    for (int i = 0; i < 2; i++) offset[i] = times[i] > 0 ? ws_fitted(error[i] * 128.0f / (times[i] * (float)s)) : 0;
}

void ws_solve(float *rows, int n, float *x) {
    const int width = n + 1;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            const float f = rows[i * width + i] > 0 ? rows[k * width + i] / rows[i * width + i] : 0;
            for (int j = i; j < width; j++) rows[k * width + j] -= f * rows[i * width + j];
        }
    for (int i = n; i-- > 0;) {
        x[i] = rows[i * width + n];
        for (int j = i + 1; j < n; j++) x[i] -= rows[i * width + j] * x[j];
        x[i] = rows[i * width + i] > 0 ? x[i] / rows[i * width + i] : 0;
    }
}

/* Normal equations of `count` features, the part left of the diagonal filled in; returns what they explain. */
static float solved(float sums[FEATURES][FEATURES + 1], int count, float *x) {
    float rows[FEATURES * (FEATURES + 1)], explained = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            rows[i * (count + 1) + j] = (i < j ? sums[i][j] : sums[j][i]) + (i == j ? 1.0f : 0.0f);
        rows[i * (count + 1) + count] = sums[i][FEATURES];
    }
    ws_solve(rows, count, x);
    for (int i = 0; i < count; i++) explained += x[i] * sums[i][FEATURES];
    return explained;
}

typedef float four_floats __attribute__((vector_size(16)));

typedef float eight_floats __attribute__((vector_size(32)));
typedef int32_t eight_ints __attribute__((vector_size(32)));

/* Adds what zeros of a row tell to the normal equations: `at` lists their places. Each of the sums takes its summands
 * in the order of the row. */
static void add_zeros(const int16_t *in, const int16_t *base, const int16_t *luma, int32_t n, const uint16_t *at,
                      uint32_t count, float sums[FEATURES][FEATURES + 1]) {
    eight_floats total[FEATURES];
    __builtin_memcpy(total, sums, sizeof total);
    for (uint32_t i = 0; i < count; i++) {
        const int16_t *b = base + at[i], *l = luma + at[i];
        const eight_ints all = {b[-1] + b[1], b[-n] + b[n], l[0], l[-1], l[1], l[-n], l[n], in[at[i]] - b[0]};
        const eight_floats v = __builtin_convertvector(all, eight_floats);
        for (int a = 0; a < FEATURES; a++) total[a] += v[a] * v; /* left of the diagonal too, where nothing reads */
    }
    __builtin_memcpy(sums, total, sizeof total);
}

/* The same for two features, without luma. */
static void add_plain(const int16_t *in, const int16_t *base, int32_t n, const uint16_t *at, uint32_t count,
                      float sums[FEATURES][FEATURES + 1]) {
    four_floats total[2] = {{sums[0][0], sums[0][1], sums[0][FEATURES], 0}, {0, sums[1][1], sums[1][FEATURES], 0}};
    for (uint32_t i = 0; i < count; i++) {
        const int16_t *b = base + at[i];
        const four_ints all = {b[-1] + b[1], b[-n] + b[n], in[at[i]] - b[0], 0};
        const four_floats v = __builtin_convertvector(all, four_floats);
        total[0] += v[0] * v, total[1] += v[1] * v;
    }
    sums[0][0] = total[0][0], sums[0][1] = total[0][1], sums[0][FEATURES] = total[0][2];
    sums[1][1] = total[1][1], sums[1][FEATURES] = total[1][2];
}

/* Least squares over some of the rows (all of a small plane): how the neighbourhood predicts the error of the
 * centroids. */
static void fit_corrections(const int16_t *in, const int16_t *base, uint32_t n, float s, const int16_t *luma,
                            ws_reconstruction *r) {
    const uint32_t every = n > 64 ? luma ? 8 : 4 : 1;
    float sums[2][FEATURES][FEATURES + 1] = {{{0}}}, x[2][FEATURES] = {{0}};
    for (uint32_t y = 1; y + 1 < n; y += every) {
        const int16_t *row = base + y * n, *from = in + y * n;
        uint16_t at[2][WS_HALF];
        uint32_t count[2] = {0, 0};
        for (uint32_t i = 1; i + 1 < n; i++) {
            const uint32_t other = row[i] != 0;
            at[0][count[0]] = (uint16_t)i, at[1][count[1]] = (uint16_t)i;
            count[0] += !other, count[1] += other;
        }
        if (luma)
            add_zeros(from, row, luma + y * n, (int32_t)n, at[0], count[0], sums[0]);
        else
            add_plain(from, row, (int32_t)n, at[0], count[0], sums[0]);
        add_plain(from, row, (int32_t)n, at[1], count[1], sums[1]);
    }
    const float worth = 0.1f * s * s / (float)every; /* of a bit */
    float zeros = solved(sums[0], 2, x[0]), others = solved(sums[1], 2, x[1]);
    r->has_neighbours = zeros + others > worth * BITS_NEIGHBOURS;
    if (luma) {
        float together[FEATURES];
        const float all = solved(sums[0], FEATURES, together);
        r->has_luma = all - (r->has_neighbours ? zeros : 0) > worth * BITS_LUMA;
        for (int i = 0; r->has_luma && i < FEATURES; i++) x[0][i] = together[i];
    }
    for (int k = 0; r->has_neighbours && k < 2; k++)
        for (int i = 0; i < 2; i++) r->neighbours[k][i] = ws_fitted(x[k][i] * 128.0f);
    for (int i = 0; r->has_luma && i < 5; i++) r->luma[i] = ws_fitted(x[0][i + 2] * 512.0f);
}

void ws_fit_reconstruction(const int16_t *in, const int16_t *q, uint32_t n, ws_scale scale, const int16_t *luma,
                           ws_reconstruction *r, int16_t *reconstructed) {
    const ws_reconstruction none = {0};
    const int32_t s = scale.step << scale.shift;
    *r = none;
    for (uint32_t i = 0; i < n * n; i++) {
        const int16_t m = (int16_t)((q[i] < 0 ? -q[i] : q[i]) >> scale.shift);
        reconstructed[i] = q[i] < 0 ? (int16_t)-m : m;
    }
    if (s > 1) fit_offsets(in, reconstructed, n, s, r->offset);
    to_centroids_of(reconstructed, n * n, scale, r->offset);
    if (s > 1) fit_corrections(in, reconstructed, n, (float)s, luma, r);
    if (!luma && r->has_neighbours) correct_plane(reconstructed, ws_whole(n), 0, scale.clamped, r);
}
