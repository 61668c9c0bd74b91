#!/bin/sh
# A sweep as an array of Slurm, in a folder that all nodes see:
#
#   sbatch slurm.sh study.json study.h5
#
# The same array again computes what is missing, `sbatch --array=3 slurm.sh study.json study.h5` one shard of it.
# When `delassus sweep status study.h5` says that nothing is, `delassus sweep merge study.h5` makes the file.
#SBATCH --job-name=sweep
#SBATCH --array=0-6
#SBATCH --cpus-per-task=1
#SBATCH --output=%x-%A-%a.log

shards=7 # as the array has; SLURM_ARRAY_TASK_COUNT is another number where a shard runs again alone

exec delassus sweep "$1" -o "$2" --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
