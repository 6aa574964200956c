/*
 * One JPEG 2000 codestream to interleaved pixels, on OpenJPEG.
 *
 * The readers of the service are builds of OpenJPEG by GCC with -ffast-math, which adds the two products of green first. A picture
 * differs in a few pixels otherwise, so that this build does the same: opj_mct_decode_real is compiled away (-D) and stands below.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "openjpeg.h"

typedef struct {
  const uint8_t *bytes;
  size_t length, at;
} Source;

static OPJ_SIZE_T read_source(void *buffer, OPJ_SIZE_T wanted, void *user) {
  Source *source = user;
  size_t left = source->length - source->at;
  if (left == 0) return (OPJ_SIZE_T)-1;
  size_t count = wanted < left ? wanted : left;
  memcpy(buffer, source->bytes + source->at, count);
  source->at += count;
  return count;
}

static OPJ_OFF_T skip_source(OPJ_OFF_T count, void *user) {
  Source *source = user;
  size_t left = source->length - source->at;
  if (count < 0 || (uint64_t)count > left) return -1;
  source->at += (size_t)count;
  return count;
}

static OPJ_BOOL seek_source(OPJ_OFF_T at, void *user) {
  Source *source = user;
  if (at < 0 || (uint64_t)at > source->length) return OPJ_FALSE;
  source->at = (size_t)at;
  return OPJ_TRUE;
}

static int faults;

static void count_fault(const char *message, void *user) {
  (void)message;
  (void)user;
  faults += 1;
}

static int fits(const opj_image_t *image, uint32_t width, uint32_t height) {
  if (image->numcomps != 3) return 0;
  for (int i = 0; i < 3; i++) {
    const opj_image_comp_t *one = &image->comps[i];
    if (one->w != width || one->h != height || one->prec != 8 || one->sgnd || one->dx != 1 || one->dy != 1) return 0;
  }
  return 1;
}

/* Writes width * height * 3 bytes and returns 1; 0: the bytes are damaged, or are no RGB picture of this size and 8 bits. */
__attribute__((export_name("decode"))) int decode(const uint8_t *bytes, uint32_t length, uint32_t width,
                                                  uint32_t height, uint8_t *pixels) {
  Source source = {bytes, length, 0};
  opj_dparameters_t parameters;
  opj_image_t *image = NULL;
  faults = 0;
  opj_codec_t *codec = opj_create_decompress(OPJ_CODEC_J2K);
  opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);
  opj_set_default_decoder_parameters(&parameters);
  opj_stream_set_user_data(stream, &source, NULL);
  opj_stream_set_user_data_length(stream, length);
  opj_stream_set_read_function(stream, read_source);
  opj_stream_set_skip_function(stream, skip_source);
  opj_stream_set_seek_function(stream, seek_source);
  opj_set_error_handler(codec, count_fault, NULL);
  opj_set_warning_handler(codec, count_fault, NULL);
  int good = opj_setup_decoder(codec, &parameters) && opj_read_header(stream, codec, &image) &&
             fits(image, width, height) && opj_decode(codec, stream, image) && faults == 0 &&
             fits(image, width, height) && image->comps[0].data && image->comps[1].data && image->comps[2].data;
  if (good)
    for (size_t i = 0; i < (size_t)width * height; i++)
      for (int c = 0; c < 3; c++) pixels[3 * i + c] = (uint8_t)image->comps[c].data[i];
  opj_image_destroy(image);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  return good;
}

__attribute__((export_name("allocate"))) void *allocate(uint32_t length) { return malloc(length); }

__attribute__((export_name("release"))) void release(void *memory) { free(memory); }

void opj_mct_decode_real(OPJ_FLOAT32 *c0, OPJ_FLOAT32 *c1, OPJ_FLOAT32 *c2, OPJ_SIZE_T n) {
  for (OPJ_SIZE_T i = 0; i < n; i++) {
    float y = c0[i], u = c1[i], v = c2[i];
    c0[i] = y + v * 1.402f;
    c1[i] = y - (u * 0.34413f + v * 0.71414f);
    c2[i] = y + u * 1.772f;
  }
}
