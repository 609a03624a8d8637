#include "CSignatures.h"

#include <nettle/dsa.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecdsa.h>
#include <nettle/eddsa.h>
#include <nettle/rsa.h>

int belfry_verify_p256(const uint8_t *x, const uint8_t *y, const uint8_t *digest, const uint8_t *r, const uint8_t *s) {
  mpz_t x_number, y_number;
  nettle_mpz_init_set_str_256_u(x_number, 32, x);
  nettle_mpz_init_set_str_256_u(y_number, 32, y);
  struct ecc_point point;
  ecc_point_init(&point, nettle_get_secp_256r1());
  struct dsa_signature signature;
  dsa_signature_init(&signature);
  nettle_mpz_set_str_256_u(signature.r, 32, r);
  nettle_mpz_set_str_256_u(signature.s, 32, s);
  // Refused if the point is not on the curve.
  int is_good = ecc_point_set(&point, x_number, y_number) && ecdsa_verify(&point, 32, digest, &signature);
  dsa_signature_clear(&signature);
  ecc_point_clear(&point);
  mpz_clear(x_number);
  mpz_clear(y_number);
  return is_good;
}

int belfry_verify_rsa(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length,
                      const uint8_t *digest, const uint8_t *signature) {
  struct rsa_public_key key;
  rsa_public_key_init(&key);
  nettle_mpz_set_str_256_u(key.n, modulus_length, modulus);
  nettle_mpz_set_str_256_u(key.e, exponent_length, exponent);
  mpz_t number;
  nettle_mpz_init_set_str_256_u(number, modulus_length, signature);
  int is_good = rsa_public_key_prepare(&key) && rsa_sha256_verify_digest(&key, digest, number);
  mpz_clear(number);
  rsa_public_key_clear(&key);
  return is_good;
}

int belfry_verify_ed25519(const uint8_t *key, const uint8_t *message, size_t length, const uint8_t *signature) {
  return ed25519_sha512_verify(key, length, message, signature);
}
