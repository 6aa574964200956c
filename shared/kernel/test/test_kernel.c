/* Native tests, built with the address and undefined-behaviour sanitizers. Rules CSn: shared/spec/codestream.md. */
#include "harness.h"

enum { SAMPLES = WS_CHANNELS * WS_TILE * WS_TILE, MEANS = WS_CHANNELS * WS_HALF * WS_HALF };

static uint8_t *scratch, *out, *pixels, *again;
static int16_t *samples, *decoded, *parent, *ll, *details;
static uint32_t sizes[WS_LAYERS];
static ws_output output; /* `out`, all of its bytes, and `sizes` */
static const ws_address FIRST = {0, 0, 0};

/* Encodes noise as the tile in a quadrant of `parent`, whose other quadrants are noise. */
static uint32_t encode_in(uint32_t qx, uint32_t qy, const ws_parameters *h, int sparse) {
    ws_tuning t = plain_tuning();
    paint(pixels, WS_TILE, WS_TILE, (uint32_t)h->channels, sparse);
    CHECK(ws_samples_from_pixels(pixels, WS_TILE, WS_TILE, h, &t, samples) == WS_OK);
    for (uint32_t i = 0; i < SAMPLES; i++) parent[i] = (int16_t)(random32() % 8000 - 4000);
    const ws_address at = {0, qx, qy};
    CHECK(ws_encode(samples, h, &t, parent, &at, &output, scratch) == WS_OK);
    uint32_t total = 0;
    for (int l = 0; l < WS_LAYERS; l++) total += sizes[l];
    return total;
}

static uint32_t encode(const ws_parameters *h, int sparse) { return encode_in(0, 0, h, sparse); }

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

TEST(CS49_what_leaves_16_bits_ends_there_in_an_analysis_and_its_synthesis) {
    for (uint32_t i = 0; i < SAMPLES; i++) samples[i] = i % 2 ? INT16_MAX : INT16_MIN;
    CHECK(ws_analyze(samples, 3, ll, details, scratch) == WS_OK);
    CHECK(details[0] == INT16_MIN);
    for (uint32_t i = 0; i < MEANS; i++) ll[i] = 20000; /* of another plane */
    CHECK(ws_synthesize(ll, details, 3, decoded, scratch) == WS_OK);
    for (uint32_t i = 0; i < SAMPLES; i++) CHECK(decoded[i] == (i % 2 ? INT16_MAX : 20000 - 16384));
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
            ws_parameters h = header_like(WS_DETAILS, WS_LOSSLESS, channels);
            if (channels == 3) h.colour = colour;
            const uint32_t qx = (uint32_t)colour & 1, qy = (uint32_t)colour >> 1 & 1;
            const ws_address at = {0, qx, qy};
            uint32_t size = encode_in(qx, qy, &h, 0);
            CHECK(ws_decode_tile(parent, &h, &at, out, size, decoded, scratch) == WS_OK);
            CHECK(ws_pixels_from_samples(decoded, &h, WS_TILE, WS_TILE, (uint32_t)channels, again) == WS_OK);
            CHECK(memcmp(pixels, again, (size_t)(WS_TILE * WS_TILE * channels)) == 0);
        }
}

#include "depth.inc.h"

TEST(CS4_every_number_of_layers_decodes_and_comes_nearer) {
    ws_parameters h = header_like(WS_APPROXIMATION, WS_LOSSLESS, 3);
    encode(&h, 0);
    double last = 1e30;
    for (uint32_t k = 1, size = 0; k <= 3; k++) {
        size += sizes[k - 1];
        double error = 0;
        CHECK(ws_decode_approximation(&h, &FIRST, out, size, decoded, scratch) == WS_OK);
        for (uint32_t i = 0; i < SAMPLES; i++) error += (double)(decoded[i] - samples[i]) * (decoded[i] - samples[i]);
        CHECK(error < last);
        last = error;
    }
    CHECK(last == 0);
}

TEST(quantised_coefficients_survive_a_block) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    for (uint32_t i = 0; i < 3 * MEANS; i++) details[i] = (int16_t)(random32() % 5 ? 0 : (int)(random32() % 400) - 200);
    details[7] = 32767, details[9] = -32768 + 1;
    CHECK(ws_encode_quantised(details, &h, &FIRST, &output, scratch) == WS_OK);
    CHECK(ws_decode_block(&h, &FIRST, out, sizes[0] + sizes[1], decoded, scratch) == WS_OK);
    CHECK(memcmp(details, decoded, 3 * MEANS * 2) == 0);
}

