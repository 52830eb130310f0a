"""What can be read out of a log. Pure; folds what visibility lets through, and nothing else."""
