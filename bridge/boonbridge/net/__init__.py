"""Sockets: the websocket and HTTP server, the client for the command line, the admin channel."""