/* Rows of 127, -127, 127, ... in LH of chroma: the squares of the residuals of one row sum to more than 2^31. */
TEST(CS33_the_predictor_of_alternating_chroma_is_fitted_without_overflow) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    const uint32_t plane = WS_HALF * WS_HALF;
    for (uint32_t i = 0; i < 3 * MEANS; i++)
        details[i] = (int16_t)(i / plane % 3 != 1 || i < 3 * plane ? 0 : i & 1 ? -127 : 127);
    for (int i = 0; i < 9; i++) h.shift[0][0][i / 3][i % 3] = 0;
    CHECK(ws_encode_quantised(details, &h, &FIRST, &output, scratch) == WS_OK);
    CHECK(ws_decode_block(&h, &FIRST, out, sizes[0] + sizes[1], decoded, scratch) == WS_OK);
    CHECK(memcmp(details, decoded, 3 * MEANS * 2) == 0);
}

TEST(CS3_a_block_of_zeros_is_empty) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    ws_tuning t = plain_tuning();
    memset(samples, 0, SAMPLES * 2), memset(parent, 0, SAMPLES * 2);
    CHECK(ws_encode(samples, &h, &t, parent, &FIRST, &output, scratch) == WS_OK);
    CHECK(sizes[0] == 0 && sizes[1] == 0);
}

/* Decodes from memory of exactly this size, as every kind of call. */
static int decode_all(const ws_parameters *h, const uint8_t *bytes, uint32_t size) {
    uint8_t *tight = copy_of(bytes, size);
    const ws_address at = {0, 0, 1};
    ws_address found;
    int result = ws_decode_block(h, &FIRST, tight, size, details, scratch);
    int other = ws_decode_approximation(h, &FIRST, tight, size, decoded, scratch);
    if (ws_decode_tile(parent, h, &FIRST, tight, size, decoded, scratch) == WS_OK) result = WS_OK;
    if (size) CHECK(ws_decode_tile(parent, h, &at, tight, size, decoded, scratch) != WS_OK);
    ws_read_address(tight, size, h, &found);
    free(tight);
    return result == WS_OK || other == WS_OK ? WS_OK : result;
}

TEST(a_window_has_the_pixels_of_the_whole_tile) {
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t qx = i & 1, qy = i >> 1 & 1, channels = i % 3 == 2 ? 1 : 3;
        const ws_parameters h = header_like(WS_DETAILS, i % 5 ? WS_VISUAL : WS_LOSSLESS, (int)channels);
        const ws_address at = {0, qx, qy};
        const uint32_t size = i < 4 ? 0 : encode_in(qx, qy, &h, i % 2);
        CHECK(ws_decode_tile(parent, &h, &at, out, size, decoded, scratch) == WS_OK);
        CHECK(ws_pixels_from_samples(decoded, &h, WS_TILE, WS_TILE, channels, pixels) == WS_OK);
        const uint32_t x = random32() % WS_TILE, y = random32() % WS_TILE;
        const ws_window w = {x, y, 1 + random32() % (WS_TILE - x), 1 + random32() % (WS_TILE - y), again};
        CHECK(ws_decode_window(parent, &h, &at, out, size, &w, scratch) == WS_OK);
        for (uint32_t row = 0; row < w.height; row++)
            CHECK(memcmp(again + row * w.width * channels, pixels + ((y + row) * WS_TILE + x) * channels,
                         w.width * channels) == 0);
        if (size) CHECK(ws_decode_window(parent, &h, &at, out, size - 1, &w, scratch) == WS_TRUNCATED);
    }
}

TEST(windows_outside_a_tile_are_refused) {
    const ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    const ws_window wrong[] = {{0, 0, 0, 1, again},          {0, 0, 1, 0, again},         {WS_TILE, 0, 1, 1, again},
                               {0, WS_TILE, 1, 1, again},    {1, 0, WS_TILE, 1, again},   {0, 1, 1, WS_TILE, again},
                               {0, 0, UINT32_MAX, 1, again}, {UINT32_MAX, 0, 2, 1, again}};
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(ws_decode_window(parent, &h, &FIRST, out, 0, &wrong[i], scratch) == WS_ARGUMENT);
    const ws_window one = {0, 0, 1, 1, again};
    const ws_address outside = {0, UINT32_MAX, 0};
    CHECK(ws_decode_window(parent, &h, &outside, out, 0, &one, scratch) == WS_ARGUMENT);
}

