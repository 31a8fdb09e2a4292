/* Sparse-dense product Y = A X in C, to compare adp-sparse with: the best
 * that hand-written code does on this machine, plain loops, and the memory
 * limit. `adp-sparse bench kernels` compiles it on the spot
 * (-O3 -march=native -fopenmp) and runs it as
 *
 *     spmm DIR n nnz c threads
 *
 * DIR holds indptr.i64, indices.u32, data.f32 and x.f32 (n rows of c), raw
 * little-endian arrays. The program prints `ready` and the names of its
 * variants, then answers each line with a name by doing one product:
 *
 *     CPU-seconds wall-seconds checksum
 *
 * checksum = sum over k of y_k ((k mod 97) + 1).
 *
 * Variants: plain (the compiler's vectors, c a constant), simdP (intrinsics,
 * AVX-512 where there is, else AVX2, with fused multiply-add; rows of X
 * prefetched P entries ahead) and gatherP (the rows of X are added without
 * a product and without reading the values: the memory limit). X and Y are in
 * huge pages where the system has them.
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int64_t n, nnz, *indptr;
static int c, threads;
static uint32_t *indices;
static float *data, *x, *y;

#define INLINE static inline __attribute__((always_inline))

/* row_plain: y_i = sum a_ij x_j with C a constant. */
INLINE void row_plain(int64_t i, const int C) {
  float s[C];
  for (int m = 0; m < C; m++) s[m] = 0;
  for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) {
    const float v = data[k], *r = x + (int64_t)indices[k] * C;
    for (int m = 0; m < C; m++) s[m] += v * r[m];
  }
  memcpy(y + i * C, s, sizeof s);
}

INLINE void ahead(int64_t k, const int C, const int P) {
  const char *r = (const char *)(x + (int64_t)indices[k + P] * C);
  for (int b = 0; b < 4 * C; b += 64) _mm_prefetch(r + b, _MM_HINT_T0);
  if (C % 16 != 0 && 16 % C != 0) _mm_prefetch(r + 4 * C - 1, _MM_HINT_T0);
}

/* row_simd: the same by intrinsics; with only_gather rows are added as they are. */
INLINE void row_simd(int64_t i, const int C, const int P, const int only_gather) {
#ifdef __AVX512F__
  enum { L = 16 };
  const int full = C / L, rest = C % L;
  const __mmask16 mask = (__mmask16)((1u << rest) - 1);
  __m512 s[full + 1];
  for (int m = 0; m <= full; m++) s[m] = _mm512_setzero_ps();
#else
  enum { L = 8 };
  const int full = C / L, rest = C % L;
  __m256 s[full + 1];
  __m128 t = _mm_setzero_ps();
  for (int m = 0; m <= full; m++) s[m] = _mm256_setzero_ps();
#endif
  __m128 four = _mm_setzero_ps();
  for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) {
    if (P > 0) ahead(k, C, P);
    const float *r = x + (int64_t)indices[k] * C, v = only_gather ? 1 : data[k];
    if (C == 4) {
      const __m128 q = _mm_loadu_ps(r);
      four = only_gather ? _mm_add_ps(four, q) : _mm_fmadd_ps(_mm_set1_ps(v), q, four);
      continue;
    }
#ifdef __AVX512F__
    for (int m = 0; m <= full; m++) {
      if (m == full && rest == 0) break;
      const __m512 q = m < full ? _mm512_loadu_ps(r + m * L) : _mm512_maskz_loadu_ps(mask, r + m * L);
      s[m] = only_gather ? _mm512_add_ps(s[m], q) : _mm512_fmadd_ps(_mm512_set1_ps(v), q, s[m]);
    }
#else
    for (int m = 0; m < full; m++) {
      const __m256 q = _mm256_loadu_ps(r + m * L);
      s[m] = only_gather ? _mm256_add_ps(s[m], q) : _mm256_fmadd_ps(_mm256_set1_ps(v), q, s[m]);
    }
    if (rest == 2) {
      const __m128 q = _mm_castpd_ps(_mm_load_sd((const double *)(r + full * L)));
      t = only_gather ? _mm_add_ps(t, q) : _mm_fmadd_ps(_mm_set1_ps(v), q, t);
    }
#endif
  }
  float *out = y + i * C;
  if (C == 4) {
    _mm_storeu_ps(out, four);
    return;
  }
