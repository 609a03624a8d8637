#ifndef CSIGNATURES_H
#define CSIGNATURES_H

#include <stddef.h>
#include <stdint.h>

// Checks of signatures by libnettle's hogweed; 1 for a good one, 0 for every other. Numbers are big-endian.

// ECDSA with P-256 over a digest of 32 bytes; x, y, r and s have 32 bytes each.
int belfry_verify_p256(const uint8_t *x, const uint8_t *y, const uint8_t *digest, const uint8_t *r, const uint8_t *s);

// RSASSA-PKCS1-v1_5 with SHA-256 over a digest of 32 bytes; the signature is as long as the modulus.
int belfry_verify_rsa(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length,
                      const uint8_t *digest, const uint8_t *signature);

// Ed25519 over a message; the key has 32 bytes, the signature 64.
int belfry_verify_ed25519(const uint8_t *key, const uint8_t *message, size_t length, const uint8_t *signature);

#endif
