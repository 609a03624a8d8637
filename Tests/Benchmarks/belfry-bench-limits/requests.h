// Requests over kept-alive connections, each of which has at most one on its way.
#pragma once
#include <stddef.h>

/// Makes the next request.
struct request_source {
  /// Writes it, and returns its length; 0 where there is none.
  size_t (*next)(struct request_source *source, char *request, size_t room);
};

/// A connection to a port of this machine; the program ends where there is none.
int connected(int port);
/// Waits until data can be read, and reads it. Returns its length; 0 where none came in time, or the connection ended.
size_t received(int descriptor, char *data, size_t room);
/// Sends all requests of a source, RATE a second, or as fast as the replies come for 0. Prints the milliseconds until each
/// reply, counted from when its request was due, and at last the seconds that all took. A reply of another status ends the
/// program.
int requests_send(int port, struct request_source *source, int status, long connections, double rate);
/// The whole of a file; the program ends where it cannot be read.
size_t file_read(const char *path, char *data, size_t room);
