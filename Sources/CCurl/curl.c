#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

// libcurl is loaded at its first use: with its own libraries it takes 9 MiB and 8 ms, and many runs send nothing
// through it. Its functions are defined here under their own names for this program. They are hidden, so that the
// library's own calls do not come here.
#define LOADED(function) __typeof__(function) *function
static struct {
  LOADED(curl_easy_cleanup);
  LOADED(curl_easy_getinfo);
  LOADED(curl_easy_init);
  LOADED(curl_easy_pause);
  LOADED(curl_easy_reset);
  LOADED(curl_easy_setopt);
  LOADED(curl_easy_strerror);
  LOADED(curl_global_init);
  LOADED(curl_mime_addpart);
  LOADED(curl_mime_data);
  LOADED(curl_mime_encoder);
  LOADED(curl_mime_headers);
  LOADED(curl_mime_filename);
  LOADED(curl_mime_free);
  LOADED(curl_mime_init);
  LOADED(curl_mime_subparts);
  LOADED(curl_mime_type);
  LOADED(curl_multi_add_handle);
  LOADED(curl_multi_cleanup);
  LOADED(curl_multi_info_read);
  LOADED(curl_multi_init);
  LOADED(curl_multi_perform);
  LOADED(curl_multi_poll);
  LOADED(curl_multi_remove_handle);
  LOADED(curl_multi_setopt);
  LOADED(curl_multi_strerror);
  LOADED(curl_slist_append);
  LOADED(curl_slist_free_all);
} library;

static const char *failure = "libcurl is not loaded";

static void load(void) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    failure = dlerror();
    return;
  }
#define FIND(function)                                            \
  if ((library.function = dlsym(handle, #function)) == NULL) {    \
    failure = "libcurl has no function " #function;               \
    return;                                                       \
  }
  FIND(curl_easy_cleanup)
  FIND(curl_easy_getinfo)
  FIND(curl_easy_init)
  FIND(curl_easy_pause)
  FIND(curl_easy_reset)
  FIND(curl_easy_setopt)
  FIND(curl_easy_strerror)
  FIND(curl_global_init)
  FIND(curl_mime_addpart)
  FIND(curl_mime_data)
  FIND(curl_mime_encoder)
  FIND(curl_mime_headers)
  FIND(curl_mime_filename)
  FIND(curl_mime_free)
  FIND(curl_mime_init)
  FIND(curl_mime_subparts)
  FIND(curl_mime_type)
  FIND(curl_multi_add_handle)
  FIND(curl_multi_cleanup)
  FIND(curl_multi_info_read)
  FIND(curl_multi_init)
  FIND(curl_multi_perform)
  FIND(curl_multi_poll)
  FIND(curl_multi_remove_handle)
  FIND(curl_multi_setopt)
  FIND(curl_multi_strerror)
  FIND(curl_slist_append)
  FIND(curl_slist_free_all)
  CURLcode code = library.curl_global_init(CURL_GLOBAL_DEFAULT);
  failure = code == CURLE_OK ? NULL : library.curl_easy_strerror(code);
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
