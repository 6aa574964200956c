/* Native speed of encoding: bench_encode FILE (256 x 256 RGB, raw) PARAMETERS (a parameter set)
 * [ROUNDS]. Analysis, quantisation and coding from pixels on. Prints milliseconds of processor time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "wavescope_kernel.h"

static uint32_t load(const char *name, uint8_t *to, uint32_t most) {
    FILE *file = fopen(name, "rb");
    if (!file) exit(2);
    uint32_t size = (uint32_t)fread(to, 1, most, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t bytes[8 << 20], pixels[WS_TILE * WS_TILE * 3];
    if (argc < 3) return 2;
    int rounds = argc > 3 ? atoi(argv[3]) : 30;
    ws_parameters parameters;
    const ws_address address = {0, 0, 0};
    if (load(argv[1], pixels, sizeof pixels) < sizeof pixels) return 2;
    if (ws_read_parameters(bytes, load(argv[2], bytes, sizeof bytes), &parameters)) return 3;
    ws_tuning tuning = {{0}, 110, 24, WS_TILE, WS_TILE};
    for (int i = 0; i < 9; i++) tuning.forward[i] = parameters.inverse[i % 3 * 3 + i / 3]; /* orthonormal */
    uint8_t *scratch = aligned_alloc(64, ws_scratch_bytes()), *out = aligned_alloc(64, ws_encode_bound());
    int16_t *samples = aligned_alloc(64, 3 << 20), *parent = aligned_alloc(64, 3 << 20);
    for (int i = 0; i < 3 * WS_TILE * WS_TILE; i++) parent[i] = 0;
    double best = 1e9;
    uint32_t sizes[WS_LAYERS], total = 0;
    const ws_output output = {out, ws_encode_bound(), sizes};
    for (int i = 0; i < rounds; i++) {
        clock_t start = clock();
        if (ws_samples_from_pixels(pixels, WS_TILE, WS_TILE, &parameters, &tuning, samples)) return 4;
        if (ws_encode(samples, &parameters, &tuning, parent, &address, &output, scratch)) return 4;
        double took = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
        if (took < best) best = took;
    }
    for (int i = 0; i < WS_LAYERS; i++) total += sizes[i];
    printf("%u bytes: %.2f ms\n", total, best);
    return 0;
}
