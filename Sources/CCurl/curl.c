#include "CCurl.h"

#include <CSharedLibrary.h>
#include <pthread.h>

// libcurl is loaded at its first use: with its own libraries it takes 9 MiB and 8 ms, and many runs send nothing
// through it. Its functions are defined here under their own names for this program. They are hidden, so that the
// library's own calls do not come here.
#define FUNCTIONS(is) \
  is(curl_easy_cleanup) \
  is(curl_easy_getinfo) \
  is(curl_easy_init) \
  is(curl_easy_pause) \
  is(curl_easy_reset) \
  is(curl_easy_setopt) \
  is(curl_easy_strerror) \
  is(curl_global_init) \
  is(curl_mime_addpart) \
  is(curl_mime_data) \
  is(curl_mime_encoder) \
  is(curl_mime_headers) \
  is(curl_mime_filename) \
  is(curl_mime_free) \
  is(curl_mime_init) \
  is(curl_mime_subparts) \
  is(curl_mime_type) \
  is(curl_multi_add_handle) \
  is(curl_multi_cleanup) \
  is(curl_multi_info_read) \
  is(curl_multi_init) \
  is(curl_multi_perform) \
  is(curl_multi_poll) \
  is(curl_multi_remove_handle) \
  is(curl_multi_setopt) \
  is(curl_multi_strerror) \
  is(curl_slist_append) \
  is(curl_slist_free_all)

#define POINTER(name) __typeof__(name) *name;
static struct {
  FUNCTIONS(POINTER)
} library;

#define ENTRY(name) {#name, &library.name},
static const struct belfry_function functions[] = {FUNCTIONS(ENTRY)};

static const char *failure = "libcurl is not loaded";

static void load(void) {
  static struct belfry_library curl = BELFRY_SHARED_LIBRARY("libcurl.so.4", functions);
  failure = belfry_library_load(&curl);
  if (failure) return;
  CURLcode code = library.curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) failure = library.curl_easy_strerror(code);
}

const char *belfry_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure;
}

#pragma GCC visibility push(hidden)

void curl_easy_cleanup(CURL *easy) { library.curl_easy_cleanup(easy); }

CURL *curl_easy_init(void) { return library.curl_easy_init(); }

CURLcode curl_easy_pause(CURL *easy, int directions) { return library.curl_easy_pause(easy, directions); }

void curl_easy_reset(CURL *easy) { library.curl_easy_reset(easy); }

const char *curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

curl_mimepart *curl_mime_addpart(curl_mime *mime) { return library.curl_mime_addpart(mime); }

CURLcode curl_mime_data(curl_mimepart *part, const char *bytes, size_t count) {
  return library.curl_mime_data(part, bytes, count);
}

CURLcode curl_mime_encoder(curl_mimepart *part, const char *name) { return library.curl_mime_encoder(part, name); }

CURLcode curl_mime_headers(curl_mimepart *part, struct curl_slist *headers, int take_ownership) {
  return library.curl_mime_headers(part, headers, take_ownership);
}

CURLcode curl_mime_filename(curl_mimepart *part, const char *name) { return library.curl_mime_filename(part, name); }

void curl_mime_free(curl_mime *mime) { library.curl_mime_free(mime); }

curl_mime *curl_mime_init(CURL *easy) { return library.curl_mime_init(easy); }

CURLcode curl_mime_subparts(curl_mimepart *part, curl_mime *parts) { return library.curl_mime_subparts(part, parts); }

CURLcode curl_mime_type(curl_mimepart *part, const char *type) { return library.curl_mime_type(part, type); }

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return library.curl_multi_add_handle(multi, easy); }

CURLMcode curl_multi_cleanup(CURLM *multi) { return library.curl_multi_cleanup(multi); }

CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return library.curl_multi_info_read(multi, left); }

CURLM *curl_multi_init(void) { return library.curl_multi_init(); }

CURLMcode curl_multi_perform(CURLM *multi, int *running) { return library.curl_multi_perform(multi, running); }

CURLMcode curl_multi_poll(
    CURLM *multi, struct curl_waitfd *others, unsigned int count, int milliseconds, int *ready) {
  return library.curl_multi_poll(multi, others, count, milliseconds, ready);
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return library.curl_multi_remove_handle(multi, easy); }

const char *curl_multi_strerror(CURLMcode code) { return library.curl_multi_strerror(code); }

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  return library.curl_slist_append(list, text);
}

void curl_slist_free_all(struct curl_slist *list) { library.curl_slist_free_all(list); }

#pragma GCC visibility pop

// The variadic functions: curl.h defines macros of the same names that check the types.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#define curl_easy_setopt library.curl_easy_setopt
#define curl_easy_getinfo library.curl_easy_getinfo
#define curl_multi_setopt library.curl_multi_setopt

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

CURLcode belfry_curl_set_watcher(CURL *easy, curl_prereq_callback watcher, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, watcher);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PREREQDATA, context) : code;
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

CURLcode belfry_curl_set_opener(CURL *easy, curl_opensocket_callback opening, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opening);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
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
