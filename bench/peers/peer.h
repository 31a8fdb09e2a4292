/* What the C programs of this folder share: memory in huge pages, raw arrays
 * read from files, clocks, and the protocol. A program prints `ready` and the
 * names of its variants, then answers each line with a name by one run:
 *
 *     CPU-seconds wall-seconds checksum peak-bytes
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

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

static inline void *load(const char *dir, const char *name, size_t bytes) {
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

/* peak returns the largest resident memory of this program, 0 if unknown. */
static long long peak(void) {
  char line[256];
  long long kib = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmHWM: %lld kB", &kib) == 1) break;
  if (f) fclose(f);
  return kib << 10;
}

/* A variant does one run and returns a checksum that is not timed if it is
 * made by sum. */
typedef struct {
  const char *name;
  double (*run)(void);
  double (*sum)(void);
} variant;

static int serve(const variant *variants, int count) {
  printf("ready");
  for (int k = 0; k < count; k++) printf(" %s", variants[k].name);
  printf("\n");
  fflush(stdout);
  char name[64];
  while (scanf("%63s", name) == 1) {
    const variant *v = NULL;
    for (int k = 0; k < count; k++)
      if (!strcmp(variants[k].name, name)) v = &variants[k];
    if (!v) return 2;
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double sum = v->run();
    const double cpu1 = seconds(CLOCK_PROCESS_CPUTIME_ID), wall1 = seconds(CLOCK_MONOTONIC);
    if (v->sum) sum = v->sum();
    printf("%.9f %.9f %.17g %lld\n", cpu1 - cpu, wall1 - wall, sum, peak());
    fflush(stdout);
  }
  return 0;
}
