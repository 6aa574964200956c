/* Fragment of test_kernel.c: samples of other depths than 8 unsigned bits. */
#include <math.h>

/* Values of `bits` bits: shot noise on a slope (kind 0), noise of the whole range (1), edges between its ends (2). */
static void draw_values(uint8_t *bytes, const ws_parameters *h, uint32_t kind) {
    const int32_t most = (1 << h->bit_depth) - 1, least = h->is_signed ? -(1 << (h->bit_depth - 1)) : 0;
    for (uint32_t i = 0; i < WS_TILE * WS_TILE; i++) {
        const uint32_t x = i % WS_TILE, y = i / WS_TILE;
        int32_t v = (int32_t)(random32() & (uint32_t)most);
        if (kind == 0) v = most / 3 + (int32_t)(x + y) * most / 1600 + v % (1 + most / 50);
        if (kind == 2)
            v = (x * x / 37 + y * 3 / 5) / 7 % 2 ? most - (int32_t)(random32() % 3) : (int32_t)(random32() % 3);
        v += least;
        if (h->bit_depth > 8)
            bytes[2 * i] = (uint8_t)v, bytes[2 * i + 1] = (uint8_t)((uint32_t)v >> 8);
        else
            bytes[i] = (uint8_t)v;
    }
}

TEST(CS49_CS50_CS51_CS53_samples_of_any_depth_come_back_from_all_layers) {
    static uint8_t values[2 * WS_TILE * WS_TILE], back[2 * WS_TILE * WS_TILE];
    ws_tuning t = plain_tuning();
    for (int i = 0; i < 9 * 2 * 3 * 2; i++) {
        const int bits = 8 + i % 9, is_signed = i / 9 % 2, kind = i / 18 % 3, approximation = i / 54;
        ws_parameters h = deep_header(approximation ? WS_APPROXIMATION : WS_DETAILS, WS_LOSSLESS, bits, is_signed);
        const size_t count = (size_t)(WS_TILE * WS_TILE) << (bits > 8);
        const ws_address at = {0, approximation ? 0 : (uint32_t)i & 1, approximation ? 0 : (uint32_t)i >> 1 & 1};
        draw_values(values, &h, (uint32_t)kind);
        CHECK(ws_samples_from_pixels(values, WS_TILE, WS_TILE, &h, &t, samples) == WS_OK);
        for (uint32_t k = 0; k < WS_TILE * WS_TILE; k++) parent[k] = (int16_t)(samples[k] ^ (int16_t)(k & 64));
        CHECK(ws_encode(samples, &h, &t, parent, &at, &output, scratch) == WS_OK);
        const uint32_t size = sizes[0] + sizes[1] + sizes[2];
        CHECK(size > 0);
        CHECK((approximation ? ws_decode_approximation(&h, &at, out, size, decoded, scratch)
                             : ws_decode_tile(parent, &h, &at, out, size, decoded, scratch)) == WS_OK);
        CHECK(memcmp(samples, decoded, 2 * WS_TILE * WS_TILE) == 0);
        CHECK(ws_pixels_from_samples(decoded, &h, WS_TILE, WS_TILE, 1, back) == WS_OK);
        CHECK(memcmp(values, back, count) == 0);
        if (approximation) continue;
        const ws_window w = {37, 21, 100, 90, back};
        CHECK(ws_decode_window(parent, &h, &at, out, size, &w, scratch) == WS_OK);
        for (uint32_t y = 0; y < w.height; y++)
            CHECK(memcmp(back + (y * w.width << (bits > 8)), values + (((w.y + y) * WS_TILE + w.x) << (bits > 8)),
                         w.width << (bits > 8)) == 0);
    }
}

TEST(CS51_what_is_not_shown_of_a_steep_tile_does_not_matter_to_its_shown_part) {
    static uint8_t values[2 * WS_TILE * WS_TILE];
    ws_tuning t = plain_tuning();
    ws_parameters h = deep_header(WS_DETAILS, WS_LOSSLESS, 16, 0);
    draw_values(values, &h, 2);
    t.width = 77, t.height = 130;
    CHECK(ws_samples_from_pixels(values, 77, 130, &h, &t, samples) == WS_OK);
    for (uint32_t k = 0; k < WS_TILE * WS_TILE; k++) parent[k] = samples[k];
    CHECK(ws_encode(samples, &h, &t, parent, &FIRST, &output, scratch) == WS_OK);
    CHECK(ws_decode_tile(parent, &h, &FIRST, out, sizes[0] + sizes[1] + sizes[2], decoded, scratch) == WS_OK);
    for (uint32_t y = 0; y < 134; y++) CHECK(memcmp(samples + y * WS_TILE, decoded + y * WS_TILE, 2 * 81) == 0);
}

