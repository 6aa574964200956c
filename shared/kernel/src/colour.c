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

/* Eight RGB pixels, 24 bytes, as centred R, G and B. */
WS_INLINE void split_rgb(const uint8_t *p, lanes rgb[3]) {
    many_bytes a, b;
    __builtin_memcpy(&a, p, sizeof a), __builtin_memcpy(&b, p + 8, sizeof b);
    const eight_bytes red = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 26, 29),
                      green = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 24, 27, 30),
                      blue = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 25, 28, 31);
    const uint16_t centre = 128;
    rgb[0] = __builtin_convertvector(red, lanes) - centre, rgb[1] = __builtin_convertvector(green, lanes) - centre;
    rgb[2] = __builtin_convertvector(blue, lanes) - centre;
}

typedef uint16_t four_shorts __attribute__((vector_size(8)));

/* Whole groups of eight pixels of a row through the matrix; returns where the rest begins. */
static uint32_t forward_matrix(const uint8_t *pixels, uint32_t width, const ws_parameters *h, const ws_tuning *t,
                               int16_t *row) {
    const int down = 14 - h->fraction_bits;
    const uint16_t half = (uint16_t)(1u << down >> 1);
    const lanes one = (lanes){0} + 1;
    uint32_t x = 0;
    for (; x + 8 <= width; x += 8) {
        lanes rgb[3];
        split_rgb(pixels + 3 * x, rgb);
        const lanes rg_low = __builtin_shufflevector(rgb[0], rgb[1], 0, 8, 1, 9, 2, 10, 3, 11),
                    rg_high = __builtin_shufflevector(rgb[0], rgb[1], 4, 12, 5, 13, 6, 14, 7, 15),
                    b_low = __builtin_shufflevector(rgb[2], one, 0, 8, 1, 9, 2, 10, 3, 11),
                    b_high = __builtin_shufflevector(rgb[2], one, 4, 12, 5, 13, 6, 14, 7, 15);
        for (uint32_t c = 0; c < 3; c++) {
            const uint16_t m = (uint16_t)t->forward[3 * c], n = (uint16_t)t->forward[3 * c + 1],
                           o = (uint16_t)t->forward[3 * c + 2];
            const lanes mn = {m, n, m, n, m, n, m, n}, oh = {o, half, o, half, o, half, o, half};
            const four_ints low = (four_ints)(sums_of_pairs(rg_low, mn) + sums_of_pairs(b_low, oh)) >> down,
                            high = (four_ints)(sums_of_pairs(rg_high, mn) + sums_of_pairs(b_high, oh)) >> down;
            const four_shorts l = __builtin_convertvector(low, four_shorts),
                              u = __builtin_convertvector(high, four_shorts);
            int16_t *to = row + c * WS_TILE * WS_TILE + x;
            __builtin_memcpy(to, &l, sizeof l), __builtin_memcpy(to + 4, &u, sizeof u);
        }
    }
    return x;
}

static int has_bytes(const ws_parameters *h) {
    return h->bit_depth == 8 && !h->is_signed && h->colour <= WS_SUBTRACT_B;
}

/* The least and the largest value of a pixel. */
static int32_t lowest(const ws_parameters *h) { return h->is_signed ? -(1 << (h->bit_depth - 1)) : 0; }
static int32_t highest(const ws_parameters *h) { return lowest(h) + (1 << h->bit_depth) - 1; }

/* The value of a pixel in one or two bytes. */
WS_INLINE int32_t get_value(const uint8_t *p, int two, int is_signed) {
    uint16_t v = p[0];
    if (two) __builtin_memcpy(&v, p, sizeof v);
    return !is_signed ? v : two ? (int16_t)v : (int8_t)v;
}

WS_INLINE void put_value(uint8_t *p, int two, int32_t value) {
    const uint16_t v = (uint16_t)value;
    if (two)
        __builtin_memcpy(p, &v, sizeof v);
    else
        *p = (uint8_t)v;
}

