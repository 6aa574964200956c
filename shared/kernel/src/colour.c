/* Colour: pixels to centred samples and back. */
#include "vector.h"

static int clip255(int32_t v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

/* The order in which a reversible transform takes R, G, B: two outer channels, then the centre. */
static const uint8_t ORDER[3][3] = {{0, 2, 1}, {1, 2, 0}, {0, 1, 2}};

static void forward_pixel(const uint8_t *p, const ws_parameters *h, const ws_tuning *t, int16_t *out) {
    int32_t r = p[0] - 128, g = h->channels == 3 ? p[1] - 128 : 0, b = h->channels == 3 ? p[2] - 128 : 0;
    if (h->colour == WS_GREY) {
        for (int c = 0; c < h->channels; c++) out[c] = (int16_t)((p[c] - 128) * (1 << h->fraction_bits));
    } else if (h->colour == WS_MATRIX) {
        int down = 14 - h->fraction_bits;
        for (int c = 0; c < 3; c++) {
            const int32_t *m = t->forward + 3 * c;
            out[c] = (int16_t)((m[0] * r + m[1] * g + m[2] * b + (1 << down >> 1)) >> down);
        }
    } else {
        const uint8_t *o = ORDER[(h->colour - WS_YCOCG_G) % 3];
        int32_t rgb[3] = {r, g, b}, a = rgb[o[0]], d = rgb[o[1]], centre = rgb[o[2]];
        int32_t c0 = centre, c1 = a - centre, c2 = d - centre;
        if (h->colour <= WS_YCOCG_B) {
            int32_t mean = d + ((a - d) >> 1);
            c1 = a - d, c2 = centre - mean, c0 = mean + (c2 >> 1);
        }
        out[0] = (int16_t)c0, out[1] = (int16_t)(c1 - (h->inverse[0] * c0 >> 4));
        out[2] = (int16_t)(c2 - ((h->inverse[1] * c0 + h->inverse[2] * c1) >> 4));
    }
}

int ws_samples_from_pixels(const uint8_t *pixels, uint32_t width, uint32_t height, const ws_parameters *header,
                           const ws_tuning *tuning, int16_t *samples) {
    const uint32_t plane = WS_TILE * WS_TILE;
    int result = ws_check_parameters(header);
    if (result) return result;
    if (width < 1 || height < 1 || width > WS_TILE || height > WS_TILE || ws_check_tuning(tuning)) return WS_ARGUMENT;
    uint32_t channels = (uint32_t)header->channels;
    for (uint32_t y = 0; y < height; y++) {
        int16_t *row = samples + y * WS_TILE;
        for (uint32_t x = 0; x < width; x++) {
            int16_t s[3];
            forward_pixel(pixels + (y * width + x) * channels, header, tuning, s);
            for (uint32_t c = 0; c < channels; c++) row[c * plane + x] = s[c];
        }
        for (uint32_t c = 0; c < channels; c++)
            for (uint32_t x = width; x < WS_TILE; x++) row[c * plane + x] = row[c * plane + width - 1];
    }
    for (uint32_t c = 0; c < channels; c++)
        for (uint32_t y = height; y < WS_TILE; y++)
            for (uint32_t x = 0; x < WS_TILE; x++)
                samples[c * plane + y * WS_TILE + x] = samples[c * plane + (height - 1) * WS_TILE + x];
    return WS_OK;
}

/* One row of samples to three rows of bytes, eight at a time: both rows may be longer than `width`. */
static void inverse_matrix(const int16_t *const s[3], const ws_parameters *h, uint32_t width, uint8_t out[3][WS_TILE]) {
    const int down = 14 + h->fraction_bits;
    const uint16_t root = 256, rest = (uint16_t)(1u << (down - 1) >> 8); /* root * rest is what rounds */
    for (int c = 0; c < 3; c++) {
        const uint16_t a = (uint16_t)h->inverse[3 * c], b = (uint16_t)h->inverse[3 * c + 1],
                       d = (uint16_t)h->inverse[3 * c + 2];
        const lanes ab = {a, b, a, b, a, b, a, b}, de = {d, rest, d, rest, d, rest, d, rest}, one = (lanes){0} + root;
        for (uint32_t x = 0; x < width; x += 8) {
            const lanes v = load_lanes(s[0] + x), w = load_lanes(s[1] + x), z = load_lanes(s[2] + x);
            const four_words low = sums_of_pairs(__builtin_shufflevector(v, w, 0, 8, 1, 9, 2, 10, 3, 11), ab) +
                                   sums_of_pairs(__builtin_shufflevector(z, one, 0, 8, 1, 9, 2, 10, 3, 11), de);
            const four_words high = sums_of_pairs(__builtin_shufflevector(v, w, 4, 12, 5, 13, 6, 14, 7, 15), ab) +
                                    sums_of_pairs(__builtin_shufflevector(z, one, 4, 12, 5, 13, 6, 14, 7, 15), de);
            const eight_bytes bytes = clipped_bytes((four_ints)low >> down, (four_ints)high >> down);
            __builtin_memcpy(out[c] + x, &bytes, sizeof bytes);
        }
    }
}

static void inverse_reversible(const int16_t *const s[3], const ws_parameters *h, uint32_t width,
                               uint8_t out[3][WS_TILE]) {
    const uint8_t *o = ORDER[(h->colour - WS_YCOCG_G) % 3];
    const int lifted = h->colour <= WS_YCOCG_B;
    const int32_t k10 = h->inverse[0], k20 = h->inverse[1], k21 = h->inverse[2];
    for (uint32_t x = 0; x < width; x++) {
        const int32_t c0 = s[0][x], c1 = s[1][x] + (k10 * c0 >> 4), c2 = s[2][x] + ((k20 * c0 + k21 * c1) >> 4);
        const int32_t mean = c0 - (c2 >> 1), centre = lifted ? c2 + mean : c0;
        const int32_t d = lifted ? mean - (c1 >> 1) : c2 + centre, a = c1 + (lifted ? d : centre);
        out[o[0]][x] = (uint8_t)clip255(a + 128), out[o[1]][x] = (uint8_t)clip255(d + 128);
        out[o[2]][x] = (uint8_t)clip255(centre + 128);
    }
}

static void inverse_grey(const int16_t *s, const ws_parameters *h, uint32_t width, uint8_t out[3][WS_TILE]) {
    const int f = h->fraction_bits;
    for (uint32_t x = 0; x < width; x++)
        out[0][x] = out[1][x] = out[2][x] = (uint8_t)clip255(((s[x] + (1 << f >> 1)) >> f) + 128);
}

static void interleave(uint8_t rgb[3][WS_TILE], uint32_t width, uint32_t components, uint8_t *out) {
    if (components == 4)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t pixel = rgb[0][x] | (uint32_t)rgb[1][x] << 8 | (uint32_t)rgb[2][x] << 16 | 0xFF000000u;
            __builtin_memcpy(out + 4 * x, &pixel, sizeof pixel);
        }
    else
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t k = 0; k < components; k++) out[components * x + k] = rgb[k][x];
}

int ws_pixels_from_samples(const int16_t *samples, const ws_parameters *header, uint32_t width, uint32_t height,
                           uint32_t components, uint8_t *pixels) {
    const uint32_t plane = WS_TILE * WS_TILE;
    int result = ws_check_parameters(header);
    if (result) return result;
    if (width < 1 || height < 1 || width > WS_TILE || height > WS_TILE) return WS_ARGUMENT;
    if (components != 1 && components != 3 && components != 4) return WS_ARGUMENT;
    if (components == 1 && header->channels != 1) return WS_ARGUMENT;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t rgb[3][WS_TILE];
        const int16_t *row = samples + y * WS_TILE, *rows[3] = {row, row + plane, row + 2 * plane};
        if (header->colour == WS_GREY)
            inverse_grey(row, header, width, rgb);
        else if (header->colour == WS_MATRIX)
            inverse_matrix(rows, header, width, rgb);
        else
            inverse_reversible(rows, header, width, rgb);
        interleave(rgb, width, components, pixels + y * width * components);
    }
    return WS_OK;
}
