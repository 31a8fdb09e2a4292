//go:build mpi

#include "shim.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ROWS = 1, TAG_BYTES = 2 };

// The requests under way and the rank that each is with, -1 for all.
struct shim_set {
	MPI_Request *request;
	int *peer;
	int count, room;
};

// The types of rows made so far, see row.
static struct { int width; MPI_Datatype type; } *made;
static int widths;

int shim_init(int *rank, int *size) {
	int provided, code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
	if (code == MPI_SUCCESS && provided < MPI_THREAD_FUNNELED) code = SHIM_THREADS;
	if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (code == MPI_SUCCESS) code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
	if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, size);
	return code;
}

int shim_finalize(void) {
	while (widths > 0) MPI_Type_free(&made[--widths].type);
	free(made);
	return MPI_Finalize();
}

void shim_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

void shim_message(int code, char *text, int length) {
	char all[MPI_MAX_ERROR_STRING + 1];
	int n = 0;
	if (MPI_Error_string(code, all, &n) != MPI_SUCCESS) n = 0;
	all[n] = 0;
	strncpy(text, all, length - 1);
	text[length - 1] = 0;
}

shim_set *shim_new(void) { return calloc(1, sizeof(shim_set)); }

void shim_free(shim_set *set) {
	free(set->request);
	free(set->peer);
	free(set);
}

// next returns the place of another request, with a rank.
static MPI_Request *next(shim_set *set, int peer) {
	if (set->count == set->room) {
		int room = 2 * set->room + 8;
		MPI_Request *request = realloc(set->request, room * sizeof *request);
		if (request == NULL) return NULL;
		set->request = request;
		int *peers = realloc(set->peer, room * sizeof *peers);
		if (peers == NULL) return NULL;
		set->peer = peers;
		set->room = room;
	}
	set->peer[set->count] = peer;
	return &set->request[set->count++];
}

// row returns the type of width floats, so that counts are rows. There are as
// many widths as numbers of columns that a program exchanges: few.
static int row(int width, MPI_Datatype *type) {
	for (int k = 0; k < widths; k++)
		if (made[k].width == width) {
			*type = made[k].type;
			return MPI_SUCCESS;
		}
	void *more = realloc(made, (widths + 1) * sizeof *made);
	if (more == NULL) return SHIM_MEMORY;
	made = more;
	int code = MPI_Type_contiguous(width, MPI_FLOAT, type);
	if (code == MPI_SUCCESS) code = MPI_Type_commit(type);
	if (code != MPI_SUCCESS) return code;
	made[widths].width = width;
	made[widths++].type = *type;
	return MPI_SUCCESS;
}

int shim_send_rows(shim_set *set, const void *rows, int count, int width, int peer) {
	MPI_Datatype type;
	int code = row(width, &type);
	if (code != MPI_SUCCESS) return code;
	MPI_Request *request = next(set, peer);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Isend(rows, count, type, peer, TAG_ROWS, MPI_COMM_WORLD, request);
}

int shim_receive_rows(shim_set *set, void *rows, int count, int width, int peer) {
	MPI_Datatype type;
	int code = row(width, &type);
	if (code != MPI_SUCCESS) return code;
	MPI_Request *request = next(set, peer);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Irecv(rows, count, type, peer, TAG_ROWS, MPI_COMM_WORLD, request);
}

int shim_send(shim_set *set, const void *bytes, int count, int peer) {
	MPI_Request *request = next(set, peer);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Isend(bytes, count, MPI_BYTE, peer, TAG_BYTES, MPI_COMM_WORLD, request);
}

int shim_receive(shim_set *set, void *bytes, int count, int peer) {
	MPI_Request *request = next(set, peer);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Irecv(bytes, count, MPI_BYTE, peer, TAG_BYTES, MPI_COMM_WORLD, request);
}

int shim_counts(shim_set *set, const void *send, void *receive) {
	MPI_Request *request = next(set, -1);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Ialltoall(send, 8, MPI_BYTE, receive, 8, MPI_BYTE, MPI_COMM_WORLD, request);
}

int shim_broadcast(shim_set *set, void *doubles, int count, int root) {
	MPI_Request *request = next(set, root);
	if (request == NULL) return SHIM_MEMORY;
	return MPI_Ibcast(doubles, count, MPI_DOUBLE, root, MPI_COMM_WORLD, request);
}

int shim_test(shim_set *set, int *done) {
	return MPI_Testall(set->count, set->request, done, MPI_STATUSES_IGNORE);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

// All waits end when the clock says so; 0 for never. Other threads set it.
static _Atomic double last_call;

void shim_hurry(double seconds) { last_call = now() + seconds; }

// shim_wait waits for all of the set, but not for longer than the time given;
// peer is then the rank of the first request that has not ended. It looks often
// at first, then lets others have the processor, then sleeps in between: ranks
// may be more than cores.
int shim_wait(shim_set *set, double seconds, int *peer) {
	double end = 0;
	for (long turn = 0;; turn++) {
		int done, code = shim_test(set, &done);
		if (code != MPI_SUCCESS) return code;
		if (done) {
			set->count = 0;
			return MPI_SUCCESS;
		}
		if (turn < 1000) continue;
		if (end == 0) end = now() + seconds;
		double t = now(), last = last_call;
		if (t > end || (last > 0 && t > last)) break;
		if (turn < 2000) {
			sched_yield();
			continue;
		}
		struct timespec pause = {0, 20000};
		nanosleep(&pause, NULL);
	}
	for (int k = 0; k < set->count; k++) {
		int done;
		*peer = set->peer[k];
		if (MPI_Test(&set->request[k], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) break;
	}
	return SHIM_LATE;
}
