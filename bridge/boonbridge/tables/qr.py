"""A link as a picture to be scanned: what ``segno`` makes of it, as rows of 0 and 1."""

import segno


def qr(text: str) -> tuple[str, ...]:
    """The QR code of a text: a row for each line, 1 for a dark module, without a margin."""
    code = segno.make_qr(text, error="m", boost_error=False)
    return tuple("".join(str(int(bool(module))) for module in row) for row in code.matrix)
