"""One connection, without a socket: frames in, inputs and frames out. Knows messages only."""
