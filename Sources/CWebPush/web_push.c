#include "CWebPush.h"

#include <CSharedLibrary.h>
#include <errno.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
#include <nettle/gcm.h>
#include <stdlib.h>
#include <sys/random.h>

// libhogweed, with the functions of libgmp on which it is built: `belfry` seals nothing and starts without them. The
// headers give some of them other names.
#define FUNCTIONS(is) \
  is(__gmpz_clear) \
  is(__gmpz_clears) \
  is(__gmpz_init) \
  is(__gmpz_inits) \
  is(nettle_dsa_signature_clear) \
  is(nettle_dsa_signature_init) \
  is(nettle_ecc_point_clear) \
  is(nettle_ecc_point_get) \
  is(nettle_ecc_point_init) \
  is(nettle_ecc_point_mul) \
  is(nettle_ecc_point_mul_g) \
  is(nettle_ecc_point_set) \
  is(nettle_ecc_scalar_clear) \
  is(nettle_ecc_scalar_get) \
  is(nettle_ecc_scalar_init) \
  is(nettle_ecc_scalar_random) \
  is(nettle_ecc_scalar_set) \
  is(nettle_ecdsa_sign) \
  is(nettle_get_secp_256r1) \
  is(nettle_mpz_get_str_256) \
  is(nettle_mpz_init_set_str_256_u)

#define POINTER(name) __typeof__(name) *name;
static struct {
  FUNCTIONS(POINTER)
} hogweed;

#define ENTRY(name) {#name, &hogweed.name},
static const struct belfry_function functions[] = {FUNCTIONS(ENTRY)};

const char *belfry_web_push_load(void) {
  static struct belfry_library library = BELFRY_SHARED_LIBRARY("libhogweed.so.6", functions);
  return belfry_library_load(&library);
}

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
  hogweed.nettle_mpz_init_set_str_256_u(number, 32, key);
  hogweed.ecc_scalar_init(scalar, hogweed.nettle_get_secp_256r1());
  int is_good = hogweed.ecc_scalar_set(scalar, number);
  hogweed.mpz_clear(number);
  return is_good;
}

int belfry_p256_make_key(uint8_t *key) {
  if (belfry_web_push_load()) return 0;
  struct ecc_scalar scalar;
  hogweed.ecc_scalar_init(&scalar, hogweed.nettle_get_secp_256r1());
  hogweed.ecc_scalar_random(&scalar, NULL, random_bytes);
  mpz_t number;
  hogweed.mpz_init(number);
  hogweed.ecc_scalar_get(&scalar, number);
  hogweed.nettle_mpz_get_str_256(32, key, number);
  hogweed.mpz_clear(number);
  hogweed.ecc_scalar_clear(&scalar);
  return 1;
}

static void write_point(const struct ecc_point *point, uint8_t *x_bytes, uint8_t *y_bytes) {
  mpz_t x, y;
  hogweed.mpz_inits(x, y, NULL);
  hogweed.ecc_point_get(point, x, y);
  hogweed.nettle_mpz_get_str_256(32, x_bytes, x);
  if (y_bytes) hogweed.nettle_mpz_get_str_256(32, y_bytes, y);
  hogweed.mpz_clears(x, y, NULL);
}

int belfry_p256_public_key(const uint8_t *key, uint8_t *point) {
  if (belfry_web_push_load()) return 0;
  struct ecc_scalar scalar;
  int is_good = read_key(&scalar, key);
  if (is_good) {
    struct ecc_point product;
    hogweed.ecc_point_init(&product, hogweed.nettle_get_secp_256r1());
    hogweed.ecc_point_mul_g(&product, &scalar);
    point[0] = 4;
    write_point(&product, point + 1, point + 33);
    hogweed.ecc_point_clear(&product);
  }
  hogweed.ecc_scalar_clear(&scalar);
  return is_good;
}

int belfry_p256_shared_secret(const uint8_t *key, const uint8_t *point, uint8_t *secret) {
  if (belfry_web_push_load()) return 0;
  mpz_t x, y;
  hogweed.nettle_mpz_init_set_str_256_u(x, 32, point + 1);
  hogweed.nettle_mpz_init_set_str_256_u(y, 32, point + 33);
  struct ecc_point other;
  hogweed.ecc_point_init(&other, hogweed.nettle_get_secp_256r1());
  struct ecc_scalar scalar;
  // Refused if the point is not on the curve.
  int is_good = read_key(&scalar, key) && point[0] == 4 && hogweed.ecc_point_set(&other, x, y);
  if (is_good) {
    struct ecc_point product;
    hogweed.ecc_point_init(&product, hogweed.nettle_get_secp_256r1());
    hogweed.ecc_point_mul(&product, &scalar, &other);
    write_point(&product, secret, NULL);
    hogweed.ecc_point_clear(&product);
  }
  hogweed.ecc_scalar_clear(&scalar);
  hogweed.ecc_point_clear(&other);
  hogweed.mpz_clears(x, y, NULL);
  return is_good;
}

int belfry_p256_sign(const uint8_t *key, const uint8_t *digest, uint8_t *signature) {
  if (belfry_web_push_load()) return 0;
  struct ecc_scalar scalar;
  int is_good = read_key(&scalar, key);
  if (is_good) {
    struct dsa_signature numbers;
    hogweed.dsa_signature_init(&numbers);
    hogweed.ecdsa_sign(&scalar, NULL, random_bytes, 32, digest, &numbers);
    hogweed.nettle_mpz_get_str_256(32, signature, numbers.r);
    hogweed.nettle_mpz_get_str_256(32, signature + 32, numbers.s);
    hogweed.dsa_signature_clear(&numbers);
  }
  hogweed.ecc_scalar_clear(&scalar);
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
