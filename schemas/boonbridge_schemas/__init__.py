"""The wire and the log of Boonbridge, in one place: frames, commands, events, codes.

Everything else (JSON Schema, TypeScript declarations, golden examples) is generated from here.
"""
