"""What several games need and none of them owns: the account of sources, numbers and parameters, options, a base class.

A game may use any of it or none. No rule of one game may be in this room.
"""
