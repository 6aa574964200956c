/* Native tests, built with the address and undefined-behaviour sanitizers. Rules CSn: shared/spec/codestream.md. */
#include "harness.h"

enum { SAMPLES = WS_CHANNELS * WS_TILE * WS_TILE, MEANS = WS_CHANNELS * WS_HALF * WS_HALF };

static uint8_t *scratch, *out, *pixels, *again;
static int16_t *samples, *decoded, *parent, *ll, *details;
static uint32_t sizes[WS_LAYERS];
static ws_output output; /* `out`, all of its bytes, and `sizes` */

/* Encodes noise as the tile in a quadrant of `parent`, whose other quadrants are noise. */
static uint32_t encode_in(uint32_t qx, uint32_t qy, const ws_header *h, int sparse) {
    ws_tuning t = plain_tuning();
    paint(pixels, WS_TILE, WS_TILE, (uint32_t)h->channels, sparse);
    CHECK(ws_samples_from_pixels(pixels, WS_TILE, WS_TILE, h, &t, samples) == WS_OK);
    for (uint32_t i = 0; i < SAMPLES; i++) parent[i] = (int16_t)(random32() % 8000 - 4000);
    CHECK(ws_encode(samples, h, &t, parent, qx, qy, &output, scratch) == WS_OK);
    uint32_t total = 0;
    for (int l = 0; l < WS_LAYERS; l++) total += sizes[l];
    return total;
}

static uint32_t encode(const ws_header *h, int sparse) { return encode_in(0, 0, h, sparse); }

TEST(crc32c_of_known_texts) {
    CHECK(ws_crc32c((const uint8_t *)"", 0) == 0);
    CHECK(ws_crc32c((const uint8_t *)"123456789", 9) == 0xE3069283u);
}

TEST(CS17_synthesis_undoes_analysis_for_any_samples) {
    for (uint32_t i = 0; i < SAMPLES; i++) samples[i] = (int16_t)(random32() % 8000 - 4000);
    CHECK(ws_analyze(samples, 3, ll, details, scratch) == WS_OK);
    CHECK(ws_synthesize(ll, details, 3, decoded, scratch) == WS_OK);
    CHECK(memcmp(samples, decoded, SAMPLES * 2) == 0);
}

TEST(CS14_the_means_alone_are_those_of_the_analysis) {
    for (uint32_t i = 0; i < SAMPLES; i++) samples[i] = (int16_t)random32();
    CHECK(ws_analyze(samples, 3, ll, details, scratch) == WS_OK);
    CHECK(ws_means(samples, 3, decoded) == WS_OK);
    CHECK(memcmp(ll, decoded, MEANS * 2) == 0);
}

TEST(CS14_the_low_band_is_the_mean_of_four) {
    for (uint32_t i = 0; i < SAMPLES; i++) samples[i] = (int16_t)(random32() % 8000 - 4000);
    CHECK(ws_analyze(samples, 1, ll, details, scratch) == WS_OK);
    int64_t sum = 0;
    for (uint32_t y = 0; y < WS_HALF; y++)
        for (uint32_t x = 0; x < WS_HALF; x++) {
            const int16_t *p = samples + 2 * y * WS_TILE + 2 * x;
            int four = 4 * ll[y * WS_HALF + x] - (p[0] + p[1] + p[WS_TILE] + p[WS_TILE + 1]);
            CHECK(four >= -2 && four <= 2);
            sum += four;
        }
    CHECK(sum > -2000 && sum < 2000);
}

TEST(CS18_lossless_layers_together_give_the_pixels_back) {
    for (int channels = 1; channels <= 3; channels += 2)
        for (int colour = WS_YCOCG_G; colour <= (channels == 3 ? WS_SUBTRACT_B : WS_YCOCG_G); colour++) {
            ws_header h = header_like(WS_DETAILS, WS_LOSSLESS, channels), got;
            if (channels == 3) h.colour = colour;
            const uint32_t qx = (uint32_t)colour & 1, qy = (uint32_t)colour >> 1 & 1;
            uint32_t size = encode_in(qx, qy, &h, 0);
            CHECK(ws_read_header(out, size, &got) == WS_OK && memcmp(&got, &h, sizeof h) == 0);
            CHECK(ws_decode_tile(parent, qx, qy, (uint32_t)channels, out, size, decoded, scratch) == WS_OK);
            CHECK(ws_pixels_from_samples(decoded, &h, WS_TILE, WS_TILE, (uint32_t)channels, again) == WS_OK);
            CHECK(memcmp(pixels, again, (size_t)(WS_TILE * WS_TILE * channels)) == 0);
        }
}

