/* The k largest entries of each row of S A S' in C, to compare adp-sparse's
 * A-step with: row-wise products with a dense accumulator, nothing stored but
 * the k entries. `adp-bench astep` compiles it on the spot
 * (-O3 -march=native -fopenmp) and runs it as
 *
 *     astep DIR n nnz k threads
 *
 * DIR holds indptr.i64, indices.u32 and data.f32 of S, which is symmetric and
 * has values above 0; A is S. Protocol: peer.h. The checksum is the sum of
 * the values kept. The diagonal takes no part.
 *
 * Row i: u = sum_j S_ij A_j, v = sum_l u_l S_l, each in an array of n floats
 * that is 0 between rows, with the list of the places that are not. A place is
 * written to the list whether it is new or not, and the length grows by whether
 * it was: there is no branch to guess. The k largest stand in a binary heap
 * with the least at the root.
 *
 * F. G. Gustavson, Two fast algorithms for sparse matrices, ACM TOMS 4(3), 1978.
 */
#include "peer.h"
#include <omp.h>

static int64_t n, nnz, *indptr;
static int k_most, threads;
static uint32_t *indices, *kept_cols;
static float *data, *kept;

typedef struct {
  float *value;
  uint32_t *list;
  int64_t length;
} accumulator;

static accumulator make(void) {
  accumulator a = {block(4 * n), block(4 * n + 64), 0};
  return a;
}

static inline void add_row(accumulator *a, float w, int64_t row) {
  float *value = a->value;
  uint32_t *list = a->list;
  int64_t length = a->length;
  for (int64_t k = indptr[row]; k < indptr[row + 1]; k++) {
    const uint32_t j = indices[k];
    const float old = value[j];
    list[length] = j;
    length += old == 0;
    value[j] = old + w * data[k];
  }
  a->length = length;
}

/* sift moves entry `at` of a heap of count entries down to its place. */
static inline void sift(float *v, uint32_t *c, int at, int count) {
  const float value = v[at];
  const uint32_t column = c[at];
  for (;;) {
    int next = 2 * at + 1;
    if (next >= count) break;
    if (next + 1 < count && v[next + 1] < v[next]) next++;
    if (v[next] >= value) break;
    v[at] = v[next], c[at] = c[next];
    at = next;
  }
  v[at] = value, c[at] = column;
}

/* select_row keeps the k largest entries of a row and clears the row. */
static void select_row(int64_t i, accumulator *a) {
  float *v = kept + i * k_most;
  uint32_t *c = kept_cols + i * k_most;
  int count = 0;
  for (int64_t m = 0; m < a->length; m++) {
    const uint32_t j = a->list[m];
    const float x = a->value[j];
    a->value[j] = 0;
    if (j == i) continue;
    if (count < k_most) {
      v[count] = x, c[count] = j;
      if (++count == k_most)
        for (int at = k_most / 2 - 1; at >= 0; at--) sift(v, c, at, k_most);
    } else if (x > v[0]) {
      v[0] = x, c[0] = j;
      sift(v, c, 0, k_most);
    }
  }
  for (; count < k_most; count++) v[count] = 0, c[count] = 0;
  a->length = 0;
}

static accumulator *us, *vs; /* of each thread */

static double product(void) {
#pragma omp parallel for schedule(dynamic, 128) num_threads(threads)
  for (int64_t i = 0; i < n; i++) {
    accumulator *u = us + omp_get_thread_num(), *v = vs + omp_get_thread_num();
    for (int64_t k = indptr[i]; k < indptr[i + 1]; k++) add_row(u, data[k], indices[k]);
    for (int64_t m = 0; m < u->length; m++) {
      const uint32_t l = u->list[m];
      add_row(v, u->value[l], l);
      u->value[l] = 0;
    }
    u->length = 0;
    select_row(i, v);
  }
  return 0;
}

static double sum_kept(void) {
  double sum = 0;
  for (int64_t k = 0; k < n * k_most; k++) sum += kept[k];
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  n = atoll(argv[2]), nnz = atoll(argv[3]), k_most = atoi(argv[4]), threads = atoi(argv[5]);
  indptr = load(argv[1], "indptr.i64", 8 * (n + 1));
  indices = load(argv[1], "indices.u32", 4 * nnz);
  data = load(argv[1], "data.f32", 4 * nnz);
  kept = block(4 * n * k_most), kept_cols = block(4 * n * k_most);
  us = calloc(threads, sizeof *us), vs = calloc(threads, sizeof *vs);
  for (int t = 0; t < threads; t++) us[t] = make(), vs[t] = make();
  const variant variants[] = {{"dense", product, sum_kept}};
  return serve(variants, 1);
}
