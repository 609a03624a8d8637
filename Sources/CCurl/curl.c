#include "CCurl.h"

CURLcode belfry_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode belfry_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode belfry_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode belfry_curl_set_body(CURL *easy, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_POSTFIELDS, bytes) : code;
}

CURLcode belfry_curl_set_receivers(
    CURL *easy, belfry_curl_receiver header, belfry_curl_receiver body, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEDATA, context) : code;
}

CURLcode belfry_curl_set_listener(CURL *easy, curl_debug_callback listener, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, listener);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) : code;
}

CURLcode belfry_curl_set_progress(CURL *easy, curl_xferinfo_callback progress, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) : code;
}

CURLcode belfry_curl_set_sockets(
    CURL *easy, curl_opensocket_callback opening, curl_closesocket_callback closing, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opening);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closing);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context) : code;
}

long belfry_curl_number(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

void *belfry_curl_private(CURL *easy) {
  void *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

CURLMcode belfry_curl_limit_connections(CURLM *multi, long count) {
  return curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}