TEST(CS7_every_truncated_length_is_an_error) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 1);
    uint32_t size = encode(&h, 1);
    CHECK(size > 300);
    for (uint32_t n = 0; n < size; n++) {
        uint8_t *tight = copy_of(out, n);
        int result = ws_decode_block(&h, &FIRST, tight, n, details, scratch);
        CHECK(n == sizes[0] ? result == WS_OK : n == 0 ? result == WS_ORDER : result == WS_TRUNCATED);
        free(tight);
    }
}

TEST(CS22_every_shortened_payload_decodes_to_something) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 1);
    encode(&h, 1);
    uint8_t *layer = copy_of(out, sizes[0]);
    for (uint32_t n = sizes[0]; n >= 12; n -= n > 80 ? 9 : 2) {
        const int shortest = put_length(layer, n);
        sign_layer(layer, n, &h, 0);
        CHECK(decode_all(&h, layer, n) == (shortest ? WS_OK : WS_HEADER));
    }
    free(layer);
}

TEST(CS6_every_flipped_bit_of_a_layer_is_noticed) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    encode(&h, 1);
    for (uint32_t bit = 0; bit < 8 * 60; bit++) {
        out[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(ws_decode_block(&h, &FIRST, out, sizes[0], details, scratch) < 0);
        out[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

TEST(CS9_a_parameter_set_is_read_as_it_was_written) {
    for (int kind = 0; kind <= 1; kind++)
        for (int profile = 0; profile <= 1; profile++)
            for (int channels = 1; channels <= 3; channels += 2) {
                ws_parameters h = header_like(kind, profile, channels), got;
                uint8_t bytes[512];
                CHECK(ws_read_parameters(bytes, write_parameters(&h, bytes), &got) == WS_OK);
                CHECK(memcmp(&got, &h, sizeof h) == 0);
            }
}

TEST(CS11_every_truncated_length_of_a_parameter_set_and_an_extra_byte_are_errors) {
    ws_parameters h = header_like(WS_APPROXIMATION, WS_VISUAL, 3), got;
    uint8_t bytes[512] = {0};
    const uint32_t size = write_parameters(&h, bytes);
    for (uint32_t n = 0; n < size; n++) {
        uint8_t *tight = copy_of(bytes, n);
        CHECK(ws_read_parameters(tight, n, &got) == WS_TRUNCATED);
        free(tight);
    }
    CHECK(ws_read_parameters(bytes, size + 1, &got) == WS_HEADER);
}

TEST(CS11_what_is_not_implemented_is_refused_by_name) {
    const struct {
        uint8_t at, value;
        int result;
    } cases[] = {{0, 'w', WS_MAGIC},
                 {2, 2, WS_NEWER},
                 {2, 0, WS_NEWER},
                 {3, 2, WS_NEWER},
                 {4, 2, WS_HEADER},
                 {5, 32, WS_HEADER},
                 {6, 10, WS_UNSUPPORTED_TILE},
                 {7, 2, WS_UNSUPPORTED},
                 {8, 0, WS_HEADER},
                 {8, 5, WS_HEADER},
                 {9, 2, WS_UNSUPPORTED_CHANNELS},
                 {9, 22, WS_HEADER}, /* 66 channels */
                 {10, 1, WS_HEADER},
                 {11, 2, WS_UNSUPPORTED_CHANNELS},
                 {11, 64, WS_UNSUPPORTED_CHANNELS},
                 {11, 65, WS_HEADER},
                 {12, 12, WS_UNSUPPORTED_DEPTH},
                 {12, 16, WS_UNSUPPORTED_DEPTH},
                 {12, 17, WS_HEADER},
                 {12, 8 | 128, WS_UNSUPPORTED_DEPTH},
                 {13, 5, WS_HEADER},
                 {14, 8, WS_UNSUPPORTED},
                 {15, 1, WS_UNSUPPORTED}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3), got;
        uint8_t bytes[512];
        const uint32_t size = write_parameters(&h, bytes);
        bytes[cases[i].at] = cases[i].value;
        CHECK(ws_read_parameters(bytes, size, &got) == cases[i].result);
    }
}

TEST(CS11_every_byte_of_a_parameter_set_changed_gives_parameters_or_an_error) {
    for (int kind = 0; kind <= 1; kind++) {
        ws_parameters h = header_like(kind, WS_VISUAL, 3), got;
        encode(&h, 1);
        uint8_t bytes[512];
        const uint32_t size = write_parameters(&h, bytes);
        for (uint32_t at = 0; at < size; at++) {
            const uint8_t values[] = {0, 1, 7, 127, 255}, was = bytes[at];
            for (uint32_t v = 0; v < 5; v++) {
                bytes[at] = values[v];
                if (values[v] == was || ws_read_parameters(bytes, size, &got)) continue;
                CHECK(ws_decode_block(&got, &FIRST, out, sizes[0], details, scratch) < 0); /* another seed */
                CHECK(ws_pixels_from_samples(samples, &got, 17, 5, 4, again) == WS_OK);
            }
            bytes[at] = was;
        }
    }
}

/* Everything that a layer is bound to, one after the other. */
TEST(CS6_CS8_a_layer_of_another_slide_level_plane_tile_or_index_is_refused) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 1), other = h;
    uint32_t size = encode(&h, 1);
    CHECK(ws_decode_block(&h, &FIRST, out, size, details, scratch) == WS_OK);
    const ws_address places[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {4095, 0, 0}, {0, 65535, 0}, {0, 0, 65535}};
    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++) {
        CHECK(ws_decode_block(&h, &places[i], out, size, details, scratch) == WS_BINDING);
        CHECK(ws_decode_tile(parent, &h, &places[i], out, size, decoded, scratch) == WS_BINDING);
    }
    other.seed ^= 1;
    CHECK(ws_decode_block(&other, &FIRST, out, size, details, scratch) == WS_CHECKSUM);
    uint8_t *mixed = exactly(2 * size);
    memcpy(mixed, out, sizes[0]);
    const uint32_t first = sizes[0], second = sizes[1];
    memcpy(mixed + first, out, first); /* layer 0 in the position of layer 1 */
    CHECK(ws_decode_block(&h, &FIRST, mixed, 2 * first, details, scratch) == WS_CHECKSUM);
    const ws_address beside = {0, 1, 0};
    ws_address found;
    CHECK(ws_encode(samples, &h, &(ws_tuning){.dead_zone = 110, .lambda = 24, .width = WS_TILE, .height = WS_TILE},
                    parent, &beside, &output, scratch) == WS_OK);
    CHECK(ws_read_address(out, sizes[0], &h, &found) == WS_OK && found.x == 1 && !found.y && !found.z);
    if (sizes[1] <= 2 * size - first) {
        memcpy(mixed + first, out + sizes[0], sizes[1]);
        CHECK(ws_decode_block(&h, &FIRST, mixed, first + sizes[1], details, scratch) == WS_CHECKSUM);
    }
    CHECK(second > 0);
    free(mixed);
}

