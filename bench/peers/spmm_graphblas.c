/* Sparse-dense product Y = A X by SuiteSparse:GraphBLAS, to compare
 * adp-sparse with. Arguments, files and answers are those of spmm.c;
 * `adp-bench kernels` compiles it (-lgraphblas) and runs it.
 *
 * Variants: accumulate (Y = 0, then Y += A X with a full Y: the form with the
 * fastest methods; setting Y to 0 is counted) and plain (Y = A X).
 */
#include "peer.h"

#include <GraphBLAS.h>

static void check(GrB_Info info, const char *what) {
  if (info != GrB_SUCCESS) {
    fprintf(stderr, "GraphBLAS: %s: error %d\n", what, (int)info);
    exit(3);
  }
}
#define TRY(call) check(call, #call)

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  const uint64_t n = atoll(argv[2]), nnz = atoll(argv[3]), c = atoi(argv[4]);
  TRY(GrB_init(GrB_BLOCKING));
  TRY(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, atoi(argv[5])));
  TRY(GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW));

  uint64_t *indptr = load(argv[1], "indptr.i64", 8 * (n + 1));
  uint32_t *narrow = load(argv[1], "indices.u32", 4 * nnz);
  float *data = load(argv[1], "data.f32", 4 * nnz), *block = load(argv[1], "x.f32", 4 * n * c);
  uint64_t *indices = malloc(8 * nnz);
  for (uint64_t k = 0; k < nnz; k++) indices[k] = narrow[k];
  free(narrow);
  GrB_Matrix a, x, y;
  TRY(GrB_Matrix_new(&a, GrB_FP32, n, n));
  TRY(GrB_Matrix_new(&x, GrB_FP32, n, c));
  TRY(GxB_Matrix_pack_CSR(a, &indptr, &indices, (void **)&data, 8 * (n + 1), 8 * nnz, 4 * nnz, false, false, NULL));
  TRY(GxB_Matrix_pack_FullR(x, (void **)&block, 4 * n * c, false, NULL));

  printf("ready accumulate plain\n");
  fflush(stdout);
  char name[64];
  while (scanf("%63s", name) == 1) {
    TRY(GrB_Matrix_new(&y, GrB_FP32, n, c));
    const int accumulate = !strcmp(name, "accumulate");
    if (accumulate) {
      float *zero = calloc(n * c, 4);
      memset(zero, 0, 4 * n * c);
      TRY(GxB_Matrix_pack_FullR(y, (void **)&zero, 4 * n * c, false, NULL));
    }
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (accumulate) {
      TRY(GrB_assign(y, NULL, NULL, 0.0f, GrB_ALL, n, GrB_ALL, c, NULL));
      TRY(GrB_mxm(y, NULL, GrB_PLUS_FP32, GrB_PLUS_TIMES_SEMIRING_FP32, a, x, NULL));
    } else {
      TRY(GrB_mxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, a, x, NULL));
    }
    TRY(GrB_wait(y, GrB_MATERIALIZE));
    const double cpu1 = seconds(CLOCK_PROCESS_CPUTIME_ID), wall1 = seconds(CLOCK_MONOTONIC);
    GrB_Index *rows = malloc(8 * n * c), *cols = malloc(8 * n * c), count = n * c;
    float *values = malloc(4 * n * c);
    TRY(GrB_Matrix_extractTuples(rows, cols, values, &count, y));
    double sum = 0;
    for (uint64_t k = 0; k < count; k++) sum += values[k] * (double)((rows[k] * c + cols[k]) % 97 + 1);
    free(rows), free(cols), free(values);
    printf("%.9f %.9f %.17g\n", cpu1 - cpu, wall1 - wall, sum);
    fflush(stdout);
    GrB_free(&y);
  }
  return 0;
}
