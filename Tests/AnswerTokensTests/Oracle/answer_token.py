"""Makes answer tokens from their description alone, with hmac and hashlib.

Reads a file with one token a line, KEY<tab>NUMBER<tab>USE<tab>REMINDER<tab>ACTION<tab>PERSON<tab>HOURS, and prints
one token a line. KEY is 32 bytes in hexadecimal, USE the info of the key's derivation.
"""

import base64
import hashlib
import hmac
import sys
import uuid


def derived(secret, info):
    """HKDF-SHA256 (RFC 5869) without salt, 32 bytes."""
    extracted = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(extracted, info.encode() + b"\x01", hashlib.sha256).digest()


def token(line):
    secret, number, use, reminder, action, person, hours = line.rstrip("\n").split("\t")
    bits = 1
    for value, width in (
        (int(number), 5),
        (uuid.UUID(reminder).int, 128),
        (int(action), 16),
        (int(person), 16),
        (int(hours), 24),
    ):
        assert value < 1 << width
        bits = bits << width | value
    content = bits.to_bytes(24, "big")
    code = hmac.new(derived(bytes.fromhex(secret), use), content, hashlib.sha256).digest()[:16]
    return base64.urlsafe_b64encode(content + code).rstrip(b"=").decode()


with open(sys.argv[1]) as questions:
    for question in questions:
        print(token(question))
