#include "CCurl.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Networks of one machine or of one operator (RFC 6890), and those of groups.
static bool is_public4(uint32_t address) {
  static const struct {
    uint32_t network, bits;
  } others[] = {
      {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
      {0xac100000, 12}, {0xc0000000, 24}, {0xc0a80000, 16}, {0xc6120000, 15}, {0xe0000000, 3},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if ((address ^ others[i].network) >> (32 - others[i].bits) == 0) return false;
  return true;
}

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_public6(const uint8_t *bytes) {
  static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
  static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b};
  if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, translated, 12) == 0) return is_public4(number(bytes + 12));
  // An address in 2002::/16 (6to4) leads to the IPv4 address in it; all other global unicast addresses are public.
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return is_public4(number(bytes + 2));
  return bytes[0] >> 5 == 1;
}

static bool is_public(const struct sockaddr *address) {
  switch (address->sa_family) {
    case AF_INET: return is_public4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    case AF_INET6: return is_public6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
    default: return false;
  }
}

static bool has_proxy(void) {
  static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value != NULL && *value != '\0') return true;
  }
  return false;
}

curl_socket_t belfry_curl_open_public(void *refusals, curlsocktype purpose, struct curl_sockaddr *address) {
  // A proxy looks up names itself, and is reached at an address of its own.
  if (purpose == CURLSOCKTYPE_IPCXN && !is_public(&address->addr) && !has_proxy()) {
    ++*(int *)refusals;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