#ifdef __AVX512F__
  for (int m = 0; m < full; m++) _mm512_storeu_ps(out + m * L, s[m]);
  if (rest) _mm512_mask_storeu_ps(out + full * L, mask, s[full]);
#else
  for (int m = 0; m < full; m++) _mm256_storeu_ps(out + m * L, s[m]);
  if (rest == 2) _mm_store_sd((double *)(out + full * L), _mm_castps_pd(t));
#endif
}

#define LOOP _Pragma("omp parallel for schedule(dynamic, 512) num_threads(threads)") for (int64_t i = 0; i < n; i++)
#define PLAIN(C) static void plain_##C(void) { LOOP row_plain(i, C); }
#define SIMD(C, P)                                                    \
  static void simd_##C##_##P(void) { LOOP row_simd(i, C, P, 0); }     \
  static void gather_##C##_##P(void) { LOOP row_simd(i, C, P, 1); }
#define WIDTH(C) PLAIN(C) SIMD(C, 0) SIMD(C, 16) SIMD(C, 32) SIMD(C, 64)
WIDTH(4)
WIDTH(10)
WIDTH(32)

typedef struct {
  const char *name;
  int c;
  void (*run)(void);
} variant;
#define ROW(C, P) {"simd" #P, C, simd_##C##_##P}, {"gather" #P, C, gather_##C##_##P}
#define ROWS(C) {"plain", C, plain_##C}, ROW(C, 0), ROW(C, 16), ROW(C, 32), ROW(C, 64)
static const variant variants[] = {ROWS(4), ROWS(10), ROWS(32)};
enum { COUNT = sizeof variants / sizeof *variants };

/* block returns zeroed memory in huge pages, with room to read past its end. */
static void *block(size_t bytes) {
  const size_t page = 1 << 21;
  bytes = (bytes + 256 + page - 1) / page * page;
  void *p = aligned_alloc(page, bytes);
  if (!p) exit(3);
  madvise(p, bytes, MADV_HUGEPAGE);
  memset(p, 0, bytes);
  return p;
}

static void *load(const char *dir, const char *name, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "rb");
  void *p = block(bytes);
  if (!f || fread(p, 1, bytes, f) != bytes) {
    perror(path);
    exit(3);
  }
  fclose(f);
  return p;
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  n = atoll(argv[2]), nnz = atoll(argv[3]), c = atoi(argv[4]), threads = atoi(argv[5]);
  indptr = load(argv[1], "indptr.i64", 8 * (n + 1));
  indices = load(argv[1], "indices.u32", 4 * nnz);
  data = load(argv[1], "data.f32", 4 * nnz);
  x = load(argv[1], "x.f32", 4 * n * c);
  y = block(4 * n * c);
  printf("ready");
  for (int k = 0; k < COUNT; k++)
    if (variants[k].c == c) printf(" %s", variants[k].name);
  printf("\n");
  fflush(stdout);
  char name[64];
  while (scanf("%63s", name) == 1) {
    const variant *v = NULL;
    for (int k = 0; k < COUNT; k++)
      if (variants[k].c == c && !strcmp(variants[k].name, name)) v = &variants[k];
    if (!v) return 2;
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    v->run();
    const double cpu1 = seconds(CLOCK_PROCESS_CPUTIME_ID), wall1 = seconds(CLOCK_MONOTONIC);
    double sum = 0;
    for (int64_t k = 0; k < n * c; k++) sum += y[k] * (double)(k % 97 + 1);
    printf("%.9f %.9f %.17g\n", cpu1 - cpu, wall1 - wall, sum);
    fflush(stdout);
  }
  return 0;
}
