// What package mpi needs of MPI. Functions return an MPI error code, 0 for none,
// or one of the codes below.
#include <stddef.h>

enum { SHIM_LATE = -1, SHIM_MEMORY = -2, SHIM_THREADS = -3 };

// A set of sends and receives under way.
typedef struct shim_set shim_set;

int shim_init(int *rank, int *size);
int shim_finalize(void);
void shim_abort(int code);
void shim_message(int code, char *text, int length);

shim_set *shim_new(void);
void shim_free(shim_set *set);
int shim_send_rows(shim_set *set, const void *rows, int count, int width, int peer);
int shim_receive_rows(shim_set *set, void *rows, int count, int width, int peer);
int shim_send(shim_set *set, const void *bytes, int count, int peer);
int shim_receive(shim_set *set, void *bytes, int count, int peer);
int shim_counts(shim_set *set, const void *send, void *receive);
int shim_broadcast(shim_set *set, void *doubles, int count, int root);
int shim_test(shim_set *set, int *done);
void shim_hurry(double seconds);
int shim_wait(shim_set *set, double seconds, int *peer);