TEST(random_payloads_give_samples) {
    for (int round = 0; round < 6; round++) {
        ws_parameters h = header_like(round & 1, round & 2 ? WS_LOSSLESS : WS_VISUAL, round < 3 ? 1 : 3);
        encode(&h, 1);
        uint8_t layer[600] = {0};
        uint32_t size = sizes[0] < sizeof layer ? sizes[0] : sizeof layer;
        layer[0] = 128, layer[1] = 1; /* a length of two bytes */
        put_length(layer, size);
        for (uint32_t i = 5; i < size; i++) layer[i] = (uint8_t)random32();
        sign_layer(layer, size, &h, 0);
        CHECK(decode_all(&h, layer, size) == WS_OK);
    }
}

/* Magnitudes of 15 bits where the header says that later layers bring 8 more; then any bytes as the later layer. */
TEST(CS20_CS27_m_stays_inside_an_int16_with_the_bits_of_all_later_layers) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 1);
    uint32_t over = 0;
    for (int i = 0; i < 3; i++) h.shift[0][0][0][i] = 0;
    for (uint32_t i = 0; i < MEANS; i++) details[i] = (int16_t)(random32() % 7 ? 0 : (int)(random32() % 65535) - 32767);
    CHECK(ws_encode_quantised(details, &h, &FIRST, &output, scratch) == WS_OK);
    for (int i = 0; i < 3; i++) h.shift[0][0][0][i] = 8;
    CHECK(ws_decode_block(&h, &FIRST, out, sizes[0], decoded, scratch) == WS_OK);
    for (uint32_t i = 0; i < MEANS; i++) over += decoded[i] % 256 != 0 || decoded[i] < -127 * 256;
    CHECK(over == 0);
    for (int round = 0; round < 6; round++) {
        uint8_t later[300] = {128, 1};
        put_length(later, sizeof later);
        for (uint32_t i = 2; i < sizeof later; i++) later[i] = round ? (uint8_t)random32() : 0xFF;
        sign_layer(later, sizeof later, &h, 1);
        memcpy(out + sizes[0], later, sizeof later);
        CHECK(decode_all(&h, out, sizes[0] + sizeof later) == WS_OK);
    }
}

