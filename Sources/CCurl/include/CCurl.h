#ifndef BELFRY_CURL_H
#define BELFRY_CURL_H

// libcurl, with the functions that take whatever an option wants given a type each: Swift cannot call them otherwise.

#include <curl/curl.h>

/// Loads libcurl, once; to be called before anything else of it. Returns why it cannot be, NULL where it can.
const char *_Nullable belfry_curl_load(void);

/// Receives bytes; anything but `size * count` ends the transfer.
typedef size_t (*belfry_curl_receiver)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

/// Sets an option that takes a number.
CURLcode belfry_curl_set_number(CURL *_Nonnull easy, CURLoption option, long value);

/// Sets an option that takes a text, which is copied; NULL unsets it.
CURLcode belfry_curl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);

/// Sets an option that takes a pointer to anything, which must live as long as it is set.
CURLcode belfry_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);

/// Sets the body of a request, which must live as long as the transfer.
CURLcode belfry_curl_set_body(CURL *_Nonnull easy, const void *_Nullable bytes, size_t count);

/// Sets who receives the header, line by line, and the body.
CURLcode belfry_curl_set_receivers(
    CURL *_Nonnull easy, belfry_curl_receiver _Nonnull header, belfry_curl_receiver _Nonnull body,
    void *_Nonnull context);

/// Sets who hears the dialogue.
CURLcode belfry_curl_set_listener(CURL *_Nonnull easy, curl_debug_callback _Nonnull listener, void *_Nonnull context);

/// Sets who is asked, often while there is traffic and once a second otherwise, whether to go on.
CURLcode belfry_curl_set_progress(
    CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull progress, void *_Nonnull context);

/// Sets who opens and closes sockets.
CURLcode belfry_curl_set_sockets(
    CURL *_Nonnull easy, curl_opensocket_callback _Nonnull opening, curl_closesocket_callback _Nonnull closing,
    void *_Nonnull context);

/// A number that a transfer left behind; 0 if there is none.
long belfry_curl_number(CURL *_Nonnull easy, CURLINFO info);

/// What CURLOPT_PRIVATE was set to.
void *_Nullable belfry_curl_private(CURL *_Nonnull easy);

/// How many connections a multi handle may keep open.
CURLMcode belfry_curl_limit_connections(CURLM *_Nonnull multi, long count);

#endif