TEST(CS4_every_number_of_layers_decodes_and_comes_nearer) {
    ws_header h = header_like(WS_APPROXIMATION, WS_LOSSLESS, 3), got;
    encode(&h, 0);
    double last = 1e30;
    for (uint32_t k = 1, size = 0; k <= 3; k++) {
        size += sizes[k - 1];
        double error = 0;
        CHECK(ws_decode_approximation(out, size, decoded, &got, scratch) == WS_OK);
        for (uint32_t i = 0; i < SAMPLES; i++) error += (double)(decoded[i] - samples[i]) * (decoded[i] - samples[i]);
        CHECK(error < last);
        last = error;
    }
    CHECK(last == 0);
}

TEST(quantised_coefficients_survive_a_block) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3), got;
    for (uint32_t i = 0; i < 3 * MEANS; i++) details[i] = (int16_t)(random32() % 5 ? 0 : (int)(random32() % 400) - 200);
    details[7] = 32767, details[9] = -32768 + 1;
    CHECK(ws_encode_quantised(details, &h, &output, scratch) == WS_OK);
    CHECK(ws_decode_block(out, sizes[0] + sizes[1], decoded, &got, scratch) == WS_OK);
    CHECK(memcmp(details, decoded, 3 * MEANS * 2) == 0);
}

/* Rows of 127, -127, 127, ... in LH of chroma: the squares of the residuals of one row sum to more than 2^31. */
TEST(CS33_the_predictor_of_alternating_chroma_is_fitted_without_overflow) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3), got;
    const uint32_t plane = WS_HALF * WS_HALF;
    for (uint32_t i = 0; i < 3 * MEANS; i++)
        details[i] = (int16_t)(i / plane % 3 != 1 || i < 3 * plane ? 0 : i & 1 ? -127 : 127);
    for (int i = 0; i < 9; i++) h.shift[0][0][i / 3][i % 3] = 0;
    CHECK(ws_encode_quantised(details, &h, &output, scratch) == WS_OK);
    CHECK(ws_decode_block(out, sizes[0] + sizes[1], decoded, &got, scratch) == WS_OK);
    CHECK(memcmp(details, decoded, 3 * MEANS * 2) == 0);
}

TEST(CS3_a_block_of_zeros_is_empty) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3);
    ws_tuning t = plain_tuning();
    memset(samples, 0, SAMPLES * 2), memset(parent, 0, SAMPLES * 2);
    CHECK(ws_encode(samples, &h, &t, parent, 0, 0, &output, scratch) == WS_OK);
    CHECK(sizes[0] == 0 && sizes[1] == 0);
}

/* Decodes from memory of exactly this size, as every kind of call. */
static int decode_all(const uint8_t *bytes, uint32_t size) {
    ws_header h;
    uint8_t *tight = copy_of(bytes, size);
    int result = ws_decode_block(tight, size, details, &h, scratch);
    int other = ws_decode_approximation(tight, size, decoded, &h, scratch);
    for (uint32_t channels = 1; channels <= 3; channels += 2)
        if (ws_decode_tile(parent, 0, 1, channels, tight, size, decoded, scratch) == WS_OK) result = WS_OK;
    if (ws_read_header(tight, size, &h) == WS_OK) ws_pixels_from_samples(decoded, &h, 17, 5, 4, again);
    free(tight);
    return result == WS_OK || other == WS_OK ? WS_OK : result;
}

