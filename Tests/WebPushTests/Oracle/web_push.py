"""Opens what Belfry sealed, by http-ece, and checks its tokens, by py-vapid.

Each line of the input file has the browser's private key, its secret, the sealed message and a field Authorization,
separated by tabs. Printed for each: the message in hex, and whether the token's signature is good.
"""

import base64
import sys

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


with open(sys.argv[1]) as lines:
    for line in lines:
        private, secret, sealed, authorization = line.rstrip("\n").split("\t")
        key = ec.derive_private_key(int.from_bytes(decoded(private), "big"), ec.SECP256R1())
        message = http_ece.decrypt(
            decoded(sealed), private_key=key, auth_secret=decoded(secret), version="aes128gcm")
        print(f"{message.hex()}\t{Vapid02.verify(authorization)}")
