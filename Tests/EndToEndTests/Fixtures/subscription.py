"""A browser that has subscribed, as the web face keeps it.

usage: subscription.py FILE ENDPOINT
The file of the sink must not be there yet.
"""
import base64, contextlib, hashlib, os, sqlite3, sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def make_key():
    return ec.generate_private_key(ec.SECP256R1())


def public(key):
    return encoded(key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint))


def subscribe(path, endpoint, key, secret):
    os.umask(0o077)
    own = make_key().private_numbers().private_value.to_bytes(32, "big")
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executescript("""
            CREATE TABLE push_key (id INTEGER PRIMARY KEY CHECK (id = 1), key TEXT NOT NULL);
            CREATE TABLE subscription (
              id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, person TEXT, digest TEXT NOT NULL UNIQUE,
              endpoint TEXT NOT NULL, public_key TEXT NOT NULL, secret TEXT NOT NULL, made_at INTEGER NOT NULL,
              reached_at INTEGER);
            PRAGMA user_version = 1;
            """)
        database.execute("INSERT INTO push_key VALUES (1, ?)", (encoded(own),))
        digest = encoded(hashlib.sha256(endpoint.encode()).digest())
        database.execute(
            "INSERT INTO subscription VALUES (1, 'Phone', NULL, ?, ?, ?, ?, 1700000000, NULL)",
            (digest, endpoint, public(key), encoded(secret)))


if __name__ == "__main__":
    subscribe(*sys.argv[1:], make_key(), os.urandom(16))