/* The largest integer whose square is at most v. */
static int64_t square_root(int64_t v) {
    int64_t r = (int64_t)__builtin_sqrt((double)v);
    while (r * r > v) r--;
    while ((r + 1) * (r + 1) <= v) r++;
    return r;
}

/* A value in units of its noise, 2^fraction_bits to a standard deviation: CS52. */
static int16_t stabilise(int32_t value, const int32_t *noise) {
    const int64_t above = value - noise[0], slope = noise[1], bend = noise[2];
    const int64_t v =
        above < 0 ? -((-above * 8 * slope + bend / 2) / bend) : square_root(16 * slope * above + bend * bend) - bend;
    const int64_t sample = ((v + 8) >> 4) - noise[3];
    return (int16_t)(sample > INT16_MAX ? INT16_MAX : sample < INT16_MIN ? INT16_MIN : sample);
}

/* a / b of numbers that are not negative, rounded down; `inverse` is 1 / b. */
WS_INLINE int64_t quotient(int64_t a, int64_t b, double inverse) {
    const int64_t q = (int64_t)((double)a * inverse), rest = a - q * b;
    return q + (rest >= b) - (rest < 0);
}

/* What the value of a sample in units of noise is computed from. */
typedef struct {
    int64_t up, down, bend;
    double inverse_up, inverse_down;
    int32_t black, base, least, most;
} noise_inverse;

static noise_inverse inverse_of_noise(const ws_parameters *h) {
    const int64_t up = 16 * (int64_t)h->inverse[1], down = 8 * (int64_t)h->inverse[1];
    return (noise_inverse){
        up,        down,      h->inverse[2], 1.0 / (double)up, 1.0 / (double)down, h->inverse[0], h->inverse[3],
        lowest(h), highest(h)};
}

/* CS52 */
WS_INLINE int32_t value_of_noise(int32_t sample, const noise_inverse *k) {
    const int64_t v = 16 * ((int64_t)sample + k->base), size = v < 0 ? -v : v;
    const int64_t above = v < 0 ? -quotient(size * k->bend + k->down / 2, k->down, k->inverse_down)
                                : quotient(size * (size + 2 * k->bend) + k->up / 2, k->up, k->inverse_up);
    const int64_t value = k->black + above;
    return value < k->least ? k->least : value > k->most ? k->most : (int32_t)value;
}

enum { TABLE_VALUES = 8192 };

/* Samples in units of noise to values, by a table of those that occur where there are fewer than pixels. */
static void values_of_noise(const int16_t *samples, const ws_parameters *h, uint32_t width, uint32_t height,
                            uint8_t *out) {
    const noise_inverse k = inverse_of_noise(h);
    const int two = ws_deep(h);
    uint16_t table[TABLE_VALUES];
    int32_t least = samples[0], most = samples[0];
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int32_t s = samples[y * WS_TILE + x];
            least = s < least ? s : least, most = s > most ? s : most;
        }
    const uint32_t count = (uint32_t)(most - least) + 1, tabulated = count <= TABLE_VALUES && count < width * height;
    for (uint32_t i = 0; tabulated && i < count; i++) table[i] = (uint16_t)value_of_noise(least + (int32_t)i, &k);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int32_t s = samples[y * WS_TILE + x];
            put_value(out + ((y * width + x) << two), two, tabulated ? table[s - least] : value_of_noise(s, &k));
        }
}

/* One channel that is not 8 unsigned bits, to samples; WS_ARGUMENT if a value has too many bits. */
static int samples_of_values(const uint8_t *values, uint32_t width, uint32_t height, const ws_parameters *h,
                             int16_t *samples) {
    const int two = ws_deep(h);
    const int32_t least = lowest(h), most = highest(h), centre = least + (1 << (h->bit_depth - 1));
    int outside = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int32_t v = get_value(values + ((y * width + x) << two), two, h->is_signed);
            outside |= (v < least) | (v > most);
            samples[y * WS_TILE + x] = (int16_t)(h->colour == WS_STABILISED ? stabilise(v, h->inverse)
                                                                            : (v - centre) * (1 << h->fraction_bits));
        }
    return outside ? WS_ARGUMENT : WS_OK;
}

