"""How the shipped games are told: checks with their forms, options, outcomes, circumstances, in words people read.

One file for each game, beside its rules; a game that prefers to be a single file keeps its words there. Nothing here
decides anything.
"""
