"""What a die is: where faces come from, what is kept of a pool, and how likely it was.

Pure. No rule of a game and no input or output may be in this room.
"""
