package run

import (
	"os"
	"strconv"
)

// launched returns the number of processes that mpirun or srun started for this job, else 1.
func launched() int {
	return environment(1, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS")
}

// LaunchedAs returns the rank of this process among them.
func LaunchedAs() int {
	return environment(0, "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MPI_LOCALRANKID", "SLURM_PROCID")
}

// environment returns the value of the first variable that is a number.
func environment(otherwise int, names ...string) int {
	for _, name := range names {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
	}
	return otherwise
}