TEST(random_bytes_are_refused) {
    const ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    for (uint32_t n = 1; n < 400; n++) {
        uint8_t *bytes = exactly(n);
        for (uint32_t i = 0; i < n; i++) bytes[i] = (uint8_t)random32();
        CHECK(decode_all(&h, bytes, n) < 0);
        free(bytes);
    }
}

TEST(CS7_an_extra_byte_missing_layers_and_another_kind_are_refused) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 1), top = header_like(WS_APPROXIMATION, WS_VISUAL, 1);
    uint32_t size = encode(&h, 1), first = sizes[0], second = sizes[1];
    out[size] = 0;
    CHECK(ws_decode_block(&h, &FIRST, out, size + 1, details, scratch) == WS_ORDER);
    CHECK(ws_decode_block(&h, &FIRST, out, 0, details, scratch) == WS_ORDER);
    CHECK(ws_decode_block(&h, &FIRST, out + first, second, details, scratch) < 0);
    uint8_t *block = exactly(size + second);
    memcpy(block, out, size), memcpy(block + size, out + first, second);
    CHECK(ws_decode_block(&h, &FIRST, block, size + second, details, scratch) == WS_ORDER);
    CHECK(ws_decode_approximation(&h, &FIRST, block, size, decoded, scratch) == WS_KIND);
    CHECK(ws_decode_block(&top, &FIRST, block, size, details, scratch) == WS_KIND);
    CHECK(ws_decode_tile(parent, &top, &FIRST, block, 0, decoded, scratch) == WS_KIND);
    CHECK(ws_decode_approximation(&top, &FIRST, block, first, decoded, scratch) == WS_CHECKSUM);
    free(block);
}

TEST(a_small_buffer_is_an_error_and_nothing_is_written_behind_it) {
    ws_parameters h = header_like(WS_DETAILS, WS_LOSSLESS, 1);
    ws_tuning t = plain_tuning();
    uint32_t size = encode(&h, 0);
    for (uint32_t n = 0; n < size; n += 9001) {
        uint8_t *tight = exactly(n);
        const ws_output small = {tight, n, sizes};
        CHECK(ws_encode(samples, &h, &t, parent, &FIRST, &small, scratch) == WS_SPACE);
        free(tight);
    }
}

TEST(CS7_in_the_encode_bound_every_stream_fits_and_no_layer_is_too_long) {
    for (int i = 0; i < 6; i++) { /* the largest, escapes in the last of four layers, and few of these */
        ws_parameters h = header_like(WS_DETAILS, i & 1 ? WS_VISUAL : WS_LOSSLESS, 3);
        h.layers = WS_LAYERS;
        for (int k = 0; k < 36; k++) h.shift[k / 9][0][k / 3 % 3][k % 3] = k < 27 ? 8 : 0;
        for (uint32_t k = 0; k < 3 * MEANS; k++) {
            const int m = (int)(random32() % (i < 2 ? 16384 : 242));
            details[k] = (int16_t)(i > 3 && random32() % 8 ? 0 : (i < 2 ? 16383 : 14) + m);
            if (random32() & 1) details[k] = (int16_t)-details[k];
        }
        CHECK(ws_encode_quantised(details, &h, &FIRST, &output, scratch) == WS_OK);
        uint32_t size = 0;
        for (uint32_t l = 0; l < WS_LAYERS; size += sizes[l++]) CHECK(sizes[l] <= WS_MAX_LAYER_BYTES);
        CHECK(ws_decode_block(&h, &FIRST, out, size, decoded, scratch) == WS_OK);
        CHECK(memcmp(decoded, details, 3 * MEANS * 2) == 0);
    }
}

