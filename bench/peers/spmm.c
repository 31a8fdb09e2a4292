/* Sparse-dense product Y = A X in C, to compare adp-sparse with: the best
 * that hand-written code does on this machine, plain loops, and the memory
 * limit. `adp-bench kernels` compiles it on the spot
 * (-O3 -march=native -fopenmp) and runs it as
 *
 *     spmm DIR n nnz c threads
 *
 * DIR holds indptr.i64, indices.u32, data.f32 and x.f32 (n rows of c), raw
 * little-endian arrays. Protocol: peer.h; a run is one product,
 * checksum = sum over k of y_k ((k mod 97) + 1).
 *
 * Variants: plain (the compiler's vectors, c a constant), simdP (intrinsics,
 * AVX-512 where there is, else AVX2, with fused multiply-add; rows of X
 * prefetched P entries ahead) and gatherP (the rows of X are added without
 * a product and without reading the values: the memory limit). X and Y are in
 * huge pages where the system has them.
 */
#include "peer.h"
#include <immintrin.h>
#include <omp.h>

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
#define PLAIN(C) static double plain_##C(void) { LOOP row_plain(i, C); return 0; }
#define SIMD(C, P)                                                    \
  static double simd_##C##_##P(void) { LOOP row_simd(i, C, P, 0); return 0; }     \
  static double gather_##C##_##P(void) { LOOP row_simd(i, C, P, 1); return 0; }
#define WIDTH(C) PLAIN(C) SIMD(C, 0) SIMD(C, 16) SIMD(C, 32) SIMD(C, 64)
WIDTH(4)
WIDTH(10)
WIDTH(32)

static double weighted_sum(void) {
  double sum = 0;
  for (int64_t k = 0; k < n * c; k++) sum += y[k] * (double)(k % 97 + 1);
  return sum;
}

#define ROW(C, P) {"simd" #P, simd_##C##_##P, weighted_sum}, {"gather" #P, gather_##C##_##P, weighted_sum}
#define ROWS(C) \
  static const variant variants_##C[] = {{"plain", plain_##C, weighted_sum}, ROW(C, 0), ROW(C, 16), ROW(C, 32), ROW(C, 64)}
ROWS(4);
ROWS(10);
ROWS(32);

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  n = atoll(argv[2]), nnz = atoll(argv[3]), c = atoi(argv[4]), threads = atoi(argv[5]);
  indptr = load(argv[1], "indptr.i64", 8 * (n + 1));
  indices = load(argv[1], "indices.u32", 4 * nnz);
  data = load(argv[1], "data.f32", 4 * nnz);
  x = load(argv[1], "x.f32", 4 * n * c);
  y = block(4 * n * c);
  switch (c) {
    case 4: return serve(variants_4, 9);
    case 10: return serve(variants_10, 9);
    case 32: return serve(variants_32, 9);
  }
  return serve(NULL, 0);
}
