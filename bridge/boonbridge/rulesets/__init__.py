"""The games. One file is one game; a fifth game is a fifth file and nothing else.

Pure. No game imports another; nothing here knows tables, stores or clients.
"""