static void values_of_samples(const int16_t *samples, const ws_parameters *h, uint32_t width, uint32_t height,
                              uint8_t *out) {
    const int two = ws_deep(h);
    const int32_t least = lowest(h), most = highest(h), centre = least + (1 << (h->bit_depth - 1));
    const int32_t f = h->fraction_bits, half = 1 << f >> 1;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int32_t v = ((samples[y * WS_TILE + x] + half) >> f) + centre;
            put_value(out + ((y * width + x) << two), two, v < least ? least : v > most ? most : v);
        }
}

/* What lies beyond the shown part repeats its last column and row. */
static void extend_samples(int16_t *plane, uint32_t width, uint32_t height) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = width; x < WS_TILE; x++) plane[y * WS_TILE + x] = plane[y * WS_TILE + width - 1];
    for (uint32_t y = height; y < WS_TILE; y++)
        for (uint32_t x = 0; x < WS_TILE; x++) plane[y * WS_TILE + x] = plane[(height - 1) * WS_TILE + x];
}

int ws_samples_from_pixels(const uint8_t *pixels, uint32_t width, uint32_t height, const ws_parameters *header,
                           const ws_tuning *tuning, int16_t *samples) {
    const uint32_t plane = WS_TILE * WS_TILE;
    int result = ws_check_parameters(header);
    if (result) return result;
    if (width < 1 || height < 1 || width > WS_TILE || height > WS_TILE || ws_check_tuning(tuning)) return WS_ARGUMENT;
    uint32_t channels = (uint32_t)header->channels;
    if (!has_bytes(header)) result = samples_of_values(pixels, width, height, header, samples);
    for (uint32_t y = 0; has_bytes(header) && y < height; y++) {
        int16_t *row = samples + y * WS_TILE;
        uint32_t x =
            header->colour == WS_MATRIX ? forward_matrix(pixels + 3 * y * width, width, header, tuning, row) : 0;
        for (; x < width; x++) {
            int16_t s[3];
            forward_pixel(pixels + (y * width + x) * channels, header, tuning, s);
            for (uint32_t c = 0; c < channels; c++) row[c * plane + x] = s[c];
        }
    }
    for (uint32_t c = 0; c < channels; c++) extend_samples(samples + c * plane, width, height);
    return result;
}