TEST(CS7_a_layer_of_the_most_bytes_is_read_and_a_longer_one_refused) {
    const ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    encode(&h, 0);
    const uint32_t from = after_length(out), count = sizes[0] - from - 4;
    for (uint32_t extra = 0; extra < 2; extra++) { /* what follows the last symbol is not read */
        const uint32_t size = WS_MAX_LAYER_BYTES + extra;
        uint8_t *bytes = memset(exactly(size), 0, size);
        bytes[0] = bytes[1] = bytes[2] = 128;
        CHECK(put_length(bytes, size));
        memcpy(bytes + 4, out + from, count);
        sign_layer(bytes, size, &h, 0);
        CHECK(ws_decode_block(&h, &FIRST, bytes, size, decoded, scratch) == (extra ? WS_HEADER : WS_OK));
        free(bytes);
    }
}

/* The sum of the magnitudes of the details of a tile beyond so many columns and rows. */
static uint64_t details_outside(uint32_t width, uint32_t height) {
    uint64_t sum = 0;
    CHECK(ws_analyze(samples, 1, ll, details, scratch) == WS_OK);
    for (uint32_t i = 0; i < WS_BANDS * WS_HALF * WS_HALF; i++)
        if (i % WS_HALF >= width || i / WS_HALF % WS_HALF >= height) sum += (uint64_t)abs(details[i]);
    return sum;
}

TEST(ST59_a_tile_continues_outside_without_details) {
    for (uint32_t above = 0; above < 2; above++)
        for (uint32_t i = 0; i < 20; i++) {
            const uint32_t width = i ? 2 + random32() % 127 * 2 : WS_TILE, height = 2 + random32() % 127 * 2;
            for (uint32_t k = 0; k < WS_TILE * WS_TILE; k++) samples[k] = (int16_t)(random32() % 200);
            memcpy(decoded, samples, 2 * WS_TILE * WS_TILE);
            CHECK(ws_extend(samples, 1, width, height, above, scratch) == WS_OK);
            for (uint32_t k = 0; k < WS_TILE * WS_TILE; k++) {
                const int inside = k % WS_TILE < width && k / WS_TILE < height;
                CHECK(inside ? samples[k] == decoded[k] : samples[k] >= 0 && samples[k] < 200);
            }
            CHECK(details_outside(width / 2, height / 2) < (uint64_t)(width + height) * 10);
        }
    CHECK(ws_extend(samples, 1, 0, 1, 0, scratch) == WS_ARGUMENT);
    CHECK(ws_extend(samples, 1, 1, WS_TILE + 1, 0, scratch) == WS_ARGUMENT);
    CHECK(ws_extend(samples, 4, 1, 1, 0, scratch) == WS_ARGUMENT);
}

TEST(impossible_arguments_are_refused) {
    ws_parameters h = header_like(WS_DETAILS, WS_VISUAL, 3);
    ws_tuning t = plain_tuning();
    CHECK(ws_samples_from_pixels(pixels, 0, 1, &h, &t, samples) == WS_ARGUMENT);
    CHECK(ws_samples_from_pixels(pixels, WS_TILE + 1, 1, &h, &t, samples) == WS_ARGUMENT);
    CHECK(ws_pixels_from_samples(samples, &h, 1, 1, 2, again) == WS_ARGUMENT);
    const ws_address outside[] = {{4096, 0, 0}, {0, 65536, 0}, {0, 0, 65536}};
    for (int i = 0; i < 3; i++) {
        CHECK(ws_decode_tile(parent, &h, &outside[i], out, 0, decoded, scratch) == WS_ARGUMENT);
        CHECK(ws_encode(samples, &h, &t, parent, &outside[i], &output, scratch) == WS_ARGUMENT);
    }
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
        CHECK(ws_encode(samples, &h, &wrong, parent, &FIRST, &output, scratch) == WS_ARGUMENT);
    }
    h.bit_depth = 16;
    CHECK(ws_encode(samples, &h, &t, parent, &FIRST, &output, scratch) == WS_UNSUPPORTED_DEPTH);
}