TEST(a_window_has_the_pixels_of_the_whole_tile) {
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t qx = i & 1, qy = i >> 1 & 1, channels = i % 3 == 2 ? 1 : 3;
        const ws_header h = header_like(WS_DETAILS, i % 5 ? WS_VISUAL : WS_LOSSLESS, (int)channels);
        const uint32_t size = i < 4 ? 0 : encode_in(qx, qy, &h, i % 2);
        CHECK(ws_decode_tile(parent, qx, qy, channels, out, size, decoded, scratch) == WS_OK);
        CHECK(ws_pixels_from_samples(decoded, &h, WS_TILE, WS_TILE, channels, pixels) == WS_OK);
        const uint32_t x = random32() % WS_TILE, y = random32() % WS_TILE;
        const ws_window w = {x, y, 1 + random32() % (WS_TILE - x), 1 + random32() % (WS_TILE - y), again};
        CHECK(ws_decode_window(parent, qx, qy, out, size, &h, &w, scratch) == WS_OK);
        for (uint32_t row = 0; row < w.height; row++)
            CHECK(memcmp(again + row * w.width * channels, pixels + ((y + row) * WS_TILE + x) * channels,
                         w.width * channels) == 0);
        if (size) CHECK(ws_decode_window(parent, qx, qy, out, size - 1, &h, &w, scratch) == WS_TRUNCATED);
    }
}

TEST(windows_outside_a_tile_are_refused) {
    const ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3);
    const ws_window wrong[] = {{0, 0, 0, 1, again},          {0, 0, 1, 0, again},         {WS_TILE, 0, 1, 1, again},
                               {0, WS_TILE, 1, 1, again},    {1, 0, WS_TILE, 1, again},   {0, 1, 1, WS_TILE, again},
                               {0, 0, UINT32_MAX, 1, again}, {UINT32_MAX, 0, 2, 1, again}};
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(ws_decode_window(parent, 0, 0, out, 0, &h, &wrong[i], scratch) == WS_ARGUMENT);
    const ws_window one = {0, 0, 1, 1, again};
    CHECK(ws_decode_window(parent, 2, 0, out, 0, &h, &one, scratch) == WS_ARGUMENT);
}

TEST(CS7_every_truncated_length_is_an_error) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 1), got;
    uint32_t size = encode(&h, 1);
    CHECK(size > 300);
    for (uint32_t n = 0; n < size; n++) {
        uint8_t *tight = copy_of(out, n);
        int result = ws_decode_block(tight, n, details, &got, scratch);
        CHECK(n == sizes[0] ? result == WS_OK : n == 0 ? result == WS_ORDER : result == WS_TRUNCATED);
        free(tight);
    }
}

TEST(CS22_every_shortened_payload_decodes_to_something) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 1);
    encode(&h, 1);
    uint8_t *layer = copy_of(out, sizes[0]);
    for (uint32_t n = sizes[0]; n >= 12; n -= n > 80 ? 9 : 2) {
        sign_layer(layer, n);
        decode_all(layer, n);
    }
    free(layer);
}

