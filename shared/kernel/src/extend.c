/* What a tile has outside its slide. It is not shown, but what is shown is predicted from it, so its details are coded.
 * On a level above, a pixel that the border cuts is a mean with it. */
#include "internal.h"

/* By each round what is visible of a pair that the border cuts is half as far from what its means predict. */
enum { ROUNDS = 4, ANALYSES = WS_DEPTH + 1 };
_Static_assert(WS_HALF >> (ANALYSES - 1) >= 8, "an analysis takes eight means at a time");

/* What lies in the scratch: details, means of all analyses, working space of one of them, samples. */
enum {
    MEANS_AT = WS_TILE * WS_TILE,
    TEMPORARY_AT = MEANS_AT + 2 * WS_HALF * WS_HALF,
    OUT_AT = TEMPORARY_AT + 4 * WS_HALF * WS_HALF
};
_Static_assert(2 * (OUT_AT + WS_TILE * WS_TILE) <= WS_SCRATCH_BYTES, "the scratch has room for them");

/* Details at `depth` of which at least half lies outside become zeros: those of pairs across (HL, HH) and down (LH,
 * HH); and all of samples that lie outside whole. */
static void clear_outside(int16_t *details, uint32_t n, uint32_t depth, uint32_t width, uint32_t height) {
    const uint32_t side = 2u << depth, across = (width + side / 2 - 1) / side, down = (height + side / 2 - 1) / side,
                   right = (width + side - 1) / side, below = (height + side - 1) / side;
    for (uint32_t band = 0; band < WS_BANDS; band++) {
        const uint32_t left = band == 1 ? right : across, top = band == 0 ? below : down;
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = y < top ? left : 0; x < n; x++) details[(band * n + y) * n + x] = 0;
    }
}

/* The plane as it is without the details outside, at OUT_AT of the scratch. */
static void smooth(const int16_t *plane, uint32_t width, uint32_t height, uint32_t analyses, int16_t *scratch) {
    static const ws_siblings alone = {.clamped = 1};
    int16_t *const details = scratch, *const temporary = scratch + TEMPORARY_AT;
    const int16_t *in = plane;
    int16_t *mean = scratch + MEANS_AT, *of[ANALYSES];
    for (uint32_t d = 0; d < analyses; d++) {
        const uint32_t n = WS_HALF >> d;
        of[d] = mean;
        ws_analyze_plane(in, 2 * (int)n, (int)n, mean, (int)n, alone, details + ws_plane_offset(1, d, 0, 0), temporary);
        clear_outside(details + ws_plane_offset(1, d, 0, 0), n, d, width, height);
        in = mean, mean += n * n;
    }
    for (uint32_t d = analyses; d-- > 0;) {
        const uint32_t n = WS_HALF >> d;
        ws_synthesize_plane(of[d], (int)n, alone, details + ws_plane_offset(1, d, 0, 0), ws_whole(n),
                            d ? of[d - 1] : scratch + OUT_AT, 2 * (int)n, temporary);
    }
}

/* Visible samples stay as they are; the others take no value beyond theirs. */
static void extend_plane(int16_t *plane, uint32_t width, uint32_t height, uint32_t analyses, int16_t *scratch) {
    const int16_t *const out = scratch + OUT_AT;
    int16_t least = plane[0], most = plane[0];
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int16_t v = plane[y * WS_TILE + x];
            least = v < least ? v : least, most = v > most ? v : most;
        }
    for (uint32_t i = 0; i < WS_TILE * WS_TILE; i++) {
        const uint32_t x = i % WS_TILE, y = i / WS_TILE;
        plane[i] = plane[(y < height ? y : height - 1) * WS_TILE + (x < width ? x : width - 1)];
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        smooth(plane, width, height, analyses, scratch);
        for (uint32_t y = 0; y < WS_TILE; y++)
            for (uint32_t x = y < height ? width : 0; x < WS_TILE; x++) {
                const int16_t v = out[y * WS_TILE + x];
                plane[y * WS_TILE + x] = v < least ? least : v > most ? most : v;
            }
    }
}

int ws_extend(int16_t *samples, uint32_t channels, uint32_t width, uint32_t height, uint32_t above, uint8_t *scratch) {
    if (channels < 1 || channels > WS_CHANNELS) return WS_ARGUMENT;
    if (width < 1 || width > WS_TILE || height < 1 || height > WS_TILE) return WS_ARGUMENT;
    if (width == WS_TILE && height == WS_TILE) return WS_OK;
    for (uint32_t c = 0; c < channels; c++)
        extend_plane(samples + c * WS_TILE * WS_TILE, width, height, above ? ANALYSES : WS_DEPTH, (int16_t *)scratch);
    return WS_OK;
}
