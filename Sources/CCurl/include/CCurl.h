#ifndef BELFRY_CURL_H
#define BELFRY_CURL_H

// libcurl, with a typed function for each use of a variadic one, which Swift cannot call.

#include <curl/curl.h>

/// Loads libcurl, once; call it before any other function. Returns the reason of a failure, or NULL.
const char *_Nullable belfry_curl_load(void);

/// Receives bytes; a return value other than `size * count` ends the transfer.
typedef size_t (*belfry_curl_receiver)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

/// Sets an option that takes a number.
CURLcode belfry_curl_set_number(CURL *_Nonnull easy, CURLoption option, long value);

/// Sets an option that takes a string, which is copied; NULL unsets it.
CURLcode belfry_curl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);

/// Sets an option that takes a pointer, which must stay valid while it is set.
CURLcode belfry_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);

/// Sets the body of a request, which must stay valid until the transfer ends.
CURLcode belfry_curl_set_body(CURL *_Nonnull easy, const void *_Nullable bytes, size_t count);

/// Sets the functions that receive the header, line by line, and the body.
CURLcode belfry_curl_set_receivers(
    CURL *_Nonnull easy, belfry_curl_receiver _Nonnull header, belfry_curl_receiver _Nonnull body,
    void *_Nonnull context);

/// Sets the function that is called when a connection is there and the request is about to be sent.
CURLcode belfry_curl_set_watcher(CURL *_Nonnull easy, curl_prereq_callback _Nonnull watcher, void *_Nonnull context);

/// Sets the function that opens the sockets of a transfer.
CURLcode belfry_curl_set_opener(
    CURL *_Nonnull easy, curl_opensocket_callback _Nonnull opening, void *_Nonnull context);

/// Opens a socket to a public address, or to whatever proxy the environment names; counts refused addresses in an `int`.
curl_socket_t belfry_curl_open_public(
    void *_Nullable refusals, curlsocktype purpose, struct curl_sockaddr *_Nullable address);

/// Sets the function that receives the dialogue.
CURLcode belfry_curl_set_listener(CURL *_Nonnull easy, curl_debug_callback _Nonnull listener, void *_Nonnull context);

/// Sets the function that may cancel a transfer; called often during traffic, and otherwise once a second.
CURLcode belfry_curl_set_progress(
    CURL *_Nonnull easy, curl_xferinfo_callback _Nonnull progress, void *_Nonnull context);

/// Sets the functions that open and close sockets.
CURLcode belfry_curl_set_sockets(
    CURL *_Nonnull easy, curl_opensocket_callback _Nonnull opening, curl_closesocket_callback _Nonnull closing,
    void *_Nonnull context);

/// A number known after a transfer; 0 for none.
long belfry_curl_number(CURL *_Nonnull easy, CURLINFO info);

/// The pointer set as CURLOPT_PRIVATE.
void *_Nullable belfry_curl_private(CURL *_Nonnull easy);

/// Sets the most connections that a multi handle keeps open.
CURLMcode belfry_curl_limit_connections(CURLM *_Nonnull multi, long count);

#endif
