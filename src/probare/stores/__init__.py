"""The run directory: written as trials end, read back by everything else."""
