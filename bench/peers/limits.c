/* What this machine can do at most, for the shares of the roofline of
 * `adp-bench stages`, which compiles this program on the spot with
 * -DCOLUMNS=c (-O3 -march=native -fopenmp) and runs it as
 *
 *     limits DIR n nnz threads
 *
 * DIR holds indptr.i64 and indices.u32 of the graph. The checksum of a run is
 * the work that it did:
 *
 *     read    512 MiB of memory summed                          bytes
 *     gather  for each entry of the graph, the row of an n x c
 *             block that its column names, added up             bytes of rows
 *     fma     float32 multiply-adds in registers                operations, two each
 */
#include "peer.h"
#include <omp.h>

#if defined(__AVX512F__)
enum { LANES = 16 };
#else
enum { LANES = 8 };
#endif
typedef float vec __attribute__((vector_size(4 * LANES)));
enum { C = COLUMNS, AHEAD = 32 };

static const size_t bytes = 512ul << 20;
static int64_t n, nnz, *indptr;
static int threads;
static uint32_t *indices;
static float *x, *y, *large;
static volatile float sink;

static double read_all(void) {
  const vec *v = (const vec *)large;
  const int64_t count = bytes / sizeof(vec);
#pragma omp parallel num_threads(threads)
  {
    vec s[4] = {0};
#pragma omp for schedule(static)
    for (int64_t k = 0; k < count / 4; k++)
      for (int m = 0; m < 4; m++) s[m] += v[4 * k + m];
    sink = (s[0] + s[1] + s[2] + s[3])[0];
  }
  return bytes;
}

static double gather(void) {
#pragma omp parallel for schedule(dynamic, 512) num_threads(threads)
  for (int64_t i = 0; i < n; i++) {
    float s[C];
    for (int m = 0; m < C; m++) s[m] = 0;
    for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) {
      const char *next = (const char *)(x + (int64_t)indices[k + AHEAD] * C);
      for (int b = 0; b < 4 * C; b += 64) __builtin_prefetch(next + b);
      if (C % 16 != 0) __builtin_prefetch(next + 4 * C - 1);
      const float *r = x + (int64_t)indices[k] * C;
      for (int m = 0; m < C; m++) s[m] += r[m];
    }
    memcpy(y + i * C, s, sizeof s);
  }
  return 4.0 * C * nnz;
}

static double fma_peak(void) {
  const int64_t turns = 1 << 26;
  enum { SUMS = 12 };
#pragma omp parallel num_threads(threads)
  {
    vec s[SUMS], a = (vec){0} + 0.999f, b = (vec){0} + 1e-3f;
    for (int m = 0; m < SUMS; m++) s[m] = b * (float)m;
    for (int64_t t = 0; t < turns; t++) {
      for (int m = 0; m < SUMS; m++) s[m] = s[m] * a + b;
      __asm__ volatile("" : "+x"(a)); /* the loop stays a loop */
    }
    vec all = b;
    for (int m = 0; m < SUMS; m++) all += s[m];
    sink = all[0];
  }
  return 2.0 * SUMS * LANES * turns * threads;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  n = atoll(argv[2]), nnz = atoll(argv[3]), threads = atoi(argv[4]);
  indptr = load(argv[1], "indptr.i64", 8 * (n + 1));
  indices = load(argv[1], "indices.u32", 4 * nnz);
  x = block(4 * n * C), y = block(4 * n * C), large = block(bytes);
  const variant variants[] = {{"read", read_all, NULL}, {"gather", gather, NULL}, {"fma", fma_peak, NULL}};
  return serve(variants, 3);
}