/* Every value of 16 bits to units of noise and back: nearer than half a unit, or than half a value where the noise is
 * less than a unit. */
TEST(CS52_values_in_units_of_noise_come_back_within_half_a_unit) {
    static uint8_t values[2 * WS_TILE * WS_TILE], back[2 * WS_TILE * WS_TILE];
    const int32_t models[3][4] = {{100, 16384, 2048, 3000}, {0, 164, 4000, 900}, {200, 16384, 400, 900}};
    ws_tuning t = plain_tuning();
    for (uint32_t i = 0; i < WS_TILE * WS_TILE; i++) {
        const uint32_t v = i * (65536 / (WS_TILE * WS_TILE));
        values[2 * i] = (uint8_t)v, values[2 * i + 1] = (uint8_t)(v >> 8);
    }
    for (int m = 0; m < 3; m++) {
        ws_parameters h = deep_header(WS_DETAILS, WS_VISUAL, 16, 0), wrong;
        h.colour = WS_STABILISED, h.fraction_bits = 4;
        for (int i = 0; i < 4; i++) h.inverse[i] = models[m][i];
        const double slope = h.inverse[1] / 16.0, bend = h.inverse[2] / 16.0;
        CHECK(ws_samples_from_pixels(values, WS_TILE, WS_TILE, &h, &t, samples) == WS_OK);
        CHECK(ws_pixels_from_samples(samples, &h, WS_TILE, WS_TILE, 1, back) == WS_OK);
        uint32_t far = 0, falling = 0;
        for (uint32_t i = 0; i < WS_TILE * WS_TILE; i++) {
            const double v = values[2 * i] | values[2 * i + 1] << 8, got = back[2 * i] | back[2 * i + 1] << 8;
            const double above = v > h.inverse[0] ? v - h.inverse[0] : 0;
            const double unit = 2 * sqrt(slope * above + bend * bend) / slope; /* of a sample, in values */
            far += fabs(got - v) > 0.5 + 0.52 * unit + 0.26 / slope;
            falling += i && samples[i] < samples[i - 1];
        }
        CHECK(far == 0 && falling == 0);
        CHECK(ws_pixels_from_samples(samples, &h, 1, 1, 4, back) == WS_ARGUMENT);
        wrong = h, wrong.inverse[1] = 0;
        CHECK(ws_pixels_from_samples(samples, &wrong, 1, 1, 1, back) == WS_HEADER);
        wrong = h, wrong.profile = WS_LOSSLESS;
        CHECK(ws_pixels_from_samples(samples, &wrong, 1, 1, 1, back) == WS_HEADER);
    }
}

TEST(a_value_of_too_many_bits_is_refused) {
    const uint8_t value[2] = {0, 16};
    ws_tuning t = plain_tuning();
    ws_parameters h = deep_header(WS_DETAILS, WS_LOSSLESS, 12, 0);
    CHECK(ws_samples_from_pixels(value, 1, 1, &h, &t, samples) == WS_ARGUMENT);
    h.bit_depth = 13;
    CHECK(ws_samples_from_pixels(value, 1, 1, &h, &t, samples) == WS_OK);
}

TEST(CS11_CS13_a_set_of_version_1_0_has_8_unsigned_bits_and_one_group) {
    const int32_t cases[][5] = {{9, 0, 1, 0, WS_UNSUPPORTED_DEPTH},
                                {16, 1, 1, 0, WS_UNSUPPORTED_DEPTH},
                                {8, 1, 1, 0, WS_UNSUPPORTED_DEPTH},
                                {8, 0, 2, 0, WS_UNSUPPORTED_CHANNELS},
                                {8, 0, 64, 63, WS_UNSUPPORTED_CHANNELS}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_parameters h = deep_header(WS_DETAILS, WS_LOSSLESS, cases[i][0], cases[i][1]), got;
        uint8_t bytes[512];
        h.groups = cases[i][2], h.group = cases[i][3];
        const uint32_t size = write_parameters(&h, bytes);
        CHECK(ws_read_parameters(bytes, size, &got) == WS_OK && got.bit_depth == h.bit_depth && got.groups == h.groups);
        bytes[3] = 0;
        CHECK(ws_read_parameters(bytes, size, &got) == cases[i][4]);
        bytes[3] = 1, bytes[12] = 7;
        CHECK(ws_read_parameters(bytes, size, &got) == WS_UNSUPPORTED_DEPTH);
        bytes[12] = 12, bytes[13] = 1;
        CHECK(ws_read_parameters(bytes, size, &got) == WS_HEADER); /* fraction bits */
    }
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    h.bit_depth = 16;
    CHECK(ws_decode_tile(parent, &h, &FIRST, out, 0, decoded, scratch) == WS_UNSUPPORTED_DEPTH);
}
