#ifndef CWEBPUSH_H
#define CWEBPUSH_H

#include <stddef.h>
#include <stdint.h>

// P-256 and AES-128-GCM for Web Push, by libnettle and its hogweed, which is loaded at its first use. Numbers are
// big-endian; a point is uncompressed, 0x04 and two numbers, 65 bytes; a private key and a digest have 32 bytes. Functions
// return 1 for success, 0 without hogweed and for invalid input: a key that is zero or not below the group's order, a
// point that is not on the curve.

// Loads hogweed, once. Returns the reason why it cannot be used, or NULL. Safe from any thread.
const char *belfry_web_push_load(void);

// Makes a private key.
int belfry_p256_make_key(uint8_t *key);

// Writes the point of a private key.
int belfry_p256_public_key(const uint8_t *key, uint8_t *point);

// Writes the secret that the holders of two keys share, 32 bytes.
int belfry_p256_shared_secret(const uint8_t *key, const uint8_t *point, uint8_t *secret);

// Signs a digest by ECDSA: two numbers, 64 bytes.
int belfry_p256_sign(const uint8_t *key, const uint8_t *digest, uint8_t *signature);

// Encrypts a text by AES-128-GCM with a nonce of 12 bytes; the sealed text has 16 bytes more.
void belfry_aes128gcm_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t length,
                           uint8_t *sealed);

// Fills a buffer with random bytes.
void belfry_random(uint8_t *bytes, size_t length);

#endif
