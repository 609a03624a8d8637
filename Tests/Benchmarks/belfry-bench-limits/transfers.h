// Transfers by libcurl.
#pragma once
#include <stddef.h>

#include <curl/curl.h>

enum { most_connections = 256 };

struct bytes {
  char *start;
  size_t count;
};

/// The whole of a file; the program ends where it cannot be read.
struct bytes contents(const char *path);
/// The lines of a file, as the fields of a request.
struct curl_slist *header_list(const char *path);
/// The next transfer that has ended, taken out of `multi`, and its number; NULL for none. The program ends if it failed.
CURL *next_ended(CURLM *multi, long *number);
/// A request that posts these bytes; CURLINFO_PRIVATE is its number in decimal digits.
CURL *post_handle(long number, const char *url, struct curl_slist *headers, struct bytes body);