/* One row of samples to three rows of bytes, eight at a time: both rows may be longer than `width`. */
static void inverse_matrix(const int16_t *const s[3], const ws_parameters *h, uint32_t width, uint8_t out[3][WS_TILE]) {
    const int down = 14 + h->fraction_bits;
    const uint16_t root = 256, rest = (uint16_t)(1u << (down - 1) >> 8); /* root * rest is what rounds */
    const lanes one = (lanes){0} + root;
    lanes ab[3], de[3];
    for (int c = 0; c < 3; c++) {
        const uint16_t a = (uint16_t)h->inverse[3 * c], b = (uint16_t)h->inverse[3 * c + 1],
                       d = (uint16_t)h->inverse[3 * c + 2];
        ab[c] = (lanes){a, b, a, b, a, b, a, b}, de[c] = (lanes){d, rest, d, rest, d, rest, d, rest};
    }
    for (uint32_t x = 0; x < width; x += 8) {
        const lanes v = load_lanes(s[0] + x), w = load_lanes(s[1] + x), z = load_lanes(s[2] + x),
                    vw_low = __builtin_shufflevector(v, w, 0, 8, 1, 9, 2, 10, 3, 11),
                    vw_high = __builtin_shufflevector(v, w, 4, 12, 5, 13, 6, 14, 7, 15),
                    z_low = __builtin_shufflevector(z, one, 0, 8, 1, 9, 2, 10, 3, 11),
                    z_high = __builtin_shufflevector(z, one, 4, 12, 5, 13, 6, 14, 7, 15);
        for (int c = 0; c < 3; c++) {
            const four_words low = sums_of_pairs(vw_low, ab[c]) + sums_of_pairs(z_low, de[c]),
                             high = sums_of_pairs(vw_high, ab[c]) + sums_of_pairs(z_high, de[c]);
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

#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* Whole groups of sixteen pixels as R, G, B, R, ...; returns where the rest begins. */
static uint32_t interleave_rgb(uint8_t rgb[3][WS_TILE], uint32_t width, uint8_t *out) {
    uint32_t x = 0;
    for (; x + 16 <= width; x += 16) {
        many_bytes r, g, b, three[3];
        __builtin_memcpy(&r, rgb[0] + x, sizeof r), __builtin_memcpy(&g, rgb[1] + x, sizeof g);
        __builtin_memcpy(&b, rgb[2] + x, sizeof b);
        /* red and green first, then blue into the gaps */
        three[0] = __builtin_shufflevector(r, g, 0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5);
        three[1] = __builtin_shufflevector(r, g, 21, -1, 6, 22, -1, 7, 23, -1, 8, 24, -1, 9, 25, -1, 10, 26);
        three[2] = __builtin_shufflevector(r, g, -1, 11, 27, -1, 12, 28, -1, 13, 29, -1, 14, 30, -1, 15, 31, -1);
        three[0] = __builtin_shufflevector(three[0], b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
        three[1] = __builtin_shufflevector(three[1], b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
        three[2] = __builtin_shufflevector(three[2], b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
        __builtin_memcpy(out + 3 * x, three, sizeof three);
    }
    return x;
}

/* Whole groups of sixteen pixels as R, G, B, 255, R, ...; returns where the rest begins. */
static uint32_t interleave_rgba(uint8_t rgb[3][WS_TILE], uint32_t width, uint8_t *out) {
    const many_bytes opaque = (many_bytes){0} + 255;
    uint32_t x = 0;
    for (; x + 16 <= width; x += 16) {
        many_bytes r, g, b;
        __builtin_memcpy(&r, rgb[0] + x, sizeof r), __builtin_memcpy(&g, rgb[1] + x, sizeof g);
        __builtin_memcpy(&b, rgb[2] + x, sizeof b);
        const lanes rg[2] = {(lanes)ZIP_LOW(r, g), (lanes)ZIP_HIGH(r, g)},
                    ba[2] = {(lanes)ZIP_LOW(b, opaque), (lanes)ZIP_HIGH(b, opaque)};
        for (uint32_t i = 0; i < 2; i++) {
            store_lanes(out + 4 * x + 32 * i, __builtin_shufflevector(rg[i], ba[i], 0, 8, 1, 9, 2, 10, 3, 11));
            store_lanes(out + 4 * x + 32 * i + 16, __builtin_shufflevector(rg[i], ba[i], 4, 12, 5, 13, 6, 14, 7, 15));
        }
    }
    return x;
}

static void interleave(uint8_t rgb[3][WS_TILE], uint32_t width, uint32_t components, uint8_t *out) {
    uint32_t x = components == 4   ? interleave_rgba(rgb, width, out)
                 : components == 3 ? interleave_rgb(rgb, width, out)
                                   : 0;
    for (; x < width; x++)
        for (uint32_t k = 0; k < components; k++) out[components * x + k] = k < 3 ? rgb[k][x] : 255;
}

int ws_pixels_from_samples(const int16_t *samples, const ws_parameters *header, uint32_t width, uint32_t height,
                           uint32_t components, uint8_t *pixels) {
    const uint32_t plane = WS_TILE * WS_TILE;
    int result = ws_check_parameters(header);
    if (result) return result;
    if (width < 1 || height < 1 || width > WS_TILE || height > WS_TILE) return WS_ARGUMENT;
    if (components != 1 && components != 3 && components != 4) return WS_ARGUMENT;
    if (components == 1 && header->channels != 1) return WS_ARGUMENT;
    if (!has_bytes(header)) {
        if (components != 1) return WS_ARGUMENT;
        (header->colour == WS_STABILISED ? values_of_noise : values_of_samples)(samples, header, width, height, pixels);
        return WS_OK;
    }
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
