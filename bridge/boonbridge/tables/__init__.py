"""Tables: commands of one table in single file, batches to disk, frames to viewers, who is who.

Asynchronous, but no sockets and no SQL; what it needs of the outside are the ports of ``ports.py``.
"""
