"""What the operator sees: log lines and metrics. A leaf; no secret may pass here."""