TEST(CS6_every_flipped_bit_of_the_header_is_noticed) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3), got;
    encode(&h, 1);
    for (uint32_t bit = 0; bit < 8 * 60; bit++) {
        out[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(ws_decode_block(out, sizes[0], details, &got, scratch) < 0);
        out[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

TEST(every_header_byte_signed_anew_gives_samples_or_an_error) {
    for (int kind = 0; kind <= 1; kind++) {
        ws_header h = header_like(kind, WS_VISUAL, 1);
        encode(&h, 1);
        uint8_t *layer = copy_of(out, sizes[0]);
        for (uint32_t at = 1; at < (kind ? 45 : 24); at++) {
            if (at >= 4 && at < 8) continue;
            const uint8_t values[] = {0, 1, 7, 127, 255};
            for (uint32_t v = 0; v < 5; v++) {
                uint8_t kept = layer[at];
                layer[at] = values[v];
                sign_layer(layer, sizes[0]);
                decode_all(layer, sizes[0]);
                layer[at] = kept;
            }
        }
        free(layer);
    }
}

TEST(random_payloads_give_samples) {
    for (int round = 0; round < 6; round++) {
        ws_header h = header_like(round & 1, round & 2 ? WS_LOSSLESS : WS_VISUAL, round < 3 ? 1 : 3);
        encode(&h, 1);
        uint8_t layer[600];
        uint32_t size = sizes[0] < sizeof layer ? sizes[0] : sizeof layer;
        memcpy(layer, out, size);
        for (uint32_t i = (round & 1 ? 260 : 80); i < size; i++) layer[i] = (uint8_t)random32();
        sign_layer(layer, size);
        CHECK(decode_all(layer, size) == WS_OK);
    }
}

/* Magnitudes of 15 bits where the header says that later layers bring 8 more; then any bytes as the later layer. */
TEST(CS20_CS27_m_stays_inside_an_int16_with_the_bits_of_all_later_layers) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 1), got;
    uint32_t over = 0;
    for (int i = 0; i < 3; i++) h.shift[0][0][0][i] = 0;
    for (uint32_t i = 0; i < MEANS; i++) details[i] = (int16_t)(random32() % 7 ? 0 : (int)(random32() % 65535) - 32767);
    CHECK(ws_encode_quantised(details, &h, &output, scratch) == WS_OK);
    for (int i = 0; i < 3; i++) out[14 + 3 * i] = 8; /* the shifts of layer 0 */
    sign_layer(out, sizes[0]);
    CHECK(ws_decode_block(out, sizes[0], decoded, &got, scratch) == WS_OK);
    for (uint32_t i = 0; i < MEANS; i++) over += decoded[i] % 256 != 0 || decoded[i] < -127 * 256;
    CHECK(over == 0);
    for (int round = 0; round < 6; round++) {
        uint8_t later[300] = {0x57, WS_VERSION, 2 << 4 | 1, WS_DETAILS};
        memcpy(later + 8, out + sizes[0] - 4, 4);
        for (uint32_t i = 12; i < sizeof later; i++) later[i] = round ? (uint8_t)random32() : 0xFF;
        sign_layer(later, sizeof later);
        memcpy(out + sizes[0], later, sizeof later);
        CHECK(decode_all(out, sizes[0] + sizeof later) == WS_OK);
    }
}

TEST(random_bytes_are_refused) {
    for (uint32_t n = 1; n < 400; n++) {
        uint8_t *bytes = exactly(n);
        for (uint32_t i = 0; i < n; i++) bytes[i] = (uint8_t)random32();
        CHECK(decode_all(bytes, n) < 0);
        free(bytes);
    }
}

TEST(CS7_an_extra_byte_a_newer_version_and_mixed_layers_are_refused) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 1), got;
    uint32_t size = encode(&h, 1), first = sizes[0], second = sizes[1];
    out[size] = 0;
    CHECK(ws_decode_block(out, size + 1, details, &got, scratch) == WS_ORDER);
    CHECK(ws_decode_block(out + first, second, details, &got, scratch) == WS_ORDER);
    uint8_t *block = exactly(size + second);
    memcpy(block, out, size), memcpy(block + size, out + first, second);
    CHECK(ws_decode_block(block, size + second, details, &got, scratch) == WS_ORDER);
    uint8_t *mixed = exactly(2 * size);
    encode(&h, 1); /* other noise: another block */
    memcpy(mixed, out, sizes[0]), memcpy(mixed + sizes[0], block + size, second);
    free(block), block = mixed;
    CHECK(ws_decode_block(block, sizes[0] + second, details, &got, scratch) == WS_BINDING);
    CHECK(ws_decode_approximation(block, sizes[0], decoded, &got, scratch) == WS_KIND);
    CHECK(ws_decode_tile(parent, 0, 0, 3, block, sizes[0], decoded, scratch) == WS_CHANNEL_COUNT);
    block[1]++;
    sign_layer(block, sizes[0]);
    CHECK(ws_decode_block(block, sizes[0], details, &got, scratch) == WS_NEWER);
    free(block);
}

