"""Where things are kept: adapters that implement the ports of ``tables``.

SQL, files and threads live here. Rules of games, messages and sockets may not.
"""
