"""What happens at a table: state, decisions, who sees what, seeds and chain.

Pure. Time enters as data, randomness as dice; no rule of a particular game may be in this room.
"""