TEST(a_small_buffer_is_an_error_and_nothing_is_written_behind_it) {
    ws_header h = header_like(WS_DETAILS, WS_LOSSLESS, 1);
    ws_tuning t = plain_tuning();
    uint32_t size = encode(&h, 0);
    for (uint32_t n = 0; n < size; n += 9001) {
        uint8_t *tight = exactly(n);
        const ws_output small = {tight, n, sizes};
        CHECK(ws_encode(samples, &h, &t, parent, 0, 0, &small, scratch) == WS_SPACE);
        free(tight);
    }
}

TEST(impossible_arguments_are_refused) {
    ws_header h = header_like(WS_DETAILS, WS_VISUAL, 3);
    ws_tuning t = plain_tuning();
    CHECK(ws_samples_from_pixels(pixels, 0, 1, &h, &t, samples) == WS_ARGUMENT);
    CHECK(ws_samples_from_pixels(pixels, 513, 1, &h, &t, samples) == WS_ARGUMENT);
    CHECK(ws_pixels_from_samples(samples, &h, 1, 1, 2, again) == WS_ARGUMENT);
    CHECK(ws_decode_tile(parent, 2, 0, 3, out, 0, decoded, scratch) == WS_ARGUMENT);
    CHECK(ws_analyze(samples, 4, ll, details, scratch) == WS_ARGUMENT);
    const ws_tuning impossible[] = {{.forward = {[4] = 1 << 24}},
                                    {.forward = {[8] = -32768}},
                                    {.dead_zone = -1},
                                    {.dead_zone = 257},
                                    {.lambda = -1},
                                    {.lambda = 1 << 30}};
    for (uint32_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        ws_tuning wrong = impossible[i];
        wrong.width = wrong.height = WS_TILE;
        CHECK(ws_samples_from_pixels(pixels, 1, 1, &h, &wrong, samples) == WS_ARGUMENT);
        CHECK(ws_encode(samples, &h, &wrong, parent, 0, 0, &output, scratch) == WS_ARGUMENT);
    }
    h.bit_depth = 16;
    CHECK(ws_encode(samples, &h, &t, parent, 0, 0, &output, scratch) == WS_UNSUPPORTED);
}

int main(void) {
    scratch = exactly(ws_scratch_bytes()), out = exactly(ws_encode_bound() + 1);
    output = (ws_output){out, ws_encode_bound(), sizes};
    pixels = exactly(WS_TILE * WS_TILE * 3), again = exactly(WS_TILE * WS_TILE * 4);
    samples = exactly(SAMPLES * 2), decoded = exactly(SAMPLES * 2), parent = exactly(SAMPLES * 2);
    ll = exactly(MEANS * 2), details = exactly(MEANS * 6);
    memset(parent, 0, SAMPLES * 2), memset(decoded, 0, SAMPLES * 2);
    RUN(crc32c_of_known_texts);
    RUN(CS17_synthesis_undoes_analysis_for_any_samples);
    RUN(CS14_the_means_alone_are_those_of_the_analysis);
    RUN(CS14_the_low_band_is_the_mean_of_four);
    RUN(CS18_lossless_layers_together_give_the_pixels_back);
    RUN(CS4_every_number_of_layers_decodes_and_comes_nearer);
    RUN(quantised_coefficients_survive_a_block);
    RUN(CS33_the_predictor_of_alternating_chroma_is_fitted_without_overflow);
    RUN(CS3_a_block_of_zeros_is_empty);
    RUN(a_window_has_the_pixels_of_the_whole_tile);
    RUN(windows_outside_a_tile_are_refused);
    RUN(CS7_every_truncated_length_is_an_error);
    RUN(CS22_every_shortened_payload_decodes_to_something);
    RUN(CS6_every_flipped_bit_of_the_header_is_noticed);
    RUN(every_header_byte_signed_anew_gives_samples_or_an_error);
    RUN(random_payloads_give_samples);
    RUN(CS20_CS27_m_stays_inside_an_int16_with_the_bits_of_all_later_layers);
    RUN(random_bytes_are_refused);
    RUN(CS7_an_extra_byte_a_newer_version_and_mixed_layers_are_refused);
    RUN(a_small_buffer_is_an_error_and_nothing_is_written_behind_it);
    RUN(impossible_arguments_are_refused);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
