#include "CWebPush.h"

#include <errno.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
#include <nettle/gcm.h>
#include <stdlib.h>
#include <sys/random.h>

void belfry_random(uint8_t *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = getrandom(bytes, length, 0);
    // Without randomness a key could be guessed.
    if (count < 0 && errno != EINTR) abort();
    if (count > 0) bytes += count, length -= (size_t)count;
  }
}

static void random_bytes(void *context, size_t length, uint8_t *bytes) {
  (void)context;
  belfry_random(bytes, length);
}

static int read_key(struct ecc_scalar *scalar, const uint8_t *key) {
  mpz_t number;
  nettle_mpz_init_set_str_256_u(number, 32, key);
  ecc_scalar_init(scalar, nettle_get_secp_256r1());
  int is_good = ecc_scalar_set(scalar, number);
  mpz_clear(number);
  return is_good;
}

void belfry_p256_make_key(uint8_t *key) {
  struct ecc_scalar scalar;
  ecc_scalar_init(&scalar, nettle_get_secp_256r1());
  ecc_scalar_random(&scalar, NULL, random_bytes);
  mpz_t number;
  mpz_init(number);
  ecc_scalar_get(&scalar, number);
  nettle_mpz_get_str_256(32, key, number);
  mpz_clear(number);
  ecc_scalar_clear(&scalar);
}

static void write_point(const struct ecc_point *point, uint8_t *x_bytes, uint8_t *y_bytes) {
  mpz_t x, y;
  mpz_inits(x, y, NULL);
  ecc_point_get(point, x, y);
  nettle_mpz_get_str_256(32, x_bytes, x);
  if (y_bytes) nettle_mpz_get_str_256(32, y_bytes, y);
  mpz_clears(x, y, NULL);
}

int belfry_p256_public_key(const uint8_t *key, uint8_t *point) {
  struct ecc_scalar scalar;
  int is_good = read_key(&scalar, key);
  if (is_good) {
    struct ecc_point product;
    ecc_point_init(&product, nettle_get_secp_256r1());
    ecc_point_mul_g(&product, &scalar);
    point[0] = 4;
    write_point(&product, point + 1, point + 33);
    ecc_point_clear(&product);
  }
  ecc_scalar_clear(&scalar);
  return is_good;
}

int belfry_p256_shared_secret(const uint8_t *key, const uint8_t *point, uint8_t *secret) {
  mpz_t x, y;
  nettle_mpz_init_set_str_256_u(x, 32, point + 1);
  nettle_mpz_init_set_str_256_u(y, 32, point + 33);
  struct ecc_point other;
  ecc_point_init(&other, nettle_get_secp_256r1());
  struct ecc_scalar scalar;
  // Refused where the point is not on the curve.
  int is_good = read_key(&scalar, key) && point[0] == 4 && ecc_point_set(&other, x, y);
  if (is_good) {
    struct ecc_point product;
    ecc_point_init(&product, nettle_get_secp_256r1());
    ecc_point_mul(&product, &scalar, &other);
    write_point(&product, secret, NULL);
    ecc_point_clear(&product);
  }
  ecc_scalar_clear(&scalar);
  ecc_point_clear(&other);
  mpz_clears(x, y, NULL);
  return is_good;
}

int belfry_p256_sign(const uint8_t *key, const uint8_t *digest, uint8_t *signature) {
  struct ecc_scalar scalar;
  int is_good = read_key(&scalar, key);
  if (is_good) {
    struct dsa_signature numbers;
    dsa_signature_init(&numbers);
    ecdsa_sign(&scalar, NULL, random_bytes, 32, digest, &numbers);
    nettle_mpz_get_str_256(32, signature, numbers.r);
    nettle_mpz_get_str_256(32, signature + 32, numbers.s);
    dsa_signature_clear(&numbers);
  }
  ecc_scalar_clear(&scalar);
  return is_good;
}

void belfry_aes128gcm_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t length,
                           uint8_t *sealed) {
  struct gcm_aes128_ctx context;
  gcm_aes128_set_key(&context, key);
  gcm_aes128_set_iv(&context, 12, nonce);
  gcm_aes128_encrypt(&context, length, sealed, text);
  gcm_aes128_digest(&context, 16, sealed + length);
}