TEST(CM5_KE5_sums_of_64_channels_are_clipped_whatever_the_depth_the_sign_and_the_number_of_pixels) {
    static int16_t table[65536 * 4];
    for (uint32_t i = 0; i < sizeof table / 2; i++) table[i] = i % 4 == 3 ? 0 : (int16_t)(random32() % 256);
    for (uint32_t count = 1; count < 40; count++) {
        const uint32_t bytes = 1 + count % 2, mask = bytes == 1 ? 0xff : 0xffff;
        const int32_t least = count % 3 ? 0 : bytes == 1 ? -128 : -32768;
        int16_t *sums = exactly(8 * count);
        uint8_t *rgba = exactly(4 * count), *values = exactly(bytes * count);
        int32_t expected[40][4];
        for (uint32_t i = 0; i < 4 * count; i++) sums[i] = expected[i / 4][i % 4] = i % 4 == 3 ? 255 : 0;
        for (int channel = 0; channel < 64; channel++) {
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t value = channel % 9 ? random32() & mask : mask;
                for (uint32_t k = 0; k < bytes; k++) values[bytes * i + k] = (uint8_t)(value >> 8 * k);
                for (int k = 0; k < 4; k++)
                    expected[i][k] += table[4 * ((value - (uint32_t)least) & mask) + (uint32_t)k];
            }
            CHECK(ws_mix_add(sums, values, bytes, least, table, count) == WS_OK);
            CHECK(ws_mix_clip(sums, count, rgba) == WS_OK);
            for (uint32_t i = 0; i < 4 * count; i++) {
                const int32_t sum = expected[i / 4][i % 4];
                CHECK(sums[i] == sum && rgba[i] == (sum > 255 ? 255 : sum));
            }
        }
        CHECK(ws_mix_add(sums, values, 3, 0, table, count) == WS_ARGUMENT);
        free(sums), free(rgba), free(values);
    }
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
    RUN(CS49_CS50_CS51_CS53_samples_of_any_depth_come_back_from_all_layers);
    RUN(CS51_what_is_not_shown_of_a_steep_tile_does_not_matter_to_its_shown_part);
    RUN(CS52_values_in_units_of_noise_come_back_within_half_a_unit);
    RUN(a_value_of_too_many_bits_is_refused);
    RUN(CS11_CS13_a_set_of_version_1_0_has_8_unsigned_bits_and_one_group);
    RUN(CS4_every_number_of_layers_decodes_and_comes_nearer);
    RUN(quantised_coefficients_survive_a_block);
    RUN(CS33_the_predictor_of_alternating_chroma_is_fitted_without_overflow);
    RUN(CS3_a_block_of_zeros_is_empty);
    RUN(a_window_has_the_pixels_of_the_whole_tile);
    RUN(windows_outside_a_tile_are_refused);
    RUN(CS7_every_truncated_length_is_an_error);
    RUN(CS22_every_shortened_payload_decodes_to_something);
    RUN(CS6_every_flipped_bit_of_a_layer_is_noticed);
    RUN(CS9_a_parameter_set_is_read_as_it_was_written);
    RUN(CS11_every_truncated_length_of_a_parameter_set_and_an_extra_byte_are_errors);
    RUN(CS11_what_is_not_implemented_is_refused_by_name);
    RUN(CS11_every_byte_of_a_parameter_set_changed_gives_parameters_or_an_error);
    RUN(CS6_CS8_a_layer_of_another_slide_level_plane_tile_or_index_is_refused);
    RUN(random_payloads_give_samples);
    RUN(CS20_CS27_m_stays_inside_an_int16_with_the_bits_of_all_later_layers);
    RUN(CS49_what_leaves_16_bits_ends_there_in_an_analysis_and_its_synthesis);
    RUN(random_bytes_are_refused);
    RUN(CS7_an_extra_byte_missing_layers_and_another_kind_are_refused);
    RUN(a_small_buffer_is_an_error_and_nothing_is_written_behind_it);
    RUN(CS7_in_the_encode_bound_every_stream_fits_and_no_layer_is_too_long);
    RUN(CS7_a_layer_of_the_most_bytes_is_read_and_a_longer_one_refused);
    RUN(ST59_a_tile_continues_outside_without_details);
    RUN(impossible_arguments_are_refused);
    RUN(CM5_KE5_sums_of_64_channels_are_clipped_whatever_the_depth_the_sign_and_the_number_of_pixels);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
